"""The conformance kit: a bot, step by step, against an arena that follows a script (proto/conformance.md)."""

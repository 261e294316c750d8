"""The rules of the arena's games, pure: no input or output, no clock, no randomness, no transport."""

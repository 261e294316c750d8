"""The sample bots in Python; they travel in the wheel."""

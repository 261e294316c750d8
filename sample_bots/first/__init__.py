"""The bot that `arena new-bot` starts a bot in Python from."""

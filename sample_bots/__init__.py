"""Bots to learn from and to play against."""

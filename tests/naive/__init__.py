"""The games once more, from their rules alone: plain programs over lists and strings, slow and easy to check.

`tests/second_opinion.py` plays them beside the engine. They import nothing of it, and nothing that does (the contract
`naive` in pyproject.toml), so that a mistake has to be made twice before it goes unseen.
"""

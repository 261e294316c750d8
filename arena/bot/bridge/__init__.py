"""The line bridge: any program that reads and writes lines is a bot. proto/bridge.md explains it to its author.

    python -m arena.bot.bridge -- perl my_bot.pl

The bridge is a bot like any other, so links, resumption and the launch contract are those of the SDK; each lane has a
process of the program to itself. `forms` writes lines, `replies` reads them, `child` is the process, `bridged` the bot.
"""

"""`python -m arena.bot.bridge`: the bridge where only the SDK is installed."""

from __future__ import annotations

import sys

from arena.bot.bridge.program import main

if __name__ == "__main__":
    main(sys.argv[1:], program="bridge")

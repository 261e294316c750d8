"""The log of a match: written while it runs, read back after a crash, proved, exported and told afterwards.

The journal of a running match and the replay of an ended one are the same file (proto/arena/v1/replay.proto).
"""

from arena.replay.export import export_jsonl
from arena.replay.journal import Journal, Reopened
from arena.replay.read import Entry, Replay, pack, read_replay, unpack
from arena.replay.report import Finding, Report, Verdict
from arena.replay.story import story
from arena.replay.verify import verify
from arena.replay.words import sentence

__all__ = [
    "Entry",
    "Finding",
    "Journal",
    "Reopened",
    "Replay",
    "Report",
    "Verdict",
    "export_jsonl",
    "pack",
    "read_replay",
    "sentence",
    "story",
    "unpack",
    "verify",
]

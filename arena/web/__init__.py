"""The HTTP port for operators: whether the arena is well, and its metrics for Prometheus.

It shows numbers alone, no name and no card, and listens on loopback only.
"""

from __future__ import annotations

from arena.web.app import app
from arena.web.metrics import Metrics
from arena.web.port import Port

__all__ = ["Metrics", "Port", "app"]

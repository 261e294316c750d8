"""The metrics of a running arena in the text form of Prometheus, made when they are asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from arena.config import arena_version
from arena.lobby import Lobby
from arena.tally import Histogram
from arena.transport import TrioServer

CONTENT_TYPE: Final = "text/plain; version=0.0.4"
FRESH: Final = 1.0
"""Seconds for which the text is good: however many ask, it is made once in this time."""


class Metrics(Collector):
    """All that can be counted of an arena. `text` is what Prometheus reads."""

    def __init__(self, lobby: Lobby, transport: TrioServer) -> None:
        self._lobby = lobby
        self._transport = transport
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        self._made_at = -FRESH
        self._text = b""

    def text(self) -> bytes:
        """The metrics, at most a second old."""
        now = time.monotonic()
        if now - self._made_at >= FRESH:
            self._text, self._made_at = generate_latest(self._registry), now
        return self._text

    def describe(self) -> Iterator[Metric]:
        """No names beforehand: everything here is ours."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """One family after the other."""
        lobby, tally = self._lobby, self._lobby.tally
        sessions = [lane.session for lane in list(lobby.lanes.values()) if lane.session is not None]
        yield _info()
        gauges: Mapping[str, tuple[str, float]] = {
            "arena_connections": ("Connections with a call on them.", self._transport.connections),
            "arena_calls": ("Calls of all kinds that run.", self._transport.running),
            "arena_sessions": ("Streams of bots that have said Hello.", len(sessions)),
            "arena_bots": ("Bots with at least one stream.", len({session.lane.bot for session in sessions})),
            "arena_lanes_waiting": ("Lanes that wait for a match.", lobby.waiting),
            "arena_matches_running": ("Matches that run.", len(lobby.directors)),
            "arena_outbox_bytes": (
                "Bytes that wait to be read by bots.",
                sum(session.call.outbox_bytes for session in sessions),
            ),
            "arena_draining": ("1 when no match begins any more.", float(lobby.draining)),
        }
        for name, (meaning, value) in gauges.items():
            yield GaugeMetricFamily(name, meaning, value)
        yield CounterMetricFamily(
            "arena_decisions", "Actions that bots took, draws made for them left out.", tally.decisions
        )
        terminations = {reason.value: count for reason, count in tally.terminations.items()}
        yield _by("arena_matches", "Matches that have ended.", "termination", terminations)
        rejections = {reason.value: count for reason, count in tally.rejections.items()}
        yield _by("arena_rejections", "Answers that were not accepted.", "reason", rejections)
        yield _by("arena_refusals", "Calls that were turned away, by what they lacked.", "limit", tally.refusals)
        answers = "From the arrival of an answer until all that followed from it was logged and handed over."
        yield _histogram("arena_decision_latency_seconds", answers, tally.answers)
        yield _histogram("arena_loop_lag_seconds", "How late the loop was, at each look.", tally.lag)
        yield _histogram("arena_journal_write_seconds", "A write to the log of a match.", tally.writes)
        yield _histogram(
            "arena_journal_sync_seconds", "Until the disk had a deal for good; in no bot's way.", tally.syncs
        )


def _info() -> Metric:
    family = GaugeMetricFamily("arena_info", "The software that runs.", labels=["version"])
    family.add_metric([arena_version()], 1)
    return family


def _by(name: str, meaning: str, label: str, counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(name, meaning, labels=[label])
    for value, count in counts.items():
        family.add_metric([value], count)
    return family


def _histogram(name: str, meaning: str, histogram: Histogram) -> Metric:
    bounds = [*map(str, histogram.bounds), "+Inf"]
    buckets = list(zip(bounds, map(float, accumulate(histogram.counts)), strict=True))
    return HistogramMetricFamily(name, meaning, buckets=buckets, sum_value=histogram.total)

"""An arena that nobody vouches for hears nothing of a bot that looks at certificates, and all of one that does not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from arena.conformance.certificates import certified
from arena.conformance.stranger import Stranger
from arena.v1 import arena_pb2_grpc

OTHER = certified("another authority")
KINDS = {
    "strict": grpc.ssl_channel_credentials(certified("the arena's authority").authority),
    "careless": grpc.ssl_channel_credentials(OTHER.authority),
    "plain": None,
}


@pytest.mark.parametrize(
    ("kind", "heard"),
    [("strict", ""), ("careless", "it took the certificate, and spoke"), ("plain", "it spoke without TLS")],
)
def test_what_is_said_to_a_stranger_is_heard(kind: str, heard: str) -> None:
    """By a client that trusts another authority, by one that trusts this one, and by one without TLS."""
    with Stranger(OTHER) as stranger, ThreadPoolExecutor(1) as pool:
        listening = pool.submit(stranger.hear, 10.0, 0.3)
        credentials = KINDS[kind]
        options = [("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]
        channel = (
            grpc.secure_channel(stranger.address, credentials, options)
            if credentials
            else grpc.insecure_channel(stranger.address, options)
        )
        with channel:
            call = arena_pb2_grpc.ArenaServiceStub(channel).Play(iter(()), metadata=[("authorization", "Bearer t")])
            calls, said = listening.result()
            call.cancel()
    assert calls >= 1
    assert said == heard


def test_nobody_calls() -> None:
    """Then there is nothing to hear, and no waiting beyond the time."""
    with Stranger(OTHER) as stranger:
        assert stranger.hear(0.1, 10.0) == (0, "")

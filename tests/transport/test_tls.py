"""Encrypted connections, and what is wrong with a certificate."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.transport import BadCertificate, Call, load_credentials, unary
from loopback import Client, in_thread

FILES = Path(__file__).parent / "tls"
CERTIFICATE, KEY, OTHER_KEY = FILES / "certificate.pem", FILES / "key.pem", FILES / "other-key.pem"


async def answer(data: bytes, _: Call) -> bytes:
    """Send back what came."""
    return data


async def test_a_client_that_trusts_the_certificate_is_served(start: Any, client: Any) -> None:
    """Messages go both ways over TLS, and a client in plain text gets nowhere."""
    _, address = await start({"/t/Answer": unary(answer)}, credentials=load_credentials(CERTIFICATE, KEY))
    trusting = client(address, credentials=grpc.ssl_channel_credentials(CERTIFICATE.read_bytes()))
    assert await in_thread(trusting.unary, "/t/Answer", b"secret") == b"secret"
    with pytest.raises(grpc.RpcError) as refused:
        await in_thread(client(address).unary, "/t/Answer", b"secret")
    assert refused.value.code() == grpc.StatusCode.UNAVAILABLE


async def test_a_client_that_does_not_trust_the_certificate_goes_away(start: Any, client: Any) -> None:
    """It finds out by itself; for the server it is one that never came."""
    server, address = await start({"/t/Answer": unary(answer)}, credentials=load_credentials(CERTIFICATE, KEY))
    doubting: Client = client(address, credentials=grpc.ssl_channel_credentials())
    with pytest.raises(grpc.RpcError) as refused:
        await in_thread(doubting.unary, "/t/Answer", b"secret")
    assert refused.value.code() == grpc.StatusCode.UNAVAILABLE
    assert server.running == 0


def test_a_key_of_another_certificate_is_refused() -> None:
    """The error names both files and says what is wrong with them."""
    with pytest.raises(BadCertificate) as refused:
        load_credentials(CERTIFICATE, OTHER_KEY)
    text = str(refused.value)
    assert text == f"certificate {CERTIFICATE} and key {OTHER_KEY} cannot be used: key values mismatch"


def test_a_file_that_is_not_pem_is_refused(tmp_path: Path) -> None:
    """Neither as a certificate nor as a key."""
    junk = tmp_path / "junk.pem"
    junk.write_text("nothing")
    for certificate, key in ((junk, KEY), (CERTIFICATE, junk)):
        with pytest.raises(BadCertificate, match="cannot be used: ") as refused:
            load_credentials(certificate, key)
        assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The error names the file that cannot be read."""
    shutil.copy(CERTIFICATE, tmp_path / "certificate.pem")
    with pytest.raises(BadCertificate) as refused:
        load_credentials(tmp_path / "certificate.pem", tmp_path / "key.pem")
    assert str(refused.value) == f"cannot read {tmp_path / 'key.pem'}: no such file or directory"

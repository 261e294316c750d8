"""Encrypted connections, what is wrong with a certificate, and one that is renewed under a running server."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from arena.transport import BadCertificate, Call, Tls, unary
from certificates import Authority, serial_of
from loopback import Client, in_thread


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """Signs certificates."""
    return Authority(tmp_path)


async def answer(data: bytes, _: Call) -> bytes:
    """Send back what came."""
    return data


def shown(address: str, authority: Authority) -> int:
    """The serial number of the certificate that a new connection is shown, and trusts."""
    context = ssl.create_default_context(cadata=authority.trusted.decode())
    context.set_alpn_protocols(["h2"])
    host, _, port = address.rpartition(":")
    with (
        socket.create_connection((host, int(port)), timeout=5) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as secure,
    ):
        der = secure.getpeercert(binary_form=True)
    assert der is not None
    return serial_of(ssl.DER_cert_to_PEM_cert(der).encode())


async def test_a_client_that_trusts_the_certificate_is_served(start: Any, client: Any, authority: Authority) -> None:
    """Messages go both ways over TLS, and a client in plain text gets nowhere."""
    _, address = await start({"/t/Answer": unary(answer)}, credentials=Tls(*authority.pair()).credentials)
    trusting = client(address, credentials=grpc.ssl_channel_credentials(authority.trusted))
    assert await in_thread(trusting.unary, "/t/Answer", b"secret") == b"secret"
    with pytest.raises(grpc.RpcError) as refused:
        await in_thread(client(address).unary, "/t/Answer", b"secret")
    assert refused.value.code() == grpc.StatusCode.UNAVAILABLE


async def test_a_client_that_does_not_trust_the_certificate_goes_away(
    start: Any, client: Any, authority: Authority
) -> None:
    """It finds out by itself; for the server it is one that never came."""
    server, address = await start({"/t/Answer": unary(answer)}, credentials=Tls(*authority.pair()).credentials)
    doubting: Client = client(address, credentials=grpc.ssl_channel_credentials())
    with pytest.raises(grpc.RpcError) as refused:
        await in_thread(doubting.unary, "/t/Answer", b"secret")
    assert refused.value.code() == grpc.StatusCode.UNAVAILABLE
    assert server.running == 0


async def test_a_renewed_pair_is_for_the_connections_to_come(start: Any, client: Any, authority: Authority) -> None:
    """New connections are shown the new certificate; one that was there before goes on undisturbed."""
    tls = Tls(*authority.pair())
    _, address = await start({"/t/Answer": unary(answer)}, credentials=tls.credentials)
    there = client(address, credentials=grpc.ssl_channel_credentials(authority.trusted))
    assert await in_thread(there.unary, "/t/Answer", b"before") == b"before"
    serials = [await in_thread(shown, address, authority)]
    for _ in range(2):
        authority.pair()
        serials.append(await in_thread(shown, address, authority))  # on the disk alone it is not renewed
        tls.renew()
        serials += [await in_thread(shown, address, authority) for _ in range(2)]
    first, *_ = serials
    assert serials == [first, first, serials[2], serials[2], serials[2], serials[5], serials[5]]
    assert len({first, serials[2], serials[5]}) == 3
    assert serials[5] == serial_of(tls.certificate.read_bytes())
    assert await in_thread(there.unary, "/t/Answer", b"after") == b"after"


async def test_a_bad_renewed_pair_leaves_the_old_one(start: Any, authority: Authority) -> None:
    """It is refused with what is wrong, and new connections are shown what they were shown before."""
    tls = Tls(*authority.pair())
    _, address = await start({"/t/Answer": unary(answer)}, credentials=tls.credentials)
    before, until = await in_thread(shown, address, authority), tls.good_until
    for spoil in (_junk_certificate, _other_key, _expired):
        spoil(authority)
        with pytest.raises(BadCertificate):
            tls.renew()
        assert await in_thread(shown, address, authority) == before
        assert tls.good_until == until
    authority.pair()
    tls.renew()
    assert await in_thread(shown, address, authority) != before


def _junk_certificate(authority: Authority) -> None:
    authority.pair()[0].write_bytes(b"junk")


def _junk_key(authority: Authority) -> None:
    authority.pair()[1].write_bytes(b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")


def _damaged_certificate(authority: Authority) -> None:
    certificate, _ = authority.pair()
    certificate.write_bytes(certificate.read_bytes()[:200] + b"\n-----END CERTIFICATE-----\n")


def _other_key(authority: Authority) -> None:
    _, key = authority.pair("other")
    other = key.read_bytes()
    authority.pair()[1].write_bytes(other)


def _swapped(authority: Authority) -> None:
    certificate, key = authority.pair()
    pems = certificate.read_bytes(), key.read_bytes()
    certificate.write_bytes(pems[1])
    key.write_bytes(pems[0])


def _expired(authority: Authority) -> None:
    authority.pair(not_after=datetime.now(UTC) - timedelta(minutes=1))


def _not_yet(authority: Authority) -> None:
    authority.pair(not_before=datetime.now(UTC) + timedelta(days=1))


def _upside_down(authority: Authority) -> None:
    authority.pair(order=(1, 0))


def _twice(authority: Authority) -> None:
    certificate, _ = authority.pair()
    certificate.write_bytes(2 * certificate.read_bytes())


def _no_certificate(authority: Authority) -> None:
    authority.pair()[0].unlink()


def _no_key(authority: Authority) -> None:
    authority.pair()[1].unlink()


def _encrypted(authority: Authority) -> None:
    _, key = authority.pair()
    secret = load_pem_private_key(key.read_bytes(), None)
    key.write_bytes(secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"word")))


def _write_key(authority: Authority, secret: Any) -> None:
    authority.pair()[1].write_bytes(secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _ed25519(authority: Authority) -> None:
    _write_key(authority, ed25519.Ed25519PrivateKey.generate())


def _p521(authority: Authority) -> None:
    _write_key(authority, ec.generate_private_key(ec.SECP521R1()))


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (_junk_certificate, "{certificate} holds no certificate in PEM form that can be read"),
        (_damaged_certificate, "{certificate} holds no certificate in PEM form that can be read"),
        (_junk_key, "{key} holds no private key in PEM form that can be read"),
        (_swapped, "{key} holds no private key in PEM form that can be read"),
        (_other_key, "certificate {certificate} and key {key} do not belong together"),
        (_expired, "certificate {certificate} has expired: it was good until "),
        (_not_yet, "certificate {certificate} is good from "),
        (
            _upside_down,
            "the chain in {certificate} is out of order: the certificate of the key comes first, then each ",
        ),
        (_twice, "the chain in {certificate} is out of order: the certificate of the key comes first, then each "),
        (_no_certificate, "cannot read {certificate}: no such file or directory"),
        (_no_key, "cannot read {key}: no such file or directory"),
        (_encrypted, "key {key} is encrypted: the arena wants one without a passphrase"),
        (_ed25519, "key {key} is of a kind that gRPC does not take: it wants RSA, or the curves P-256 and P-384"),
        (_p521, "key {key} is of a kind that gRPC does not take: it wants RSA, or the curves P-256 and P-384"),
    ],
)
def test_a_pair_that_is_no_good_is_one_line(
    authority: Authority, spoil: Callable[[Authority], None], line: str
) -> None:
    """Each line names the file and says what is wrong with it; nothing of a key is in it."""
    certificate, key = authority.folder / "server.pem", authority.folder / "server-key.pem"
    spoil(authority)
    with pytest.raises(BadCertificate) as refused:
        Tls(certificate, key)
    text = str(refused.value)
    assert text.startswith(line.format(certificate=certificate, key=key))
    assert "\n" not in text
    assert "PRIVATE" not in text


def test_a_pair_says_until_when_it_is_good(authority: Authority) -> None:
    """The first certificate of the chain that expires decides."""
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(days=30)
    tls = Tls(*authority.pair(not_after=until))
    assert tls.good_until == until
    assert str(tls) == f"{tls.certificate}, good until {until:%Y-%m-%d %H:%M} UTC"

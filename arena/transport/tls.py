"""TLS: a certificate chain and its key, checked before the C core has them, because it would only fail to listen.

A pair that is renewed on the disk takes the place of the old one without a restart: whoever connects from then on gets
the new one, and connections that are there stay.
"""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, SECP384R1, EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509 import Certificate, InvalidVersion, load_pem_x509_certificates

from arena.transport.core import Credentials, TlsPair
from arena.transport.errors import BadCertificate

_Key: TypeAlias = RSAPrivateKey | EllipticCurvePrivateKey


class Tls:
    """The pair in two PEM files: the certificate with those that vouch for it behind it, and its key.

    `good_until` is when the first of them expires.
    """

    def __init__(self, certificate: Path, key: Path) -> None:
        """Read and check the pair. Raises BadCertificate, which says what is wrong with it in one line."""
        self.certificate = certificate
        self.key = key
        chain, secret, self.good_until = _read(certificate, key)
        self._pair = TlsPair(chain, secret)

    def __str__(self) -> str:
        return f"{self.certificate}, good until {_day(self.good_until)}"

    @property
    def credentials(self) -> Credentials:
        """What a server listens with."""
        return self._pair.credentials

    def renew(self) -> None:
        """Read and check the files again, and use them from now on. Raises BadCertificate, and all stays as it was."""
        chain, secret, self.good_until = _read(self.certificate, self.key)
        self._pair.exchange(chain, secret)


def _read(certificate: Path, key: Path) -> tuple[bytes, bytes, datetime]:
    """The contents of both files, and when they are good no more."""
    chain_pem, key_pem = _bytes_of(certificate), _bytes_of(key)
    secret, chain = _key(key, key_pem), _chain(certificate, chain_pem)
    _check_match(certificate, chain, key, secret)
    for child, parent in pairwise(chain):
        if not _vouches(parent, child):
            raise BadCertificate(_in_disorder(certificate))
    now = datetime.now(UTC)
    for one in chain:
        if one.not_valid_after_utc <= now:
            raise BadCertificate(
                f"certificate {certificate} has expired: it was good until {_day(one.not_valid_after_utc)}"
            )
        if one.not_valid_before_utc > now:
            raise BadCertificate(f"certificate {certificate} is good from {_day(one.not_valid_before_utc)} on, not yet")
    return chain_pem, key_pem, min(one.not_valid_after_utc for one in chain)


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadCertificate(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None


def _chain(path: Path, pem: bytes) -> list[Certificate]:
    try:
        return load_pem_x509_certificates(pem)
    except (ValueError, InvalidVersion):
        raise BadCertificate(f"{path} holds no certificate in PEM form that can be read") from None


def _key(path: Path, pem: bytes) -> _Key:
    try:
        key = load_pem_private_key(pem, None)
    except TypeError:
        raise BadCertificate(f"key {path} is encrypted: the arena wants one without a passphrase") from None
    except (ValueError, UnsupportedAlgorithm):
        raise BadCertificate(f"{path} holds no private key in PEM form that can be read") from None
    # With others the server starts well, and gRPC's clients then refuse to talk to it.
    if isinstance(key, RSAPrivateKey):
        return key
    if isinstance(key, EllipticCurvePrivateKey) and isinstance(key.curve, SECP256R1 | SECP384R1):
        return key
    raise BadCertificate(
        f"key {path} is of a kind that gRPC does not take: it wants RSA, or the curves P-256 and P-384"
    )


def _check_match(certificate: Path, chain: list[Certificate], key: Path, secret: _Key) -> None:
    ours = [_fits(one, secret) for one in chain]
    if not any(ours):
        raise BadCertificate(f"certificate {certificate} and key {key} do not belong together")
    if not ours[0]:
        raise BadCertificate(_in_disorder(certificate))


def _fits(certificate: Certificate, key: _Key) -> bool:
    try:
        return certificate.public_key() == key.public_key()
    except (ValueError, UnsupportedAlgorithm):
        return False


def _vouches(parent: Certificate, child: Certificate) -> bool:
    try:
        child.verify_directly_issued_by(parent)
    except (ValueError, TypeError, InvalidSignature):
        return False
    except UnsupportedAlgorithm:
        return True  # whoever connects has to judge it
    return True


def _in_disorder(certificate: Path) -> str:
    right = "the certificate of the key comes first, then each that signed the one before it"
    return f"the chain in {certificate} is out of order: {right}"


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"

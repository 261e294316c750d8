"""Certificates for an arena on this machine, each of an authority of its own, made anew every time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_BEFORE: Final = timedelta(hours=1)
"""Clocks differ."""
_VALID: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Certified:
    """An arena's certificate and its key, and the certificate of the authority that vouches for it, all PEM."""

    certificate: bytes
    key: bytes
    authority: bytes


def certified(name: str) -> Certified:
    """A certificate of P-256 for 127.0.0.1 and localhost, signed by an authority called `name`."""
    now = datetime.now(UTC)
    root_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    root_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    root_id = x509.SubjectKeyIdentifier.from_public_key(root_key.public_key())

    def begun(subject: x509.Name, public: ec.EllipticCurvePublicKey, *, is_authority: bool) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(root_name)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _BEFORE)
            .not_valid_after(now + _VALID)
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
            .add_extension(_usage(is_authority=is_authority), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(root_id), critical=False)
        )

    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(IPv4Address("127.0.0.1"))])
    root = begun(root_name, root_key.public_key(), is_authority=True).sign(root_key, hashes.SHA256())
    own_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    leaf = (
        begun(own_name, key.public_key(), is_authority=False)
        .add_extension(names, critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(root_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    key_pem = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return Certified(leaf.public_bytes(pem), key_pem, root.public_bytes(pem))


def _usage(*, is_authority: bool) -> x509.KeyUsage:
    """An authority signs certificates, an arena signs what it says."""
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        encipher_only=False,
        decipher_only=False,
    )

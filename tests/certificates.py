"""Certificates of an authority that only the tests know, as files, good and bad."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import trustme
from cryptography.x509 import load_pem_x509_certificate


class Authority:
    """Signs certificates for localhost and 127.0.0.1, as pairs of files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        root = trustme.CA()
        self._signer = root.create_child_ca()
        self.trusted = root.cert_pem.bytes()
        """What a client has to trust: the root. The certificate that signs is sent along in each chain."""
        self.ca = folder / "ca.pem"
        self.ca.write_bytes(self.trusted)

    def pair(
        self,
        name: str = "server",
        *,
        not_before: datetime | None = None,
        not_after: datetime | None = None,
        order: Sequence[int] = (0, 1),
    ) -> tuple[Path, Path]:
        """The files of a certificate and its key; `order` is that of the leaf (0) and of its signer (1)."""
        leaf = self._signer.issue_cert("localhost", "127.0.0.1", not_before=not_before, not_after=not_after)
        chain = [blob.bytes() for blob in leaf.cert_chain_pems]
        certificate, key = self.folder / f"{name}.pem", self.folder / f"{name}-key.pem"
        certificate.write_bytes(b"".join(chain[position] for position in order))
        key.write_bytes(leaf.private_key_pem.bytes())
        return certificate, key


def serial_of(pem: bytes) -> int:
    """The serial number of the first certificate."""
    return load_pem_x509_certificate(pem).serial_number

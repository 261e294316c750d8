"""TLS: a certificate and its key, checked before the C core has them, because it would only fail to listen."""

from __future__ import annotations

import ssl
from pathlib import Path

from arena.transport.core import Credentials, tls_credentials
from arena.transport.errors import BadCertificate


def load_credentials(certificate: Path, key: Path) -> Credentials:
    """Credentials from a certificate chain and its key, PEM files. Raises BadCertificate, which says what is wrong."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        chain, secret = certificate.read_bytes(), key.read_bytes()
        context.load_cert_chain(certificate, key, password=_no_password)
    except ssl.SSLError as error:
        reason = (error.reason or "not PEM").replace("_", " ").lower()
        raise BadCertificate(f"certificate {certificate} and key {key} cannot be used: {reason}") from None
    except OSError as error:
        raise BadCertificate(f"cannot read {error.filename}: {(error.strerror or '').lower()}") from None
    return tls_credentials(chain, secret)


def _no_password() -> str:
    """Without it, a key that is encrypted would ask the terminal."""
    return ""

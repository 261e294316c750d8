"""`arena serve` for registered bots, in processes of its own: tokens, TLS, SIGHUP, and a bot that is shown out."""

from __future__ import annotations

import re
import signal
import socket
import ssl
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from certificates import Authority, serial_of
from real_arena import Process, arena, run_arena

Run = Callable[..., Result]
Complaint = Callable[[Result], str]

SHORT = ("--game", "draw-bridge", "--option", "target=9999", "--option", "max_deals=1")


def add(data: Path, name: str) -> Path:
    """Register a bot; the file with its token."""
    file = data.parent / f"{name}.token"
    file.write_text(run_arena("bot", "add", name, "--data", str(data)))
    return file


def random_bot(address: str, token: Path, *more: str) -> Process:
    """A sample bot with that token."""
    words = ["-m", "sample_bots.python.random_bot", "--server", address, "--token-file", str(token), *more]
    return Process([sys.executable, *words])


def address_of(served: Process) -> str:
    """Where it listens."""
    return served.wait_line("listening on").split()[2].rstrip(";")


def serial_shown(address: str, authority: Authority) -> int:
    """The serial number of the certificate that a new connection is shown."""
    host, _, port = address.rpartition(":")
    context = ssl.create_default_context(cadata=authority.trusted.decode())
    context.set_alpn_protocols(["h2"])
    with (
        socket.create_connection((host, int(port)), 5) as plain,
        context.wrap_socket(plain, server_hostname=host) as one,
    ):
        return serial_of(ssl.DER_cert_to_PEM_cert(one.getpeercert(binary_form=True) or b"").encode())


def test_registered_bots_play_over_tls_and_the_certificate_is_renewed(tmp_path: Path) -> None:
    """Bots with tokens play over TLS; SIGHUP brings the renewed pair, or a line why not; no secret is ever printed."""
    data, authority = tmp_path / "data", Authority(tmp_path)
    certificate, key = authority.pair()
    tokens = [add(data, name) for name in ("heron", "otter")]
    words = ["--data", str(data), "--listen", "127.0.0.1:0", "--tls-cert", str(certificate), "--tls-key", str(key)]
    with arena("serve", *words, *SHORT) as served:
        address = address_of(served)
        assert any(f"speaking TLS with {certificate}, good until " in line for line in served.seen)
        first = serial_shown(address, authority)
        trust = ("--ca", str(authority.ca))
        with random_bot(address, tokens[0], *trust) as heron, random_bot(address, tokens[1], *trust):
            heron.wait_line("as heron@1")
            assert re.search(r"(heron@1 - otter@1|otter@1 - heron@1)", served.wait_line("ladder/"))
            certificate.write_text("junk")
            served.signal(signal.SIGHUP)
            line = served.wait_line("the old certificate stays in use: ")
            assert line.endswith(f"{certificate} holds no certificate in PEM form that can be read")
            assert serial_shown(address, authority) == first
            authority.pair()
            served.signal(signal.SIGHUP)
            served.wait_line("speaking TLS with the renewed ")
            assert serial_shown(address, authority) == serial_of(certificate.read_bytes()) != first
            served.wait_line("ladder/")  # the matches have gone on all the while
            served.signal(signal.SIGTERM)
            assert served.wait() == 0
    kept = "\n".join(served.seen).encode() + b"".join(path.read_bytes() for path in data.rglob("*") if path.is_file())
    assert b"otter@1" in kept
    assert not any(file.read_text().split("_", 2)[2].strip().encode() in kept for file in tokens)


def test_a_revoked_bot_is_shown_out_of_a_running_arena(tmp_path: Path) -> None:
    """Its program is told why and ends with status 1; a stranger's token and none at all are refused in words."""
    data = tmp_path / "data"
    tokens = [add(data, name) for name in ("heron", "otter")]
    with arena("serve", "--data", str(data), "--listen", "127.0.0.1:0", *SHORT) as served:
        address = address_of(served)
        with random_bot(address, tokens[0]) as heron, random_bot(address, tokens[1]) as otter:
            served.wait_line("ladder/")
            run_arena("bot", "revoke", "heron", "--data", str(data))
            heron.wait_line("refuses: the token of heron@1 was revoked by the operator")
            assert heron.wait() == 1
            with random_bot(address, tokens[0]) as again:
                again.wait_line("refuses: this token is not known here")
                assert again.wait() == 1
            served.wait_line("refused a call from ipv4:127.0.0.1")
            with Process([sys.executable, "-m", "sample_bots.python.random_bot", "--server", address]) as nobody:
                nobody.wait_line("refuses: this arena wants a token")
                assert nobody.wait() == 1
            otter.signal(signal.SIGTERM)
            served.signal(signal.SIGTERM)
            assert served.wait() == 0


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["--tls-cert", "server.pem"], "--tls-cert and --tls-key go together: give both, or neither"),
        (["--tls-key", "server-key.pem"], "--tls-cert and --tls-key go together: give both, or neither"),
        (["--tls-cert", "nowhere.pem", "--tls-key", "server-key.pem"], "cannot read nowhere.pem: no such file"),
        (["--tls-cert", "server-key.pem", "--tls-key", "server-key.pem"], "server-key.pem holds no certificate in PEM"),
        (["--tls-cert", "server.pem", "--tls-key", "other-key.pem"], "certificate server.pem and key other-key.pem do"),
        (["--tls-cert", "server.pem", "--tls-key", "."], "cannot read .: is a directory"),
        (
            ["--tls-cert", "server.pem", "--tls-key", "server-key.pem", "--listen", "0.0.0.0:0", "--open"],
            "--open believes every name, so it wants a loopback address",
        ),
    ],
)
def test_an_arena_does_not_start_with_a_bad_pair(
    run: Run, complaint_of: Complaint, tmp_path: Path, args: list[str], line: str
) -> None:
    """One line, and no arena in plain text in its place; no data folder is made."""
    authority = Authority(tmp_path)
    authority.pair()
    authority.pair("other")
    assert complaint_of(run("serve", *args)).startswith(line)
    assert not Path("arena-data").exists()

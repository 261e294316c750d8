"""`arena serve`: an arena that bots connect to by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from arena.cli.configured import Configured, config_options, settings_of
from arena.cli.logs import FORMATS, TEXT, start_log
from arena.cli.options import (
    chosen_rules,
    data_option,
    rules_options,
    run_option,
    time_option,
)
from arena.cli.options import game as game_name
from arena.config import ArenaConfig
from arena.loopback import check_listen
from engine.clock import TimeControl
from engine.game import Game
from engine.games import registered

LISTEN: Final = "127.0.0.1:7878"
RUN: Final = "ladder"


@click.command(
    cls=Configured,
    epilog="""\b
Examples:
  arena serve --open                                     every game, on 127.0.0.1:7878
  arena serve --open --listen 127.0.0.1:0                on a free port, which it says
  arena serve                                            for the bots of 'arena bot add'
  arena serve --listen 0.0.0.0:7878 --tls-cert chain.pem --tls-key key.pem
  arena serve --open --option target=200 --time-control 30+0/5
  arena serve --open --http 127.0.0.1:7879               with health and metrics for Prometheus
  python my_bot.py --server 127.0.0.1:7878 --name mine   a bot for it
""",
)
@click.option(
    "--listen", metavar="HOST:PORT", default=LISTEN, show_default=True, help="Where bots connect; port 0 is a free one."
)
@click.option(
    "--http",
    metavar="HOST:PORT",
    show_default="off",
    help="Where /health and /metrics (for Prometheus) are; on loopback only.",
)
@click.option(
    "--log-format",
    "log_format",
    type=click.Choice(FORMATS),
    default=TEXT,
    show_default=True,
    help="json: all that happens, on standard output, an object a line. text: matches there, warnings apart.",
)
@click.option(
    "--open", "is_open", is_flag=True, help="Let every bot in under the name that it gives; on loopback only."
)
@click.option(
    "--tls-cert",
    metavar="FILE",
    type=click.Path(path_type=Path),
    show_default="none, so plain text",
    help="Speak TLS: the certificate and those that vouch for it, PEM. SIGHUP reads a renewed pair.",
)
@click.option(
    "--tls-key",
    metavar="FILE",
    type=click.Path(path_type=Path),
    show_default="none",
    help="The key of that certificate, PEM.",
)
@click.option(
    "--game",
    "games",
    metavar="NAME",
    type=game_name,
    multiple=True,
    show_default="all",
    help="May be repeated.",
)
@rules_options
@time_option
@run_option(RUN)
@config_options
@data_option
@click.pass_context
def serve(
    ctx: click.Context,
    *,
    listen: str,
    http: str | None,
    log_format: str,
    is_open: bool,
    tls_cert: Path | None,
    tls_key: Path | None,
    games: tuple[Game, ...],
    preset: str,
    settings: tuple[tuple[str, str], ...],
    control: TimeControl,
    run: str | None,
    data: Path,
) -> None:
    """Run an arena that bots connect to.

    Lets in the bots that 'arena bot add' has registered in the same data folder, with their tokens, or with --open
    whoever comes. Seats those who wait for the same game, and goes on until it is stopped. Away from a loopback address
    it wants a certificate, and speaks TLS alone.

    Where partners play, four bots sit down together, or two as pairs that have two lanes each. A pair plays against two
    single bots, and is not rated, when nothing else can be made of those who wait.

    All options can stand in a file and in variables as well, and so can the limits on bots: see 'arena config show'.

    Ctrl-C lets the running matches end, a second one stops at once; the next start with the same data folder goes on
    with what was running.
    """
    if (tls_cert is None) != (tls_key is None):
        raise click.UsageError("--tls-cert and --tls-key go together: give both, or neither")
    check_listen(listen, is_open=is_open, has_tls=tls_cert is not None)
    chosen = games or tuple(registered().values())
    rules = {game.name: chosen_rules(game, preset, settings) for game in chosen}
    # Loading the arena takes half a second, which a help page and a mistyped option do without.
    from arena.cli.serve_run import run_server  # noqa: PLC0415

    config = ArenaConfig(
        data,
        run or RUN,
        rules,
        listen=listen,
        open=is_open,
        control=control,
        limits=settings_of(ctx).limits(),
        http=http,
        http_limits=settings_of(ctx).http_limits(),
    )
    start_log(log_format)
    pair = None if tls_cert is None or tls_key is None else (tls_cert, tls_key)
    run_server(config, pair, talks=log_format == TEXT)

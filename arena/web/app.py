"""What the HTTP port answers."""

from __future__ import annotations

import logging

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.config import arena_version
from arena.lobby import Lobby
from arena.web.metrics import CONTENT_TYPE, Metrics

log = logging.getLogger("arena.web")


def app(lobby: Lobby, metrics: Metrics) -> Starlette:
    """`/health`: 200 while matches can begin, else 503, with the state in words. `/metrics`: text for Prometheus."""

    async def health(_: Request) -> Response:
        state = "failing" if lobby.fault is not None else "draining" if lobby.draining else "ready"
        document = {"status": state, "version": arena_version(), "matches": len(lobby.directors)}
        return JSONResponse(document, 200 if state == "ready" else 503)

    async def show(_: Request) -> Response:
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    async def failed(request: Request, error: Exception) -> Response:
        log.error("%s cannot be answered", request.url.path, exc_info=error)
        return Response("internal error", 500)

    routes = [Route("/health", health), Route("/metrics", show)]
    return Starlette(routes=routes, exception_handlers={Exception: failed})

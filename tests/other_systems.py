"""Runs a program of ours as on another system, as far as that shows here: `other_systems.py win32 MODULE ARG...`.

What a system has is what typeshed says of it, the stubs that mypy brings: names and whole modules of the standard
library that are not there on Windows or macOS are taken away from our own modules, and `sys.platform` and `os.name` are
that system's. The standard library itself and gRPC keep what they need here. So this shows that we make no call that
only Unix has; it does not show how Windows starts processes, writes paths or ends lines.

A few names that only Windows has get a stand-in with the same effect: SIGBREAK is SIGUSR2, and a process in a group of
its own is started as one here.
"""

from __future__ import annotations

import ast
import builtins
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final

OURS: Final = ("arena", "engine", "sample_bots")
NAMES: Final = {"win32": "nt", "darwin": "posix"}
"""`os.name` by `sys.platform`."""
BREAK: Final = signal.SIGUSR2
"""Stands for SIGBREAK, what Ctrl-Break sends."""
_NEW_GROUP: Final = 0x200


def command(system: str, module: str, *arguments: str) -> list[str]:
    """The command that runs a module, the main one of a program, as on that system."""
    return [sys.executable, str(Path(__file__)), system, module, *arguments]


def taken(system: str, module: str) -> frozenset[str]:
    """The names of a module of the standard library that are here and not there."""
    return _names(module, sys.platform) - _names(module, system)


def missing(system: str, module: str) -> bool:
    """The whole module is here and not there: nothing but what stubs have for themselves is left of it."""
    left = _names(module, system)
    return bool(_names(module, sys.platform)) and all(name.startswith("_") for name in left)


# -- what typeshed knows


@cache
def _stubs() -> Path:
    spec = find_spec("mypy")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "typeshed" / "stdlib"


@cache
def _names(module: str, system: str) -> frozenset[str]:
    """What a module of the standard library has on a system; nothing if it is none of those, or is not there."""
    place = _stubs().joinpath(*module.split("."))
    path = next((path for path in (place.with_suffix(".pyi"), place / "__init__.pyi") if path.exists()), None)
    if path is None:
        return frozenset()
    return frozenset(_defined(ast.parse(path.read_text(encoding="utf-8")).body, system))


def _defined(body: list[ast.stmt], system: str) -> Iterator[str]:
    for node in body:
        match node:
            case ast.If():
                yield from _defined(node.body if _holds(node.test, system) else node.orelse, system)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Assign():
                yield from (target.id for target in node.targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.ImportFrom(module=str(source), names=[ast.alias(name="*")]):
                yield from _names(source, system)
            case ast.Import() | ast.ImportFrom():  # in a stub `as` with the same name means: it is to be had from here
                yield from (each.name for each in node.names if each.asname == each.name)


def _holds(test: ast.expr, system: str) -> bool:
    """A condition on the system or the version, as stubs have them."""
    known = {"sys": SimpleNamespace(platform=system, version_info=sys.version_info), "TYPE_CHECKING": True}
    return bool(eval(compile(ast.Expression(test), "stub", "eval"), known))


# -- what our modules see


class _Elsewhere(ModuleType):
    """A module of the standard library without what is not there on that system."""

    def __init__(self, real: ModuleType, system: str, instead: Mapping[str, object]) -> None:
        super().__init__(real.__name__)
        self.__dict__.update(instead)
        self._real, self._system, self._taken = real, system, taken(system, real.__name__)

    def __getattr__(self, name: str) -> Any:
        if name in self._taken:
            raise AttributeError(f"module {self._real.__name__!r} has no attribute {name!r} on {self._system}")
        return getattr(self._real, name)


class _Popen(subprocess.Popen[bytes]):
    """Starts a process in a group of its own when it is asked to in Windows' way."""

    def __init__(self, *arguments: Any, creationflags: int = 0, **options: Any) -> None:
        super().__init__(*arguments, process_group=0 if creationflags & _NEW_GROUP else None, **options)


def _instead(system: str) -> dict[str, dict[str, object]]:
    names: dict[str, dict[str, object]] = {"sys": {"platform": system}, "os": {"name": NAMES[system]}}
    if system == "win32":
        names["signal"] = {"SIGBREAK": BREAK}
        names["subprocess"] = {"CREATE_NEW_PROCESS_GROUP": _NEW_GROUP, "Popen": _Popen}
    return names


def go_there(system: str, module: str) -> None:
    """From now on our modules, and `module`, import as on that system."""
    real_import, instead, seen = builtins.__import__, _instead(system), dict[str, ModuleType]()

    def there(found: ModuleType) -> ModuleType:
        name = found.__name__
        if not taken(system, name) and name not in instead:
            return found
        if name not in seen:
            seen[name] = _Elsewhere(found, system, instead.get(name, {}))
        return seen[name]

    def importing(name: str, *rest: Any, **named: Any) -> ModuleType:
        found = real_import(name, *rest, **named)
        given = {**dict(zip(("globals", "locals", "fromlist", "level"), rest, strict=False)), **named}
        into = given.get("globals") or {}
        spec = into.get("__spec__")
        importer = spec.name if spec is not None else str(into.get("__name__"))
        if given.get("level") or not (importer.partition(".")[0] in OURS or importer == module):
            return found
        if missing(system, name):
            raise ModuleNotFoundError(f"No module named {name!r} on {system}", name=name)
        return there(found)

    builtins.__import__ = importing


if __name__ == "__main__":
    chosen, program, *_ = sys.argv[1:]
    sys.argv[:] = [program.rpartition(".")[2], *sys.argv[3:]]
    sys.path[0] = os.getcwd()  # noqa: PTH109 (as `python -m` has it)
    go_there(chosen, program)
    runpy.run_module(program, run_name="__main__", alter_sys=True)

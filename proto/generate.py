"""Generate the Python stubs in arena/v1 from proto/arena/v1, or check that the committed ones are what that gives.

The stubs are made with the oldest grpcio-tools that the project supports, because generated code loads under
every later protobuf runtime, but not under an earlier one. Run it with the Python of the environment that has
those tools (`make proto`).
"""

from __future__ import annotations

import argparse
import filecmp
import sys
import tempfile
from importlib import resources
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).resolve().parent
ROOT = PROTO.parent


def generate(target: Path) -> None:
    """Write the stubs of every proto file below `target`; raise SystemExit when protoc refuses."""
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("arena/v1/*.proto"))
    well_known = str(resources.files("grpc_tools") / "_proto")
    tools = Path(sys.executable).parent  # protoc looks for plugins on the PATH, where this environment need not be
    plugins = [f"--plugin=protoc-gen-{kind}={tools / f'protoc-gen-{kind}'}" for kind in ("mypy", "mypy_grpc")]
    outputs = [f"--{kind}_out={target}" for kind in ("python", "grpc_python")]
    outputs += [f"--{kind}_out=quiet:{target}" for kind in ("mypy", "mypy_grpc")]
    status = protoc.main(["protoc", f"-I{PROTO}", f"-I{well_known}", *plugins, *outputs, *sources])
    if status:
        raise SystemExit(status)
    for stub in target.glob("arena/v1/*_pb2_grpc.py*"):
        if not stub.name.startswith("arena_"):  # only arena.proto has a service; the rest would be empty files
            stub.unlink()


def differences(made: Path) -> list[str]:
    """Names of the committed stubs that are missing, superfluous or not what protoc makes."""
    committed = ROOT / "arena" / "v1"
    fresh = made / "arena" / "v1"
    names = {path.name for folder in (committed, fresh) for path in folder.glob("*_pb2*")}
    same, _, _ = filecmp.cmpfiles(committed, fresh, sorted(names), shallow=False)
    return sorted(names - set(same))


def main() -> int:
    """Generate, or with --check compare; the exit status says whether all is well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the committed stubs instead of writing them")
    if not parser.parse_args().check:
        generate(ROOT)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        stale = differences(Path(folder))
    for name in stale:
        print(f"arena/v1/{name} is not what proto/ generates: run make proto and commit it", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())

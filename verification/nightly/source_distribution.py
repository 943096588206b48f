"""Install the source distribution like a user without a checkout: pip builds it in a separate environment.

Without Verilator everything but the core is built; with the checkout's, the core as well. It needs the network for the
build requirements and takes some minutes.

    python -m nightly.source_distribution
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]


class InstallationError(Exception):
    """The installation failed; the message has the end of the output."""


def run(*command: str | Path, cwd: Path, environment: dict[str, str], code: int = 0) -> str:
    """Run a program that must exit with this code; return its output."""
    done = subprocess.run(
        command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != code:
        end = "\n".join(done.stdout.splitlines()[-20:])
        raise InstallationError(f"{' '.join(map(str, command))} ended with {done.returncode}, not {code}:\n{end}")
    return done.stdout


def install(source: Path, folder: Path, verilator: str | None) -> None:
    """Install into a new environment in a folder, and try it."""
    prefix, elsewhere = folder / "environment", folder / "elsewhere"
    venv.create(prefix, with_pip=True)
    elsewhere.mkdir()
    # Verilator is found by these two only.
    environment = {name: value for name, value in os.environ.items() if name not in ("VERILATOR_ROOT", "VIRTUAL_ENV")}
    environment["PATH"] = f"{prefix}/bin:/usr/local/bin:/usr/bin:/bin"
    if verilator:
        environment["VERILATOR_ROOT"] = verilator
    run(prefix / "bin/pip", "install", "--quiet", source, cwd=elsewhere, environment=environment)
    engine, code = ("cosim", 0) if verilator else ("rtl", 1)
    for arguments, expected in ((["kat"], 0), (["kat", "--engine", engine], code)):
        print(
            run(prefix / "bin/lutra", *arguments, cwd=elsewhere, environment=environment, code=expected).splitlines()[
                -1
            ]
        )


def main() -> int:
    """Return 1 if something does not work."""
    try:
        run("make", "sdist", cwd=ROOT, environment=dict(os.environ))
        (source,) = (ROOT / "build/wheel").glob("*.tar.gz")
        for verilator in (None, os.environ["VERILATOR_ROOT"]):
            print(f"{source.name}, {'with' if verilator else 'without'} Verilator", flush=True)
            with tempfile.TemporaryDirectory() as folder:
                install(source, Path(folder), verilator)
    except InstallationError as error:
        print(error, file=sys.stderr)
        return 1
    print("the source distribution installs and runs")
    return 0


if __name__ == "__main__":
    sys.exit(main())

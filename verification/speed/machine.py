"""The machine, the load on it, and the commit that is measured."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path

from speed.commands import ROOT
from speed.simulator import levels

# Written by a recording, which must not make the next one's commit a changed one.
WRITTEN = ("verification/speed/figures.json", "docs/speed.md", "docs/speed.svg")


def described() -> dict[str, object]:
    """The machine and the commit that figures depend on."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "levels": levels(),
        "commit": _commit(),
    }


def load() -> float:
    """Processes that want to run, as the mean of the last minute."""
    return round(os.getloadavg()[0], 1)


def _cpu() -> str:
    """Model, and the family where the model says nothing, as within a virtual machine."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    fields = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", text, re.M))
    if "model name" not in fields:
        return platform.machine()
    return f"{fields['model name']} (family {fields.get('cpu family', '?')}, model {fields.get('model', '?')})"


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _commit() -> str:
    """HEAD, with `-dirty` where files are not as committed; empty without git."""
    left_out = (f":(exclude){name}" for name in WRITTEN)
    head = _git("rev-parse", "--short=12", "HEAD")
    return f"{head}-dirty" if head and _git("status", "--porcelain", "--", ".", *left_out) else head

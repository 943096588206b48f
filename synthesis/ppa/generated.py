"""The generated SystemVerilog of a configuration, without a build of the rest."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from isagen.configuration import SIZES, File
from ppa import design
from ppa.configurations import Configuration
from ppa.design import Design
from ppa.tools import PpaError


def generate(root: Path, file: File, folder: Path) -> Path:
    """Write it for a configuration that need be in no file; the folder with lists and sources. Raises PpaError."""
    values = {"text": file.text, "extensions": file.extensions, "rounds": file.rounds, "contexts": file.contexts}
    sizes = {key: file.sizes[size] for key, (size, _) in SIZES.items() if size in file.sizes}
    shadow = {"shadow_words": file.shadow_words} if file.shadow_words else {}
    lines = [f"{key} = {json.dumps(value)}" for key, value in {**values, **shadow, **sizes}.items()]
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / "configuration.toml"
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "isagen", "--configuration", str(place), "--out", str(folder)]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(root / "isa")}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise PpaError(f"configuration {file.name} is not generated:\n{done.stderr.strip()}")
    return folder / design.GENERATED.name


def core(wanted: Configuration, root: Path, folder: Path, sram: Path) -> Design:
    """The core of a configuration, with this file for its memories. Raises PpaError."""
    made = generate(root, wanted.file, folder / "gen")
    return design.of_checkout(sram, design.CORE, root, parameters=wanted.parameters, generated=made)

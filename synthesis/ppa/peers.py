"""Other cores through the same flow, fetched into build/ and never committed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ppa.configurations import PORTFOLIO
from ppa.design import Design
from ppa.measure import measure as measure_point
from ppa.report import best, is_pareto
from ppa.synthesis import Recipe
from ppa.tools import PpaError, Tools

SECONDS = 600
OPENTITAN = tuple(f"hw/ip/{ip}/rtl" for ip in ("aes", "prim", "prim_generic", "edn", "entropy_src", "csrng"))


@dataclass(frozen=True)
class Peer:
    """A core of others. cycles: for a block of AES-128, and where that is said."""

    name: str
    what: str
    url: str
    commit: str
    folders: tuple[str, ...]  # that are fetched
    files: tuple[str, ...]  # that are read, patterns
    top: str
    cycles: int
    source: str
    clock: str
    reset: str
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    options: tuple[str, ...] = ()  # of the front end; {root} is the checkout


PEERS = {
    p.name: p
    for p in (
        Peer(
            "secworks-aes",
            "AES-128 and -256, both directions, one S-box of four bytes",
            "https://github.com/secworks/aes",
            "80dc4718e1dcbbdb4b0dd1bdb393d8f7b98981dc",
            ("src/rtl",),
            ("src/rtl/*.v",),
            "aes_core",
            53,
            "from `next` to `ready`, in a simulation of the example of FIPS 197",
            "clk",
            "reset_n",
        ),
        Peer(
            "opentitan-aes",
            "AES, all key lengths, both directions, a round a cycle, without masking",
            "https://github.com/lowRISC/opentitan",
            "34ceb5eb568742f75f01ee23de994ad9f65eae82",
            OPENTITAN,
            (
                "hw/ip/prim/rtl/prim_util_pkg.sv",
                "hw/ip/entropy_src/rtl/entropy_src_pkg.sv",
                "hw/ip/csrng/rtl/csrng_reg_pkg.sv",
                "hw/ip/csrng/rtl/csrng_pkg.sv",
                "hw/ip/edn/rtl/edn_pkg.sv",
                "hw/ip/aes/rtl/aes_reg_pkg.sv",
                "hw/ip/aes/rtl/aes_pkg.sv",
                "hw/ip/aes/rtl/aes_cipher_core.sv",
            ),
            "aes_cipher_core",
            12,
            "its documentation, hw/ip/aes/doc/theory_of_operation.md",
            "clk_i",
            "rst_ni",
            {"SecMasking": 0, "SecSBoxImpl": "aes_pkg::SBoxImplLut"},
            ("-I {root}/hw/ip/prim/rtl", *(f"-y {{root}}/{folder}" for folder in OPENTITAN)),
        ),
    )
}


def fetch(peer: Peer, folder: Path, say: Callable[[str], None]) -> Path:
    """The checkout of the pinned commit. Raises PpaError where the network does not reach it."""
    root = folder / "source"
    if (root / ".fetched").exists() and (root / ".fetched").read_text() == peer.commit:
        return root
    say(f"fetching {peer.url}")
    root.mkdir(parents=True, exist_ok=True)
    commands = [
        ["init", "--quiet"],
        ["config", "remote.origin.url", peer.url],
        ["sparse-checkout", "set", *peer.folders],
        ["fetch", "--quiet", "--depth", "1", "--filter=blob:none", "origin", peer.commit],
        ["checkout", "--quiet", "--force", peer.commit],
    ]
    for command in commands:
        try:
            done = subprocess.run(
                ["git", "-C", root, *command],
                capture_output=True,
                text=True,
                timeout=SECONDS,
                env=os.environ | {"GIT_TERMINAL_PROMPT": "0"},
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise PpaError(f"{peer.url} does not answer") from error
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["git failed"]
            raise PpaError(f"{peer.name}: {peer.url} is not to be had: {last[0]}")
    (root / ".fetched").write_text(peer.commit)
    return root


def design_of(peer: Peer, root: Path) -> Design:
    """Data read from a checkout."""
    files = tuple(path for pattern in peer.files for path in sorted(root.glob(pattern)))
    options = tuple(option.format(root=root) for option in peer.options)
    return Design(peer.top, files, peer.parameters, clock=peer.clock, reset=peer.reset, options=options)


def measure(
    tools: Tools,
    folder: Path,
    teller: Callable[[str], Callable[[str], None]],
    recipes: Sequence[Recipe] = PORTFOLIO,
    names: Sequence[str] = tuple(PEERS),
) -> dict[str, Any]:
    """All peers by all recipes. Raises PpaError."""
    out = {}
    for peer in (PEERS[name] for name in names):
        say = teller(peer.name)
        core = design_of(peer, fetch(peer, folder / peer.name, say))
        points = [measure_point(core, tools, recipe, folder / peer.name / recipe.name, say) for recipe in recipes]
        chosen = best(points)
        out[peer.name] = {
            "what": peer.what,
            "url": peer.url,
            "commit": peer.commit,
            "points": [p.summary() | {"pareto": is_pareto(p, points)} for p in points],
            "best": chosen.recipe.name,
            "gates": round(chosen.total.gates),
            "ns": round(chosen.period, 3),
            "cycles": peer.cycles,
            "source": peer.source,
        }
    return out

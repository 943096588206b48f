"""Runs the demo of the system on chip.

A RISC-V host boots on RTL, loads signed firmware into the core over the descriptor ring, encrypts a file by DMA,
refuses a patch with one bit changed, takes the right one while the system runs, and encrypts the file with what it
brought. All results are compared with OpenSSL.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from lutra.firmware.errors import FirmwareError
from lutra.soc.demo.errors import DemoError
from lutra.soc.demo.program import BUILD, HOSTS
from lutra.soc.demo.story import Demo, record
from lutra.soc.system import ROOT, SystemsError

EXAMPLE = """example:
  python -m lutra.soc.demo --file README.md --json
  make soc-demo SOC_DEMO_ARGS="--file README.md"
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the demo; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m lutra.soc.demo",
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--file", type=Path, default=ROOT / "docs" / "interfaces.md", help="file to encrypt")
    parser.add_argument("--host", choices=HOSTS, default="ibex", help="RISC-V processor; default: ibex")
    parser.add_argument(
        "--memory",
        type=int,
        choices=range(256),
        default=0,
        metavar="CYCLES",
        help="latency of the DMA's memory, 0 to 255; default: 0",
    )
    parser.add_argument("--out", type=Path, default=BUILD, help="folder for picture and trace; default: build/soc/demo")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else")
    parser.add_argument("--record", action="store_true", help="keep the trace for docs/transfers.svg, and draw that")
    given = parser.parse_args(arguments)
    demo = Demo(given.host, given.file, given.out, _quiet if given.json else _tell, given.memory)
    try:
        figures = demo.run()
        if given.record:
            record(given.out / "trace.txt")
            subprocess.run([sys.executable, str(ROOT / "docs" / "pictures" / "transfers.py")], check=True)
    except OSError as error:
        print(f"error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except (DemoError, SystemsError, FirmwareError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("error: interrupted; a simulator that was built is kept", file=sys.stderr)
        return 130
    if given.json:
        print(json.dumps(figures, indent=2))
    return 0


def _tell(what: str, text: str, seconds: float) -> None:
    print(f"{seconds:6.1f} s  {what:<10} {text}", flush=True)


def _quiet(what: str, text: str, seconds: float) -> None:
    pass


if __name__ == "__main__":
    sys.exit(main())

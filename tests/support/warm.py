"""A `lutra` that starts fast: each command line runs in a copy of a process that has loaded the libraries.

Loading them is most of what a short command takes. `python -m support.warm FOLDER` writes the program `lutra` to a
folder and serves it until its own standard input ends. A command has a process, a folder, an environment and streams of
its own. The modules of the commands are not loaded in advance, so each command still has to import what it needs.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from lutra.firmware import manifest
from support import images

# Modules that most commands load; the last one has pydantic check the values of options.
LIBRARIES = ("lutra.asm", "lutra.iss.engine", "lutra.cli.main", "typer._adapters")
# The program hands over its streams and takes the exit code back; without one it fails.
CLIENT = """#!{python} -SEI
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    text = json.dumps([os.getcwd(), dict(os.environ), sys.argv[1:]]).encode()
    socket.send_fds(server, [len(text).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(text)
    sys.exit(server.recv(1)[0])
"""


@contextlib.contextmanager
def served(folder: Path) -> Iterator[None]:
    """Serve the program `lutra` in a folder as long as the context lasts."""
    command = [sys.executable, "-m", "support.warm", str(folder)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1]), "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        # Leaving the context closes the server's standard input.
        yield


def serve(folder: Path) -> None:
    """Answer clients, each in a process of its own, until standard input ends."""
    for library in LIBRARIES:
        import_module(library)
    manifest.catalogue()
    images.keep()
    address = str(folder / "socket")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        program = folder / "lutra"
        program.write_text(CLIENT.format(python=sys.executable, address=address))
        program.chmod(0o755)
        print("ready", flush=True)
        while sys.stdin not in select.select([listening, sys.stdin], [], [])[0]:
            client, _ = listening.accept()
            if os.fork():
                client.close()
            else:
                listening.close()
                _answer(client)


def _answer(client: socket.socket) -> None:
    """Become the process of a client's command, and end with it."""
    size, streams, _, _ = socket.recv_fds(client, 4, 3)
    with client.makefile("rb") as text:
        folder, environment, arguments = json.loads(text.read(int.from_bytes(size, "big")))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # As an interpreter makes them when it starts.
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    code = 70
    try:
        from lutra.cli.main import main

        code = main(arguments)
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        client.sendall(bytes([code]))
        os._exit(code)


if __name__ == "__main__":
    # Nobody waits for the children: clients have their exit codes.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    serve(Path(sys.argv[1]))

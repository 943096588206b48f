"""The language server as a process: the server with all it answers, on standard input and output."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from io import BufferedReader, FileIO

from lutra.editor import features
from lutra.editor.server import Server, Writer


def serve() -> int:
    """Serve a client on standard input and output; return the exit code."""
    if os.environ.get("LUTRA_DEBUG") != "1":
        logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)
    # Not sys.stdin: at its end Python waits for whoever reads from it.
    stream = BufferedReader(FileIO(0, closefd=False))

    async def main() -> int:
        server = Server()
        features.register(server)
        return await server.serve(stream, Writer(sys.stdout.buffer))

    return asyncio.run(main())

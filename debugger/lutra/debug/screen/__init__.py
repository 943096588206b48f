"""The debugger in the terminal. Textual is imported only when it runs, since that takes longer than many a command."""

from __future__ import annotations

from lutra.debug import Session


def run(session: Session) -> None:
    """Show a session until the user leaves it. Raises DebugError where the terminal cannot show it."""
    from lutra.debug.screen.terminal import check

    check()
    from lutra.debug.screen.app import Debugger

    app = Debugger(session)
    try:
        app.run()
    finally:
        app.runner.close()  # a signal can end the screen in the middle of a move
    if app.failure is not None:
        raise app.failure

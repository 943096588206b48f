"""A server for each module of tests, and a folder of its own for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import LanguageClient

from support.editor import CONFIG, Editor, capabilities


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the server is started for."""
    return tmp_path_factory.mktemp("editor").resolve()


@pytest_lsp.fixture(config=CONFIG, scope="module")  # type: ignore[untyped-decorator]
async def client(lsp_client: LanguageClient, workspace: Path) -> AsyncIterator[None]:
    """A server that is ready."""
    folder = types.WorkspaceFolder(workspace.as_uri(), "test")
    options = {"delay": 0.01, "headers": False}
    await lsp_client.initialize_session(
        types.InitializeParams(capabilities(), workspace_folders=[folder], initialization_options=options)
    )
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(client: LanguageClient, workspace: Path, request: pytest.FixtureRequest) -> Iterator[Editor]:
    """An editor with a folder for this test."""
    folder = workspace / request.node.name.replace("[", "_").replace("]", "").replace("/", "_")[:100]
    folder.mkdir()
    editor = Editor(client, folder)
    yield editor
    for name in list(editor.texts):
        editor.close(name)

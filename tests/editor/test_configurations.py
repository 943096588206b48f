"""The configurations of editors, read by Lua and by a reader of TOML: they start the server for our files."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from lupa import LuaRuntime

EDITORS = Path(__file__).parents[2] / "editor"

# As much of Neovim as a configuration touches; what it asks for is kept in `seen`.
VIM = """
seen = { filetypes = {}, enabled = {}, started = {}, attached = {} }
local function folder(path) return (path:gsub("/[^/]*$", "")) end
local function up(name, path)  -- as findfile of Neovim
  return name == "firmware.toml" and path == "/work/otter;" and "/work/otter/firmware.toml" or ""
end
vim = {
  filetype = { add = function(what) seen.filetypes = what.extension end },
  bo = setmetatable({}, { __index = function(t, k) local v = {}; rawset(t, k, v); return v end }),
  fn = {
    getcwd = function() return "/cwd" end,
    fnamemodify = function(path, how) return how:gsub("[^h]", "") == "" and path or folder(path) end,
    findfile = up,
    finddir = up,
  },
  lsp = {
    config = function(name, what) seen.config = what; seen.name = name end,
    enable = function(name) seen.enabled[#seen.enabled + 1] = name end,
    start_client = function(what) seen.started[#seen.started + 1] = what; return #seen.started end,
    buf_attach_client = function(buffer, client) seen.attached[buffer] = client end,
    inlay_hint = { enable = function(on, where) seen.hints = where.bufnr end },
  },
  api = {
    nvim_create_autocmd = function(event, what)
      if event ~= "FileType" then
        assert(event[1] == "BufRead" and what.pattern[1] == "*.s" and what.pattern[2] == "*.inc")
        what.callback({ buf = 7 })
        return
      end
      assert(what.pattern == "lutra")
      what.callback({ buf = 7, file = "/work/otter/a.s" })
      what.callback({ buf = 9, file = "/work/otter/b.inc" })
      what.callback({ buf = 8, file = "/elsewhere/b.s" })
    end,
  },
}
"""


def run(name: str) -> Any:
    """Calls of a configuration to Neovim."""
    lua = LuaRuntime()
    lua.execute(VIM)
    lua.execute((EDITORS / "neovim" / name).read_text())
    return lua.globals()


def test_neovim_is_told_of_the_server() -> None:
    found = run("lutra.lua")
    assert dict(found.seen.filetypes) == {"s": "lutra", "inc": "lutra"}
    assert found.seen.name == "lutra" and list(found.seen.enabled.values()) == ["lutra"]
    assert list(found.seen.config.cmd.values()) == ["lutra", "lsp"]
    assert list(found.seen.config.filetypes.values()) == ["lutra"]
    assert found.seen.hints == 8
    assert found.vim.bo[7].commentstring == "// %s"


def test_an_older_neovim_starts_the_server_for_the_folder_with_the_manifest() -> None:
    found = run("lutra-older.lua")
    first, second = found.seen.started.values()
    assert (first.root_dir, second.root_dir) == ("/work/otter", "/cwd")
    assert dict(found.seen.attached) == {7: 1, 9: 1, 8: 2}
    assert found.vim.bo[7].filetype == "lutra"
    assert list(first.cmd.values()) == ["lutra", "lsp"]


def test_neovim_is_told_of_the_debugger() -> None:
    lua = LuaRuntime()
    lua.execute(VIM)
    # Of nvim-dap the functions are their names.
    lua.execute("""
keys = {}
vim.keymap = { set = function(mode, key, done) keys[key] = done end }
local names = setmetatable({ adapters = {}, configurations = {} }, { __index = function(_, name) return name end })
package.loaded.dap = names
""")
    lua.execute((EDITORS / "neovim" / "lutra-dap.lua").read_text())
    found = lua.globals().package.loaded.dap
    assert [found.adapters.lutra.command, *found.adapters.lutra.args.values()] == ["lutra", "dap"]
    (launch,) = found.configurations.lutra.values()
    assert (launch.type, launch.request, launch.program) == ("lutra", "launch", "${file}")
    assert lua.globals()["keys"]["<F22>"] == "step_back"


def test_helix_is_told_of_the_debugger() -> None:
    found = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text())
    debugger = found["language"][0]["debugger"]
    assert [debugger["command"], *debugger["args"]] == ["lutra", "dap"]
    assert debugger["templates"][0]["args"]["program"] == "{0}"


def test_helix_knows_language_and_server() -> None:
    found = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text())
    server = found["language-server"]["lutra"]
    assert [server["command"], *server["args"]] == ["lutra", "lsp"]
    (language,) = found["language"]
    assert language["language-servers"] == ["lutra"] and language["file-types"] == ["s", "inc"]


@pytest.mark.parametrize("settings", ["neovim", "helix"])
def test_the_settings_that_they_have_are_known(settings: str) -> None:
    from lutra.editor.settings import Settings, read

    if settings == "helix":
        given = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text())["language-server"]["lutra"]["config"]
    else:
        given = {"lutra": dict(run("lutra.lua").seen.config.settings.lutra)}
    _, wrong = read(given, Settings())
    assert wrong == []

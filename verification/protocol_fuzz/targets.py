"""The servers that are fuzzed, by name. Each is imported only where it is asked for."""

from __future__ import annotations

from importlib import import_module

from protocol_fuzz.target import Target

# Name -> module and class.
TARGETS = {
    "dap": ("protocol_fuzz.dap", "DebugAdapter"),
    "lsp": ("protocol_fuzz.lsp", "LanguageServer"),
}


def target(name: str) -> Target:
    """A server, its modules loaded."""
    module, made = TARGETS[name]
    found: Target = getattr(import_module(module), made)()
    return found

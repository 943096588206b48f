"""The `lutra` command: a thin layer over `lutra.asm`, `lutra.engine`, `lutra.firmware` and `lutra.isa`."""

"""Contents of the generated tables: plain records of the instruction set.

The generator (`isagen`) makes them from the description, writes them to `tables.json` and loads this package by its
place; `lutra.isa.tables` reads them back. So its modules import only each other, by relative names.
"""

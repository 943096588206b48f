"""File formats of an image: ELF with DWARF, listing, disassembly, exports for hardware and C."""

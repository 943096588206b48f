"""What an image is written as and read from: ELF with DWARF, listing, disassembly, forms for hardware and C."""

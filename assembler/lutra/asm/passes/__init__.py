"""The passes from a text to words: what a line says, expansion, names, addresses, encoding."""

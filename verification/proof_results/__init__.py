"""Results of `lutra prove` that are kept, and the tables of docs/proofs.md that are made of them."""

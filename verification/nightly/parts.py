"""The campaigns of a night: their commands and how long they may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """A campaign: its command, maximum hours, and purpose."""

    command: str
    hours: float
    text: str


PARTS = {
    "tests": Part("make test-nightly", 1, "the tests that `make test` leaves out"),
    "random": Part("make random SEEDS={seeds}", 2, "random programs in lock-step"),
    "translated": Part("make translated SEEDS={seeds}", 2, "random programs, interpreted and translated"),
    "vectors": Part("make kat", 1, "all known answers in lock-step"),
    "bench-check": Part("make bench-check", 1, "the pages of benchmarks against the core's counters"),
    "monte-carlo": Part("make monte-carlo", 1, "chains of AES and Camellia in lock-step"),
    "formal": Part("make formal", 1, "proofs of the core"),
    "proof-mutants": Part("make proof-mutants", 2, "wrong firmware, of which nothing may be proved"),
    "coverage": Part("make coverage", 3, "functional and code coverage"),
    "loader": Part("make loader", 1, "the loader in C: size, stack, warnings, coverage"),
    "uvm": Part("make uvm", 2, "UVM regression"),
    "soc-rtl": Part("make soc-rtl", 1, "the device's tests on lutra_axi"),
    "soc-traffic": Part("make soc-traffic", 2, "a million random packets through the model of a cluster"),
    "soc-uvm": Part("make soc-uvm", 2, "UVM regression of lutra_axi"),
    "seeded-bugs": Part("make seeded-bugs", 4, "bugs put in on purpose"),
    "injection": Part("make injection", 2, "faults in the stream contexts, found by their shadow"),
    "faults": Part("make faults FAULTS_ARGS='--sample 1000000'", 4, "a million faults of each job in the netlist"),
    "fault-pairs": Part(
        "make faults FAULTS_ARGS='--pairs 100000000 --shard 2'", 6, "10^9 pairs of flips, drawn, in the netlist"
    ),
    "power-loss": Part("make power-loss", 4, "loss of power at every place of a field update"),
    "power-loss-bugs": Part("make power-loss-bugs", 1, "mistakes in the loader that a loss of power shows"),
    "fuzz": Part("make fuzz", 2, "an hour of fuzzing, loader and readers of packs"),
    "fuzz-bugs": Part("make fuzz-bugs", 1, "mistakes in the loader that fuzzing finds"),
    "fuzz-dap": Part("make fuzz-dap", 2, "an hour of fuzzing, the debug adapter"),
    "fuzz-lsp": Part("make fuzz-lsp", 2, "an hour of fuzzing, the language server"),
    "editors": Part("make editors", 0.5, "VS Code and Neovim with Lutra, by the real editors"),
    "mutation": Part("make mutation-sample", 1, "a sample of mutants"),
    "source-distribution": Part("make source-distribution", 1, "the sources, built and installed by pip"),
    "fresh-machine": Part("make fresh-machine", 2, "the two commands of README.md on a bare Debian 12"),
}

"""A flip-flop's inverted output in place of an inverter after it; runs in Yosys' process.

Yosys maps a register to a cell and ABC what is between them, so neither takes the output QN, which every flip-flop of
the library has. Every other synthesis does.
"""

from __future__ import annotations

from pyosys import libyosys as ys

FLIP_FLOPS = {f"\\{kind}_X{size}" for kind in ("DFF", "DFFR", "DFFS", "DFFRS") for size in (1, 2)}
INVERTER = "\\INV_X1"
Q, QN, A, ZN = (ys.IdString(f"\\{port}") for port in ("Q", "QN", "A", "ZN"))


def _net(cell: ys.Cell, port: ys.IdString) -> str:
    """The net at a port of one bit, by its name."""
    (bit,) = cell.getPort(port).to_sigbit_vector()
    return "" if bit.wire is None else f"{bit.wire.name.str()}[{bit.offset}]"


def run(design: ys.Design) -> None:
    """In all modules: the inverters at each flip-flop go. Some have several, since ABC works in parts."""
    for module in design.modules_.values():
        cells = list(module.cells_.values())
        flip_flops = {_net(cell, Q): cell for cell in cells if cell.type.str() in FLIP_FLOPS}
        inverted: dict[str, ys.SigSpec] = {}
        for cell in cells:
            if cell.type.str() != INVERTER or (net := _net(cell, A)) not in flip_flops:
                continue
            after = cell.getPort(ZN)
            module.remove(cell)
            if net in inverted:
                module.connect(after, inverted[net])
            else:
                inverted[net] = after
                flip_flops[net].setPort(QN, after)

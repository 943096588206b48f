"""The kinds of operands of `isa/operands.td`: how each is packed into its fields and read from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from lutra.asm.packing import Packer, Packing
from lutra.asm.syntax import OperandNode
from lutra.asm.unpacking import Unpacker
from lutra.isa import Insn, Operand


class Kind(NamedTuple):
    """Both directions of one kind."""

    pack: Callable[[Packer, Packing, Operand, OperandNode], None]
    unpack: Callable[[Unpacker, Insn, int, Operand], OperandNode]


KINDS: Mapping[str, Kind] = {
    "dst": Kind(Packer.dst, Unpacker.dst),
    "dst_pair": Kind(Packer.dst_pair, Unpacker.dst_pair),
    "move": Kind(Packer.move, Unpacker.move),
    "store": Kind(Packer.store, Unpacker.store),
    "sum": Kind(Packer.sum, Unpacker.sum),
    "source": Kind(Packer.source, Unpacker.source),
    "key": Kind(Packer.key, Unpacker.key),
    "row": Kind(Packer.row, Unpacker.row),
    "contexts": Kind(Packer.contexts, Unpacker.contexts),
    "context": Kind(Packer.context, Unpacker.context),
    "address": Kind(Packer.address, Unpacker.address),
    "number": Kind(Packer.number, Unpacker.number),
    "choice": Kind(Packer.choice, Unpacker.choice),
    "target": Kind(Packer.target, Unpacker.number),
    "loop_end": Kind(Packer.loop_end, Unpacker.loop_end),
}

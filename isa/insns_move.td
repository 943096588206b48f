//===- insns_move.td - registers, memories, table banks, address registers ----===//

let ks = 0 in {
  def MOV : FmtVector<0x20, "mov", (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W)], "move, load, store, write a table row; XOR on the way">;

  let rb = ZERO.Code, w = 0, rd = NONE.Code in
  def MOVL : FmtVectorImm<0x21, "movl", (ops StoreTo:$dst, SrcA:$src, ByteIndex:$lane),
    [(RES WriteLane, N)],
    "store one byte lane, to memory or into a table lane">;

  let rb = ZERO.Code, w = 0, rd = NONE.Code, sb = 0, ss = 0, ad = ? in
  def VTOAR : FmtVectorImm<0x22, "vtoar", (ops AddrDst:$dst, SrcA:$src, LaneIndex:$lane), [(RES ToAddress, N)], "load an address register from a lane">;

  let ra = ZERO.Code, rb = ZERO.Code, w = 0, db = 0, ds = 0 in
  def ARTOV : FmtVectorAddr<0x23, "artov", (ops Dst:$dst, AddrSrc:$src), [(SRC FromAddress)], "move an address register to a vector register or row">;
}

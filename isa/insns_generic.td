//===- insns_generic.td - what any cipher can be built from -------------------===//
//
// In every core, where no extension is named.

let ks = 0 in {
  let w = 0 in {
    def XOR  : FmtVector<0x28, "xor",  (ops Dst:$dst, SrcA:$a, SrcB:$b), [(L0 Xor, B)], "exclusive or">;
    def AND  : FmtVector<0x29, "and",  (ops Dst:$dst, SrcA:$a, SrcB:$b), [(L0 And, B)], "and">;
    def OR   : FmtVector<0x2a, "or",   (ops Dst:$dst, SrcA:$a, SrcB:$b), [(L0 Or, B)], "or">;
    def ANDN : FmtVector<0x2b, "andn", (ops Dst:$dst, SrcA:$a, SrcB:$b), [(L0 AndN, B)], "and with the complement">;

    let Extension = WordsExtension in
    def ADD32  : FmtVector<0x2c, "add32",  (ops Dst:$dst, SrcA:$a, SrcB:$b), [(L1 Add32, B)], "add 32-bit lanes">;
    let Extension = AesExtension in
    def PXOR32 : FmtVector<0x2d, "pxor32", (ops Dst:$dst, SrcA:$a, SrcB:$b),
      [(M1 PrefixXor32), (L1 Xor, B)],
      "running XOR over the words, then XOR: the chaining of a key schedule (FIPS 197 5.2)">;

    let Extension = PermuteExtension in
    def PERM   : FmtVector<0x2e, "perm",   (ops Dst:$dst, SrcA:$a, SrcB:$control), [(X1 Permute, B)], "permute bytes by a control vector">;
    let Extension = PermuteExtension in
    def ALIGN  : FmtVectorImm<0x2f, "align", (ops Dst:$dst, SrcA:$a, SrcB:$b, ByteIndex:$offset),
      [(X1 Align, B, N)],
      "sixteen bytes out of two concatenated vectors">;

    let Extension = RotateExtension in
    def ROTX   : FmtVectorRotate<0x36, "rotx", (ops Dst:$dst, SrcA:$a, SrcB:$b, Rotation:$amount),
      [(X1 RotateBytes, N), (M1 RotateBits, N), (L1 Xor, B)],
      "rotate 128 bits to the left, then XOR">;

    let rb = ZERO.Code, Extension = PermuteExtension in
    def BCAST  : FmtVectorImm<0x30, "bcast", (ops Dst:$dst, SrcA:$a, ByteIndex:$index), [(X1 Broadcast, N)], "broadcast a byte">;

    let rd = NONE.Code, sb = 0, ss = 0 in
    def CMP    : FmtVector<0x31, "cmp", (ops SrcA:$a, SrcB:$b), [(L0 Xor, B), (RES SetFlag)], "compare for equality, in constant time">;

    let Extension = TablesExtension in
    def TBLP   : FmtVector<0x32, "tblp", (ops Dst:$dst, SrcAReg:$a, SrcBReg:$control, Row:$row),
      [(T0 SubBytes), (X1 Permute, B), (L1 Xor, D)],
      "look up in t0, permute bytes by a control vector, XOR a row">;
  }
  let Extension = TablesExtension in
  def TBL0  : FmtVector<0x33, "tbl0",  (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W), (T0 SubBytes)], "look up in t0">;
  let Extension = TablesExtension in
  def TBL1  : FmtVector<0x34, "tbl1",  (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W), (T1 SubBytes)], "look up in t1">;
  let Extension = TablesExtension in
  def TBL01 : FmtVector<0x35, "tbl01", (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W), (T0 SubBytes), (T1 SubBytes)], "look up in t0, the result in t1">;
}

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
    foreach lane = LaneWidths.All in {
      defvar step = !sub(!logtwo(lane), 3);
      def ADD#lane : FmtVector<!add(0x90, step), "add"#lane, (ops Dst:$dst, SrcA:$a, SrcB:$b), [(L1 !cast<Function>("Add"#lane), B)],
        "add lanes of "#lane#" bits">;
      def SUB#lane : FmtVector<!add(0x95, step), "sub"#lane, (ops Dst:$dst, SrcA:$a, SrcB:$b), [(L1 !cast<Function>("Sub"#lane), B)],
        "subtract lanes of "#lane#" bits">;
    }
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
    foreach lane = LaneWidths.All in {
      defvar step = !sub(!logtwo(lane), 3);
      defvar width = !if(!eq(lane, 128), "", !repr(lane)); // of the whole vector by the bare name
      def ROTX#lane : FmtVectorRotate<!add(0xa0, step), "rotx"#width,
        (ops Dst:$dst, SrcA:$a, SrcB:$b, !cast<Operand>("Rotation"#lane):$amount),
        [(X1 RotateBytes, N), (M1 RotateBits, N), (L1 Xor, B)],
        "rotate lanes of "#lane#" bits to the left, then XOR">;
      def SHLX#lane : FmtVectorRotate<!add(0xa5, step), "shlx"#width,
        (ops Dst:$dst, SrcA:$a, SrcB:$b, !cast<Operand>("Shift"#lane):$amount),
        [(X1 LeftBytes, N), (M1 LeftBits, N), (L1 Xor, B)],
        "shift lanes of "#lane#" bits to the left, then XOR">;
      def SHRX#lane : FmtVectorRotate<!add(0xaa, step), "shrx"#width,
        (ops Dst:$dst, SrcA:$a, SrcB:$b, !cast<Operand>("Shift"#lane):$amount),
        [(X1 RightBytes, N), (M1 RightBits, N), (L1 Xor, B)],
        "shift lanes of "#lane#" bits to the right, then XOR">;
    }

    let rb = ZERO.Code, Extension = PermuteExtension in
    def BCAST  : FmtVectorImm<0x30, "bcast", (ops Dst:$dst, SrcA:$a, ByteIndex:$index), [(X1 Broadcast, N)], "broadcast a byte">;

    let rd = NONE.Code, sb = 0, ss = 0 in
    def CMP    : FmtVector<0x31, "cmp", (ops SrcA:$a, SrcB:$b), [(L0 Xor, B), (RES SetFlag)], "compare for equality, in constant time">;

    let Extension = TablesExtension in
    def TBLP   : FmtVector<0x32, "tblp", (ops Dst:$dst, SrcAReg:$a, SrcBReg:$control, Row:$row),
      [(T0 SubBytes), (X1 Permute, B), (L1 Xor, D)],
      "look up in t0, permute bytes by a control vector, XOR a row">;
  }
  // A third register is XORed on at the end.
  let w = 0, Extension = ArxExtension in {
    let n = 0 in {
      def XOR3  : FmtVectorThird<0xb0, "xor3",  (ops Dst:$dst, SrcA:$a, SrcB:$b, SrcC:$c), [(L0 Xor, B), (L2 Xor, C)],
        "exclusive or of three registers">;
      def ANDX  : FmtVectorThird<0xb1, "andx",  (ops Dst:$dst, SrcA:$a, SrcB:$b, SrcC:$c), [(L0 And, B), (L2 Xor, C)],
        "and, then XOR">;
      def ORX   : FmtVectorThird<0xb2, "orx",   (ops Dst:$dst, SrcA:$a, SrcB:$b, SrcC:$c), [(L0 Or, B), (L2 Xor, C)],
        "or, then XOR">;
      def ANDNX : FmtVectorThird<0xb3, "andnx", (ops Dst:$dst, SrcA:$a, SrcB:$b, SrcC:$c), [(L0 AndN, B), (L2 Xor, C)],
        "and with the complement, then XOR">;
    }
  }
  let w = 0, n = 0, Extension = ArxExtension in {
    def ROTV   : FmtVectorThird<0xb8, "rotv",  (ops Dst:$dst, SrcA:$a, SrcB:$amounts), [(L1 Xor), (A2 WordsRotated, S, B)],
      "rotate 32-bit lanes to the left, each by its own amount"> { let rc = 0; }
    def XROTV  : FmtVectorThird<0xb9, "xrotv", (ops Dst:$dst, SrcA:$a, SrcB:$amounts, SrcC:$c), [(L1 Xor), (A2 WordsRotated, S, C, B)],
      "XOR a third register, then rotate 32-bit lanes to the left, each by its own amount">;
  }
  let w = 0, n = ?, Extension = WordTablesExtension in
  def TBLW   : FmtVectorThird<0xb6, "tblw", (ops Dst:$dst, SrcA:$a, SrcB:$b, SrcC:$c, Words:$words),
    [(L0 Xor, B), (M1 SpreadWord, N), (T1 SubBytes), (F2 FoldWords), (L2 Xor, C)],
    "look a word up in four tables of words in t1, XOR their words and a third register"> {
    let Details = [{
Lanes 4j to 4j+3 of t1 are table Tj, whose entries are words. In `tblw v0, v1, zero, v2, word1 + word2 + turn1` the word
that is looked up is word 1 ^ word 2 of v1, of bytes b0 to b3. If v2 is the words c0, c1, c2, c3, then v0 becomes c1,
c2, c3, c0 ^ T0[b0] ^ T1[b1] ^ T2[b2] ^ T3[b3].}];
  }
  let w = 0, rd = NONE.Code, n = 0, sb = 0, ss = 0, Extension = ScatterExtension in
  def TBLS   : FmtVectorThird<0xb7, "tbls", (ops SrcA:$rows, SrcB:$more, SrcC:$entries), [(L0 Xor, B), (RES Scatter, C)],
    "store a byte in each lane of t0, at the row that the lane's byte of the first two, XORed, says">;

  let Extension = TablesExtension in
  def TBL0  : FmtVector<0x33, "tbl0",  (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W), (T0 SubBytes)], "look up in t0">;
  let Extension = TablesExtension in
  def TBL1  : FmtVector<0x34, "tbl1",  (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W), (T1 SubBytes)], "look up in t1">;
  let Extension = TablesExtension in
  def TBL01 : FmtVector<0x35, "tbl01", (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W), (T0 SubBytes), (T1 SubBytes)], "look up in t0, the result in t1">;
}

// They leave field w to a step of the multiplier.
let ks = 0, n = ?, Extension = ArxExtension in {
  let sb = 0, ss = 0 in
  def ARX    : FmtVectorThirdPrime<0xb4, "arx", (ops DstPair:$dst, SrcA:$a, SrcB:$b, SrcC:$c, Turned:$amount, PrimeAside:$step),
    [(L1 Add32, B), (A2 SumTurned, S, C, N), (RES WritePair)],
    "add 32-bit lanes; the sum, and a third register XOR the sum, rotated">;
  def ADDROT : FmtVectorThirdPrime<0xb5, "addrot", (ops Dst:$dst, SrcA:$a, SrcB:$b, SrcC:$c, Turned:$amount, PrimeAside:$step),
    [(L1 Add32, B), (A2 SumRotated, S, N), (L2 Xor, C)],
    "add 32-bit lanes and rotate the sum, then XOR a third register">;
}

// A row of m0 goes in before the rotation.
let w = 0, rc = 0, Extension = ArxExtension in {
  def ADDROTV : FmtVectorThird<0xba, "addrotv", (ops Dst:$dst, SrcA:$a, Key0:$key, SrcB:$amounts),
    [(L1 Add32, K0), (A2 WordsRotated, S, B)],
    "add 32-bit lanes of a row, then rotate the sums to the left, each by its own amount">;
  def XORROTV : FmtVectorThird<0xbb, "xorrotv", (ops Dst:$dst, SrcA:$a, Key0:$key, SrcB:$amounts),
    [(L1 Xor, K0), (A2 WordsRotated, S, B)],
    "XOR a row, then rotate 32-bit lanes to the left, each by its own amount">;
}

// Multiplication and division by u in a binary field.
let Extension = FieldsExtension in
foreach lane = LaneWidths.All in {
  defvar step = !sub(!logtwo(lane), 3);
  defvar width = !if(!eq(lane, 128), "", !repr(lane)); // of the whole vector by the bare name
  defvar one = !add(!cast<Operand>("Shift"#lane).Base, 1);
  let n = one in {
    def MULX#lane : FmtVectorRotate<!add(0xc0, step), "mulx"#width, (ops Dst:$dst, SumReg:$src, Key0:$polynomial, Row:$row),
      [(L0 Xor, B, W), (M1 LeftBits, N), (L1 Xor, K0G, D)],
      "multiply lanes of "#lane#" bits by u, then XOR a row"> { let Details = FieldDetails<lane>.Times; }
    def DIVX#lane : FmtVectorRotate<!add(0xc5, step), "divx"#width, (ops Dst:$dst, SumReg:$src, Key0:$polynomial, Row:$row),
      [(L0 Xor, B, W), (X1 RightBytes, N), (M1 RightBits, N), (L1 Xor, K0G, D)],
      "divide lanes of "#lane#" bits by u, then XOR a row"> { let Details = FieldDetails<lane>.Divided; }
  }
}
// Not of 32 and 64 bits, whose n would turn the third register.
let Extension = FieldsExtension, Also = [ArxExtension] in
foreach lane = [8, 16, 128] in {
  defvar step = !sub(!logtwo(lane), 3);
  defvar width = !if(!eq(lane, 128), "", !repr(lane));
  let n = !add(!cast<Operand>("Shift"#lane).Base, 1) in {
    def MULXX#lane : FmtVectorThird<!add(0xca, step), "mulxx"#width, (ops Dst:$dst, SumReg:$src, Key0:$polynomial, SrcC:$c, Row:$row),
      [(L0 Xor, B, W), (M1 LeftBits, N), (L1 Xor, K0G, D), (L2 Xor, C)],
      "multiply lanes of "#lane#" bits by u, then XOR a row and a third register"> { let Details = FieldDetails<lane>.Times; }
    def DIVXX#lane : FmtVectorThird<!add(0xcf, step), "divxx"#width, (ops Dst:$dst, SumReg:$src, Key0:$polynomial, SrcC:$c, Row:$row),
      [(L0 Xor, B, W), (X1 RightBytes, N), (M1 RightBits, N), (L1 Xor, K0G, D), (L2 Xor, C)],
      "divide lanes of "#lane#" bits by u, then XOR a row and a third register"> { let Details = FieldDetails<lane>.Divided; }
  }
}

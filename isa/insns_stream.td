//===- insns_stream.td - stream ciphers on the stream unit --------------------===//
//
// A context is an LFSR of 16 words, r1, r2, r3, and a buffer of 128 bits that every
// keystream word enters at the low end: four words are one row, the first word first.
// Context c0 looks up in t0, c1 in t1; both can be clocked by one instruction.
//
// Lanes of a bank. SNOW 3G: 0-3 the bytes of r1 through SR, 4-7 those of r2 through SQ,
// 8-11 MULalpha, 12-15 DIValpha. ZUC: S0, S1, S0, S1 twice, for R1 and R2. SNOW 2.0 is
// SNOW 3G with lanes 4-7 zero.

let ks = 0, ra = ZERO.Code, rb = ZERO.Code, w = 0, c = ? in {
  let rd = NONE.Code, db = 0, ds = 0, sb = 0, ss = 0 in {
    let Extension = Snow3gExtension in
    def SNOWI : FmtVectorStream<0x70, "snowi", (ops Contexts:$clocked), [(ST SnowInit)], "SNOW 3G, initialisation clock">;
    let Extension = Snow3gExtension in
    def SNOW  : FmtVectorStream<0x71, "snow",  (ops Contexts:$clocked), [(ST SnowWork)], "SNOW 3G, keystream clock">;
    let Extension = ZucExtension in
    def ZUCI  : FmtVectorStream<0x73, "zuci",  (ops Contexts:$clocked), [(ST ZucInit)], "ZUC, initialisation clock">;
    let Extension = ZucExtension in
    def ZUC   : FmtVectorStream<0x74, "zuc",   (ops Contexts:$clocked), [(ST ZucWork)], "ZUC, work clock">;
    let Extension = ZucExtension in
    def ZUCF  : FmtVectorStream<0x79, "zucf",  (ops Contexts:$clocked), [(ST ZucF)], "ZUC, first half of a clock: bit reorganisation and F">;
    let Extension = ZucExtension in
    def ZUCLI : FmtVectorStream<0x7b, "zucli", (ops Contexts:$clocked), [(ST ZucLfsrInit)], "ZUC, second half: LFSR, initialisation">;
    let Extension = ZucExtension in
    def ZUCL  : FmtVectorStream<0x7c, "zucl",  (ops Contexts:$clocked), [(ST ZucLfsrWork)], "ZUC, second half: LFSR, work">;
  }
  let o = ? in {
    let Extension = Snow3gExtension in
    def SNOWX : FmtVectorStream<0x72, "snowx", (ops Dst:$dst, Contexts:$clocked, Shown:$shown, Row:$row),
      [(ST SnowWork), (L1 Xor, D)],
      "SNOW 3G, keystream clock, a buffer goes out, XOR of a data row">;
    let Extension = ZucExtension in
    def ZUCX  : FmtVectorStream<0x75, "zucx",  (ops Dst:$dst, Contexts:$clocked, Shown:$shown, Row:$row),
      [(ST ZucWork), (L1 Xor, D)],
      "ZUC, work clock, a buffer goes out, XOR of a data row">;
    let Extension = ZucExtension in
    def ZUCFX : FmtVectorStream<0x7a, "zucfx", (ops Dst:$dst, Contexts:$clocked, Shown:$shown, Row:$row),
      [(ST ZucF), (L1 Xor, D)],
      "ZUC, bit reorganisation and F, a buffer goes out, XOR of a data row">;
  }
}

// 128-EIA3 at the speed of its keystream: the word clocked is part of the next factor of the hash unit.
let ks = 0, ra = ZERO.Code, rb = ZERO.Code, w = 0, c = ?, o = ?, rd = NONE.Code, sb = 0, ss = 0,
    Extension = ZucExtension, Also = [GhashExtension] in {
  let db = 0, ds = 0 in
  def ZUCW  : FmtVectorStream<0x7d, "zucw",  (ops Contexts:$clocked, Shown:$shown), [(ST ZucWork), (RES WindowStep)],
    "ZUC, work clock, windows of a word added, a buffer is the next factor">;
  def ZUCWX : FmtVectorStream<0x7e, "zucwx", (ops Contexts:$clocked, Shown:$shown, Row:$row), [(ST ZucWork), (RES WindowNext, D)],
    "the same of a row's last word, then the next row">;
}

let ks = 0, o = ?, n = ?, Extension = StreamExtension in {
  let rd = NONE.Code, sb = 0, ss = 0 in
  def CTXLD : FmtVectorStream<0x76, "ctxld", (ops Context:$context, ContextRow:$index, Sum:$src),
    [(L0 Xor, B, W), (ST ContextLoad, N)],
    "load a row of a stream context">;

  let ra = ZERO.Code, rb = ZERO.Code, w = 0, db = 0, ds = 0 in
  def CTXST : FmtVectorStream<0x77, "ctxst", (ops Dst:$dst, Context:$context, ContextRow:$index), [(ST ContextSave, N)], "save a row of a stream context">;
}

let ks = 0, rd = NONE.Code, sb = 0, ss = 0, c = ?, Extension = CrcExtension in
def CRC : FmtVectorStream<0x78, "crc", (ops Contexts:$clocked, Sum:$src), [(L0 Xor, B, W), (ST Crc)], "CRC by slicing: eight bytes with c0:c1, four with c0">;

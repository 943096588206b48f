//===- insns_mac.td - CMAC's doubling, and the hash unit -----------------------===//

// CMAC's subkeys (SP 800-38B 6.1).
let ks = 0, Extension = CmacExtension in
def DBL : FmtVector<0x37, "dbl", (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W), (M1 Double128)], "double in GF(2^128), as CMAC does">;

// The hash unit: gh the factor, gx the input, gy the sum (isa/datapath.td). Of GCM the steps ride on the cipher's
// instructions; what is here begins and ends, and hashes without a cipher.
let Extension = GhashExtension in {
  let ks = 0 in
  def GHOUT : FmtVector<0x80, "ghout", (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W), (L1 Xor, GY)], "the hash unit's sum, XOR of sources">;
  let ks = 0, rd = NONE.Code, sb = 0, ss = 0 in {
    def GHKEY  : FmtVector<0x81, "ghkey",  (ops Sum:$src), [(L0 Xor, B, W), (RES ToFactor)], "load the hash unit's factor">;
    def GHSET  : FmtVector<0x82, "ghset",  (ops Sum:$src), [(L0 Xor, B, W), (RES ToInput)], "begin a sum of the hash unit">;
    def GHSETR : FmtVector<0x83, "ghsetr", (ops Sum:$src), [(L0 Xor, B, W), (RES ToReversed)], "begin a sum of the hash unit, bits in reverse">;
    def GHADD  : FmtVectorHash<0x84, "ghadd", (ops Sum:$src, HashStepAside:$step), [(L0 Xor, B, W), (RES AddInput)],
      "next block of GHASH, after a step or without">;
    def GFADD  : FmtVector<0x88, "gfadd",  (ops Sum:$src), [(L0 Xor, B, W), (RES FieldAdd)], "step in GF(2^64), then the next two blocks">;
  }
  let ks = 0, ra = ZERO.Code, rb = ZERO.Code, w = 0, rd = NONE.Code, db = 0, ds = 0, sb = 0, ss = 0 in {
    def GHSTEP : FmtVector<0x85, "ghstep", (ops), [(RES HashStep)], "step of GHASH">;
    def GFSTEP : FmtVector<0x86, "gfstep", (ops), [(RES FieldStep)], "step in GF(2^64)">;
    def GFFOLD : FmtVector<0x87, "gffold", (ops), [(RES FieldFold)], "step in GF(2^64), then the block that the input has">;
  }
  let ra = ZERO.Code, rb = ZERO.Code, w = 0, rd = NONE.Code, sb = 0, ss = 0 in {
    let db = 0, ds = 0 in
    def GHWIN  : FmtVector<0x89, "ghwin",  (ops Key0:$factor), [(L1 Xor, K0), (RES WindowStep)], "add windows of a word, then the next factor">;
    def GHWINX : FmtVector<0x8a, "ghwinx", (ops Key0:$factor, Row:$row), [(L1 Xor, K0), (RES WindowNext, D)],
      "the same of a row's last word, then the next row">;
  }
}

// Its steps modulo 2^130-5, a byte each. Firmware gives it r by `ghkey` and reads the sum by `ghout`.
let ks = 0, rd = NONE.Code, sb = 0, ss = 0, Extension = MultiplierExtension, Also = [GhashExtension] in {
  def GPADD  : FmtVector<0x8b, "gpadd",  (ops Sum:$src), [(L0 Xor, B, W), (RES PrimeAdd)], "next block of Poly1305">;
  def GPLAST : FmtVector<0x8c, "gplast", (ops Sum:$src), [(L0 Xor, B, W), (RES PrimeLast)], "next block of Poly1305 without 2^128">;
  let ra = ZERO.Code, rb = ZERO.Code, w = 0, db = 0, ds = 0 in
  def GPSTEP : FmtVector<0x8d, "gpstep", (ops), [(RES PrimeStep)], "step of Poly1305">;
}

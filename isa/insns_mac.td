//===- insns_mac.td - multiplication in GF(2^128) for CMAC and GCM ------------===//

// CMAC's subkeys (SP 800-38B 6.1).
let ks = 0 in
def DBL : FmtVector<0x37, "dbl", (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W), (M1 Double128)], "double in GF(2^128), as CMAC does">;

// A quarter of GHASH's multiplication (SP 800-38D 6.3): with rows H, H u^32, H u^64 and H u^96, four of these
// on words 0 to 3 are a product. What is added first can be the next block, so a block of GHASH takes no more.
def GHASH : FmtVectorImm<0x38, "ghash", (ops Dst:$dst, SrcAReg:$src, SrcB:$acc, Key0:$factor, DigitIndex:$digit),
  [(M1 GhashDigit, K0, N), (L1 Xor, B)],
  "multiply a word by a row in GF(2^128), as GHASH does, and add"> {
  let w = 0;
}

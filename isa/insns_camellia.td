//===- insns_camellia.td - Camellia (RFC 3713) --------------------------------===//
//
// Two blocks a and b are packed into a pair of registers: D1 of both into one, D2
// of both into the next; a in the high halves. One block alone leaves the low
// halves to themselves. Each half has the lanes s1 s2 s3 s4 s2 s3 s4 s1, the same
// in both banks.
//
// A row of m0 and the row of m1 at the same address belong to two rounds: their
// high halves are the two round keys, their low halves the two keys of the FL
// layer before these rounds, or kw3 and kw4 after the last. wk = kw1 || kw2.
// Decryption differs in the keys only (RFC 3713 2.3.3).

// One round per instruction, as CP-ASIP: t0 serves every round.
let ks = 0 in
def CAMW  : FmtVector<0x60, "camw", (ops DstPair:$dst, Sum:$src), [(P0 PairSplit, B, W), (RES WritePair)], "Camellia, whitening: a row to D1 and D2"> {
  let sb = 0;
  let ss = 0;
}
let db = 0, ds = 0, w = 0 in {
  def CAMO  : FmtVector<0x61, "camo", (ops Dst:$dst, SrcAReg:$from, SrcBReg:$to, Key0:$key),
    [(L0 Xor, K0H), (T0 SubBytes), (M1 CamelliaP), (L1 Xor, B)],
    "Camellia, odd round: to ^ F(from)">;
  def CAME  : FmtVector<0x62, "came", (ops Dst:$dst, SrcAReg:$from, SrcBReg:$to, Key1:$key),
    [(L0 Xor, K1H), (T0 SubBytes), (M1 CamelliaP), (L1 Xor, B)],
    "Camellia, even round: to ^ F(from)">;
}
let db = 0, ds = 0, w = 0, sb = 0, ss = 0 in
def CAMFL : FmtVector<0x63, "camfl", (ops DstPair:$dst, SrcAReg:$d1, SrcBReg:$d2, KeyPair:$keys),
  [(P0 PairFl, B, KL), (RES WritePair)],
  "Camellia, FL of D1 and inverse FL of D2">;
let w = 0 in
def CAML  : FmtVector<0x64, "caml", (ops Dst:$dst, SrcAReg:$d1, SrcBReg:$d2, KeyPair:$keys, Row:$row),
  [(P0 PairJoin, B, KL), (L1 Xor, D)],
  "Camellia, last whitening: D2 || D1 of block a, XOR of a data row">;

// Two rounds per instruction, two blocks.
let w = 0 in {
  def CAM2 : FmtVectorMove<0x68, "cam2", (ops DstPair:$dst, SrcAReg:$d1, SrcBReg:$d2, KeyPair:$keys, Aside:$move, HashAside:$step),
    [(L0 Xor, K0H),                   (T0 SubBytes), (M1 CamelliaP), (L1 Xor, B, K1H),
                                      (T1 SubBytes), (M2 CamelliaP), (P2 PairXor, Q, A), (RES WritePair)],
    "Camellia, two rounds">;
  def CAM2FL : FmtVectorMove<0x69, "cam2fl", (ops DstPair:$dst, SrcAReg:$d1, SrcBReg:$d2, KeyPair:$keys, Aside:$move, HashAside:$step),
    [(P0 PairFl, B, KL), (L0 Xor, K0H), (T0 SubBytes), (M1 CamelliaP), (L1 Xor, B, K1H),
                                        (T1 SubBytes), (M2 CamelliaP), (P2 PairXor, Q, A), (RES WritePair)],
    "Camellia, FL layer and two rounds">;
}
let sb = 0, ss = 0 in {
  let w = 1 in
  def CAM2P : FmtVectorHash<0x6a, "cam2p", (ops DstPair:$dst, SrcA:$b, SrcBReg:$a, KeyPair:$keys, HashStepAside:$step),
    [(P0 PairPack, B, W), (L0 Xor, K0H), (T0 SubBytes), (M1 CamelliaP), (L1 Xor, B, K1H),
                                         (T1 SubBytes), (M2 CamelliaP), (P2 PairXor, Q, A), (RES WritePair)],
    "Camellia, two blocks packed, whitening with wk, first two rounds">;
  def CAM2S : FmtVectorHash<0x6b, "cam2s", (ops DstPair:$dst, Sum:$src, KeyPair:$keys, HashStepAside:$step),
    [(P0 PairSplit, B, W), (L0 Xor, K0H), (T0 SubBytes), (M1 CamelliaP), (L1 Xor, B, K1H),
                                          (T1 SubBytes), (M2 CamelliaP), (P2 PairXor, Q, A), (RES WritePair)],
    "Camellia, one block, whitening, first two rounds">;
}
let w = 0 in
def CAM2L : FmtVectorHash<0x6c, "cam2l", (ops DstPairRow:$dst, SrcAReg:$d1, SrcBReg:$d2, KeyPair:$keys, Row:$row, HashStepAside:$step),
  [(L0 Xor, K0H), (T0 SubBytes), (M1 CamelliaP), (L1 Xor, B, K1H),
                  (T1 SubBytes), (M2 CamelliaP), (P2 PairJoin, Q, A, KL), (L2 Xor, D), (RES WritePair)],
  "Camellia, last two rounds and whitening: rows of a, XOR of a data row, and of b">;

//===- insns_aes.td - AES (FIPS 197) ------------------------------------------===//
//
// Decryption is the equivalent inverse cipher (FIPS 197 5.3.5), so that both
// directions have one shape. Round keys of decryption have gone through
// InvMixColumns, all but the first and the last.

// One round per instruction, as CP-ASIP: encryption looks up in t0 (S-box),
// decryption in t1 (inverse S-box), so that both directions are in place.
def AESENCF : FmtVector<0x40, "aesencf", (ops Dst:$dst, Sum:$src, Key0:$key), [(L0 Xor, B, W), (L1 Xor, K0)], "AES encryption, first AddRoundKey">;
def AESENCM : FmtVector<0x41, "aesencm", (ops Dst:$dst, Sum:$src, Key0:$key),
  [(L0 Xor, B, W), (T0 SubBytes), (X1 ShiftRows), (M1 MixColumns), (L1 Xor, K0)],
  "AES encryption, middle round">;
def AESENCL : FmtVector<0x42, "aesencl", (ops Dst:$dst, SumReg:$src, Key0:$key, Row:$row),
  [(L0 Xor, B, W), (T0 SubBytes), (X1 ShiftRows), (L1 Xor, K0, D)],
  "AES encryption, last round, XOR of a data row">;
def AESDECF : FmtVector<0x43, "aesdecf", (ops Dst:$dst, Sum:$src, Key1:$key), [(L0 Xor, B, W), (L2 Xor, K1)], "AES decryption, first AddRoundKey">;
def AESDECM : FmtVector<0x44, "aesdecm", (ops Dst:$dst, Sum:$src, Key1:$key),
  [(L0 Xor, B, W), (T1 SubBytes), (X2 InvShiftRows), (M2 InvMixColumns), (L2 Xor, K1)],
  "AES decryption, middle round">;
def AESDECL : FmtVector<0x45, "aesdecl", (ops Dst:$dst, SumReg:$src, Key1:$key, Row:$row),
  [(L0 Xor, B, W), (T1 SubBytes), (X2 InvShiftRows), (L2 Xor, K1, D)],
  "AES decryption, last round, XOR of a data row">;

// Two rounds per instruction: t0 serves the first, t1 the second. Both banks
// hold the table of the direction in use.
def AESENC2 : FmtVectorHash<0x48, "aesenc2", (ops Dst:$dst, Sum:$src, KeyPair:$keys, HashStepAside:$step),
  [(L0 Xor, B, W), (T0 SubBytes), (X1 ShiftRows), (M1 MixColumns), (L1 Xor, K0),
                   (T1 SubBytes), (X2 ShiftRows), (M2 MixColumns), (L2 Xor, K1)],
  "AES encryption, two rounds">;
let Also = [GhashExtension] in
def AESENC2M : FmtVectorMove<0x4d, "aesenc2", (ops DstReg:$dst, SumReg:$src, KeyPair:$keys, AsideOf:$move, HashAside:$step),
  [(L0 Xor, B, W), (T0 SubBytes), (X1 ShiftRows), (M1 MixColumns), (L1 Xor, K0),
                   (T1 SubBytes), (X2 ShiftRows), (M2 MixColumns), (L2 Xor, K1)],
  "AES encryption, two rounds, and a move beside">;
def AESENC2L : FmtVectorHash<0x49, "aesenc2l", (ops Dst:$dst, SumReg:$src, KeyPair:$keys, Row:$row, HashStepAside:$step),
  [(L0 Xor, B, W), (T0 SubBytes), (X1 ShiftRows), (M1 MixColumns), (L1 Xor, K0),
                   (T1 SubBytes), (X2 ShiftRows), (L2 Xor, K1, D)],
  "AES encryption, last two rounds, XOR of a data row">;
def AESDEC2 : FmtVectorHash<0x4a, "aesdec2", (ops Dst:$dst, Sum:$src, KeyPair:$keys, HashStepAside:$step),
  [(L0 Xor, B, W), (T0 SubBytes), (X1 InvShiftRows), (M1 InvMixColumns), (L1 Xor, K0),
                   (T1 SubBytes), (X2 InvShiftRows), (M2 InvMixColumns), (L2 Xor, K1)],
  "AES decryption, two rounds">;
def AESDEC2L : FmtVectorHash<0x4b, "aesdec2l", (ops Dst:$dst, SumReg:$src, KeyPair:$keys, Row:$row, HashStepAside:$step),
  [(L0 Xor, B, W), (T0 SubBytes), (X1 InvShiftRows), (M1 InvMixColumns), (L1 Xor, K0),
                   (T1 SubBytes), (X2 InvShiftRows), (L2 Xor, K1, D)],
  "AES decryption, last two rounds, XOR of a data row">;

// Round keys of the equivalent inverse cipher (FIPS 197 5.3.5, InvMixColumns of the schedule).
let ks = 0 in
def AESIMC : FmtVector<0x4c, "aesimc", (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W), (M1 InvMixColumns)], "InvMixColumns">;

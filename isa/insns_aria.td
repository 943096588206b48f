//===- insns_aria.td - ARIA (RFC 5794) ----------------------------------------===//
//
// Substitution layer 1 is the contents of t0, layer 2 of t1; both directions use
// the same tables (RFC 5794 2.2: decryption differs in the round keys only).

// One round per instruction, as CP-ASIP.
def ARIAO : FmtVector<0x50, "ariao", (ops Dst:$dst, Sum:$src, Key0:$key),
  [(L0 Xor, B, W), (T0 SubBytes), (M1 AriaDiffusion), (L1 Xor, K0)],
  "ARIA, odd round and the key of the next">;
def ARIAE : FmtVector<0x51, "ariae", (ops Dst:$dst, Sum:$src, Key1:$key),
  [(L0 Xor, B, W), (T1 SubBytes), (M2 AriaDiffusion), (L2 Xor, K1)],
  "ARIA, even round and the key of the next">;
def ARIAL : FmtVector<0x52, "arial", (ops Dst:$dst, SumReg:$src, Key1:$key, Row:$row),
  [(L0 Xor, B, W), (T1 SubBytes), (L2 Xor, K1, D)],
  "ARIA, last round, XOR of a data row">;

// Two rounds per instruction.
def ARIA2 : FmtVectorHash<0x53, "aria2", (ops Dst:$dst, Sum:$src, KeyPair:$keys, HashStepAside:$step),
  [(L0 Xor, B, W), (T0 SubBytes), (M1 AriaDiffusion), (L1 Xor, K0),
                   (T1 SubBytes), (M2 AriaDiffusion), (L2 Xor, K1)],
  "ARIA, an odd and an even round">;
let Also = [GhashExtension] in
def ARIA2M : FmtVectorMove<0x58, "aria2", (ops DstReg:$dst, SumReg:$src, KeyPair:$keys, AsideOf:$move, HashAside:$step),
  [(L0 Xor, B, W), (T0 SubBytes), (M1 AriaDiffusion), (L1 Xor, K0),
                   (T1 SubBytes), (M2 AriaDiffusion), (L2 Xor, K1)],
  "ARIA, an odd and an even round, and a move beside">;
def ARIA2L : FmtVectorHash<0x54, "aria2l", (ops Dst:$dst, SumReg:$src, KeyPair:$keys, Row:$row, HashStepAside:$step),
  [(L0 Xor, B, W), (T0 SubBytes), (M1 AriaDiffusion), (L1 Xor, K0),
                   (T1 SubBytes), (L2 Xor, K1, D)],
  "ARIA, last two rounds, XOR of a data row">;

// Key schedule (RFC 5794 2.2): A of a value, and FO or FE with the constant and the next word folded in.
let ks = 0 in {
  def ARIAA  : FmtVector<0x55, "ariaa",  (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W), (M1 AriaDiffusion)], "ARIA diffusion layer">;
  def ARIAFO : FmtVector<0x56, "ariafo", (ops Dst:$dst, SumReg:$src, Row:$row),
    [(L0 Xor, B, W), (T0 SubBytes), (M1 AriaDiffusion), (L1 Xor, D)],
    "ARIA odd round function, XOR of a row">;
  def ARIAFE : FmtVector<0x57, "ariafe", (ops Dst:$dst, SumReg:$src, Row:$row),
    [(L0 Xor, B, W), (T1 SubBytes), (M2 AriaDiffusion), (L2 Xor, D)],
    "ARIA even round function, XOR of a row">;
}

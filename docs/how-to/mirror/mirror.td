// An example of an extension from outside the repository: docs/how-to/write-an-extension.md.

def MirrorExtension : Extension<"mirror", "the bits of every byte in reverse order">;
def MirrorInsns     : InsnGroup<"mirrored bits", "an example of an extension">;

def MirrorBits : Function<Mix, 15, "mirror_bits", 0, "byte i: Mirror(x[i])", "bit j of Mirror(b) is bit 7 - j of b">;
def : Joins<M1, MirrorBits>;

let Group = MirrorInsns, Extension = MirrorExtension, ks = 0 in
def MIRROR : FmtVector<0xe0, "mirror", (ops Dst:$dst, Sum:$src), [(L0 Xor, B, W), (M1 MirrorBits)],
  "reverse the bits of every byte">;

// Camellia (RFC 3713), two rounds per instruction, one block in a pair of registers: half of the look-ups are unused.
// ECB for comparison with the packed blocks; CFB128 and OFB (SP 800-38A), whose feedback leaves one block in flight.
// Calling convention: firmware/README.md. The modes and their headers: common/modes.inc.

        .include "block.inc"
        .include "../common/modes.inc"
        .include "setup.inc"

// camellia{bits}_cfb_encrypt: C[i] = P[i] ^ E(C[i-1]), n blocks and up to 15 bytes more. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; camellia_iv goes on
// Clobbers: v0, v1, v6, v7, wk, ar0-ar2, ar4, ar6
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   7bn/3 + 19
//
// As in common/modes.inc, but with `before` set up as decryption and OFB have it.
        .macro  camellia_cfb_encrypt c, n
        arset   before, 0
        mode_cfb_encrypt \c, \n
        .endm

        family  camellia, unpacked_ecb, mode_ecb
        family  camellia, cfb_encrypt, camellia_cfb_encrypt
        family  camellia, cfb_decrypt, mode_cfb_decrypt
        family  camellia, ofb, mode_ofb

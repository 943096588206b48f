// AES (FIPS 197), CP-ASIP-style baseline: one round per instruction, two interleaved blocks. t0 has the S-box for
// encryption and t1 its inverse for decryption, so both directions are loaded. Also runs with ROUNDS_PER_INSTR = 1.
// Calling convention: firmware/README.md. The modes: common/modes.inc.

        .include "memory.inc"
        .include "schedule.inc"
        .include "../common/block.inc"
        .include "../common/modes.inc"

        .alias  key_out, ar1            // where it goes

        block_steps aes, + 1

// A block of c by \op, whose first round key is in row 0 of \keys, without a separate whitening key.
        .macro  baseline_block c, op, keys
        .macro  \c\()_begin
        .endm
        .macro  \c\()_first x, y, sum
        \op\()f \x, \sum, \keys[0]
        .endm
        .macro  \c\()_step x, y, i
        \op\()m \x, \x, \keys[16 * (\i - 1)]
        .endm
        .macro  \c\()_last_row x, y, i, row
        \op\()l \x, \x, \keys[16 * (\i - 1)], \row
        .endm
        .macro  \c\()_last_out x, y, i, out
        \op\()l {\x, \out}, \x, \keys[16 * (\i - 1)]
        .endm
        .macro  \c\()_last_out_row u, v, x, y, i, out, row
        \op\()l {\u, \out}, \x, \keys[16 * (\i - 1)], \row
        .endm
        .endm
        baseline_block aes, aesenc, m0
        baseline_block aes_inverse, aesdec, m1
aes_inverse_length = aes_length

// aes_baseline_tables: loads the S-box into all lanes of t0, the inverse S-box into all lanes of t1.
//
// Inputs:   aes_sbox, aes_inv_sbox in m1
// Outputs:  t0, t1
// Clobbers: ar0, ar1
// Time:     constant
// Cycles:   528
        .global aes_baseline_tables
aes_baseline_tables:
        arset   entry, aes_sbox
        arstep  entry, 1
        arset   table_row, 0
        repeat  256, .L_forward
        bcast   t0[table_row++], m1[entry+=s], 0
.L_forward:
        arset   table_row, 0
        repeat  256, .L_inverse
        bcast   t1[table_row++], m1[entry+=s], 0
.L_inverse:
        halt

// aes{bits}_baseline_key: round keys of both directions. Key i of encryption goes to row i of m0; key i of decryption
// is round key Nr-i, through InvMixColumns unless first or last, and goes to row i of m1.
//
// Inputs:   aes_key; the S-box in t0
// Outputs:  round keys in m0 (encryption) and m1 (decryption) from row 0
// Clobbers: v0-v2, v5-v7, ar0, ar1
// Memory:   m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   85 (128), 104 (192), 101 (256)
        .macro  aes_baseline_key bits, end
        aes_linear_\bits
        arset   key_row, 0
        arset   key_out, 0
        repeat  aes\bits\()_rounds + 1, .L_forward\@
        mov     m0[key_out++], m3[key_row++]
.L_forward\@:
        arset   key_row, 16 * aes\bits\()_rounds
        arset   key_out, 0
        mov     m1[key_out++], m3[key_row--]
        repeat  aes\bits\()_rounds - 1, .L_inverse\@
        aesimc  m1[key_out++], m3[key_row--]
.L_inverse\@:
        mov     m1[key_out], m3[key_row]
        .if     \bits < 256                     // the last routine falls through to the shared end
        jmp     .L_wipe
        .endif
        .endm
        key_family aes, baseline_key, aes_baseline_key
.L_wipe:
        aes_wipe_linear
        halt

// aes{bits}_baseline_ecb_encrypt, aes{bits}_baseline_ecb_decrypt: C[i] = E(P[i]), or D(P[i]), n blocks.
//
// Inputs:   round keys, aes_length; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0, v2, ar0, ar1, ar5, ar6
// Time:     constant; depends on n
// Cycles:   bn + 16, even n
        family  aes, baseline_ecb_encrypt, mode_ecb
        family  aes, baseline_ecb_decrypt, mode_ecb, _inverse

// aes{bits}_baseline_ctr: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more.
//
// Inputs:   round keys, aes_length, aes_iv = first counter block; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; aes_iv = next counter block
// Clobbers: v0, v2, v6, v7, ctr, ar0, ar1, ar4-ar6
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   bn + 22, even n
        family  aes, baseline_ctr, mode_ctr

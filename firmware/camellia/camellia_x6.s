// Camellia (RFC 3713): feedback modes (SP 800-38A) with six independent streams in turn, two packed in a pair of
// registers.
//
// Calling convention: firmware/README.md. Rows of input and output belong to the streams in turn; all have one key;
// camellia_iv holds six chaining values. Encryption: turns.inc. Decryption is unpacked, two blocks in turn.

        .include "memory.inc"
        .include "schedule.inc"
        .include "setup.inc"
        .include "steps.inc"
        .include "turns.inc"

        .section text

// ---------------------------------------------------------------------------------------- encryption

// CFB128: the second block comes back from the output.
        .macro camellia_start_cfb
        camellia_chain
        arset   ar0, 0
        arstep  ar0, 32
        arset   ar2, 16
        arstep  ar2, 32
        arset   ar3, 16
        arstep  ar3, 32
        .endm
        .macro camellia_first_cfb x, y
        cam2p   {\x, \y}, m3[ar3+=s], \x, m0:m1[0]
        .endm
        .macro camellia_last_cfb x, y, i
        cam2l   {\x, \y}, \x, \y, m0:m1[16 * (\i - 1)], m2[ar0+=s]
        .endm
        .macro camellia_1_cfb x, y, i, u
        camellia_move \x, \y, \i, {m3[ar1++], \u}
        .endm
        .macro camellia_2_cfb x, y, i, v
        camellia_move \x, \y, \i, {m3[ar1++], \v ^ m2[ar2+=s]}
        .endm
        .macro camellia_3_cfb x, y, i, v
        camellia_step \x, \y, \i
        .endm
        .macro camellia_end_cfb
        mov     m3[ar1++], v4
        xor     m3[ar1++], v5, m2[ar2]
        camellia_chain_end
        .endm

// OFB: both blocks stay in registers.
        .macro camellia_start_ofb
        camellia_chain
        arset   ar0, 0
        .endm
        .macro camellia_first_ofb x, y
        camellia_first_job \x, \y
        .endm
        .macro camellia_last_ofb x, y, i
        cam2l   {\x, \y}, \x, \y, m0:m1[16 * (\i - 1)]
        .endm
        .macro camellia_1_ofb x, y, i, u
        camellia_move \x, \y, \i, {m3[ar1++], \u ^ m2[ar0++]}
        .endm
        .macro camellia_2_ofb x, y, i, v
        camellia_move \x, \y, \i, {m3[ar1++], \v ^ m2[ar0++]}
        .endm
        .macro camellia_3_ofb x, y, i, v
        camellia_step \x, \y, \i
        .endm
        .macro camellia_end_ofb
        xor     m3[ar1++], v4, m2[ar0++]
        xor     m3[ar1], v5, m2[ar0]
        mov     m1[camellia_iv], v0
        mov     m1[camellia_iv + 16], v1
        mov     m1[camellia_iv + 32], v2
        mov     m1[camellia_iv + 48], v3
        mov     m1[camellia_iv + 64], v4
        mov     m1[camellia_iv + 80], v5
        .endm

        .macro camellia_encrypt_x6 mode, n, half
        vtoar   ar5, m1[camellia_length], 4
        camellia_x6 \mode, \n, \half
        halt
        .endm

// ---------------------------------------------------------------------------------------- decryption

// The blocks of two streams, unpacked in v0, v1 and v2, v3, from their first instruction to their last but one.
        .macro camellia_two n, a, b
        cam2s   {v0, v1}, \a ^ wk, m0:m1[0]
        cam2s   {v2, v3}, \b ^ wk, m0:m1[0]
        .rept   \n - 2
        camellia_step v0, v1, 2 + \+
        camellia_step v2, v3, 2 + \+
        .endr
        .endm

// The job: ar3 pairs of blocks behind the first of each stream, ar5 blocks of each stream, ar0 input, ar1 output.
        .macro camellia_decrypt_job
        vtoar   ar3, m1[camellia_length], 7
        vtoar   ar5, m1[camellia_length], 4
        mov     wk, m0[camellia_wk]
        arshr   ar3, ar3, 1
        arset   ar0, 0
        arset   ar1, 0
        arset   ar2, camellia_iv
        .endm

// The last six rows of input are the next job's IVs.
        .macro camellia_decrypt_end
        arset   ar1, camellia_iv
        repeat  6, .L_chain\@
        mov     m1[ar1++], m2[ar2++]
.L_chain\@:
        .endm

// P[i] = D(C[i]) ^ C[i-6]; the first six rows take the IVs, which cannot be read beside round keys.
        .macro camellia_cbc_decrypt_x6 n
        camellia_decrypt_job
        bz      ar5, .L_done\@
        repeat  3, .L_first\@
        camellia_two \n, m2[ar0++], m2[ar0++]
        cam2l   {v0, v1}, v0, v1, m0:m1[16 * (\n - 1)]
        cam2l   {v2, v3}, v2, v3, m0:m1[16 * (\n - 1)]
        xor     m3[ar1++], v0, m1[ar2++]
        xor     m3[ar1++], v2, m1[ar2++]
.L_first\@:
        aradd   ar3, ar3, -3
        arset   ar2, 0
        repeat  ar3, .L_pairs\@
        camellia_two \n, m2[ar0++], m2[ar0++]
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\n - 1)], m2[ar2++]
        cam2l   {v2, v3, m3[ar1++]}, v2, v3, m0:m1[16 * (\n - 1)], m2[ar2++]
.L_pairs\@:
        camellia_decrypt_end
.L_done\@:
        halt
        .endm

// P[i] = C[i] ^ E(C[i-6]); the first six rows take the IVs.
        .macro camellia_cfb_decrypt_x6 n
        camellia_decrypt_job
        bz      ar5, .L_done\@
        repeat  3, .L_first\@
        mov     v0, m1[ar2++]
        mov     v2, m1[ar2++]
        camellia_two \n, v0, v2
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\n - 1)], m2[ar0++]
        cam2l   {v2, v3, m3[ar1++]}, v2, v3, m0:m1[16 * (\n - 1)], m2[ar0++]
.L_first\@:
        aradd   ar3, ar3, -3
        arset   ar2, 0
        repeat  ar3, .L_pairs\@
        camellia_two \n, m2[ar2++], m2[ar2++]
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\n - 1)], m2[ar0++]
        cam2l   {v2, v3, m3[ar1++]}, v2, v3, m0:m1[16 * (\n - 1)], m2[ar0++]
.L_pairs\@:
        camellia_decrypt_end
.L_done\@:
        halt
        .endm

// ---------------------------------------------------------------------------------------- modes

// camellia128_cbc_encrypt_x6, camellia256_cbc_encrypt_x6: C[i] = E(P[i] ^ C[i-6]), n blocks of six streams. 256: 192
// bits too.
//
// Inputs:   key rows, camellia_wk, camellia_length, camellia_iv six times; P in m2 from row 0
// Outputs:  C in m3 from row 0; camellia_iv goes on
// Clobbers: v0-v5, wk, ar0-ar2, ar5
// Memory:   m3 from camellia_second: left with an input of E
// Time:     constant; depends on n
// Cycles:   9n/2 + 54 (128), 6n + 57 (256), n a multiple of 6
        .global camellia128_cbc_encrypt_x6
camellia128_cbc_encrypt_x6:
        camellia_encrypt_x6 cbc, 9, 5
        .global camellia256_cbc_encrypt_x6
camellia256_cbc_encrypt_x6:
        camellia_encrypt_x6 cbc, 12, 6

// camellia128_cfb_encrypt_x6, camellia256_cfb_encrypt_x6: C[i] = P[i] ^ E(C[i-6]), n blocks of six streams. 256: 192
// bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv six times; P in m2 from row 0
// Outputs:  C in m3 from row 0; camellia_iv goes on
// Clobbers: v0-v5, wk, ar0-ar3, ar5
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   9n/2 + 48 (128), 6n + 51 (256), n a multiple of 6
        .global camellia128_cfb_encrypt_x6
camellia128_cfb_encrypt_x6:
        camellia_encrypt_x6 cfb, 9, 5
        .global camellia256_cfb_encrypt_x6
camellia256_cfb_encrypt_x6:
        camellia_encrypt_x6 cfb, 12, 6

// camellia128_ofb_x6, camellia256_ofb_x6: C[i] = P[i] ^ O[i], O[i] = E(O[i-6]), n blocks of six streams. 256: 192
// bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv six times; P in m2 from row 0
// Outputs:  C in m3 from row 0; camellia_iv goes on
// Clobbers: v0-v5, wk, ar0, ar1, ar5
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   9n/2 + 38 (128), 6n + 41 (256), n a multiple of 6
        .global camellia128_ofb_x6
camellia128_ofb_x6:
        camellia_encrypt_x6 ofb, 9, 5
        .global camellia256_ofb_x6
camellia256_ofb_x6:
        camellia_encrypt_x6 ofb, 12, 6

// camellia128_cbc_decrypt_x6, camellia256_cbc_decrypt_x6: P[i] = D(C[i]) ^ C[i-6], n blocks of six streams, unpacked.
// 256: 192 bits too.
//
// Inputs:   key rows of decryption, camellia_wk, camellia_length, camellia_iv six times; C in m2 from row 0
// Outputs:  P in m3 from row 0; camellia_iv goes on
// Clobbers: v0-v3, wk, ar0-ar3, ar5
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   9n + 33 (128), 12n + 33 (256), n a multiple of 6 from 12
        .global camellia128_cbc_decrypt_x6
camellia128_cbc_decrypt_x6:
        camellia_cbc_decrypt_x6 9
        .global camellia256_cbc_decrypt_x6
camellia256_cbc_decrypt_x6:
        camellia_cbc_decrypt_x6 12

// camellia128_cfb_decrypt_x6, camellia256_cfb_decrypt_x6: P[i] = C[i] ^ E(C[i-6]), n blocks of six streams, unpacked.
// 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv six times; C in m2 from row 0
// Outputs:  P in m3 from row 0; camellia_iv goes on
// Clobbers: v0-v3, wk, ar0-ar3, ar5
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   9n + 33 (128), 12n + 33 (256), n a multiple of 6 from 12
        .global camellia128_cfb_decrypt_x6
camellia128_cfb_decrypt_x6:
        camellia_cfb_decrypt_x6 9
        .global camellia256_cfb_decrypt_x6
camellia256_cfb_decrypt_x6:
        camellia_cfb_decrypt_x6 12

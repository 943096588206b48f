// Camellia (RFC 3713): feedback modes (SP 800-38A) with six interleaved streams, two packed in a pair of registers.
//
// Calling convention: firmware/README.md. Rows of input and output belong to the streams by turns; all have one key;
// camellia_iv holds six chaining values. Encryption: x6.inc. Decryption is unpacked, two interleaved blocks.

        .include "block.inc"
        .include "setup.inc"
        .include "x6.inc"

        .section text

// ---------------------------------------------------------------------------------------- encryption

// CFB128: the second block comes back from the output.
        .macro  camellia_start_cfb
        camellia_chain
        arset   ar0, 0
        arstep  ar0, 32
        arset   ar2, 16
        arstep  ar2, 32
        arset   ar3, 16
        arstep  ar3, 32
        .endm
        .macro  camellia_first_cfb x, y
        cam2p   {\x, \y}, m3[ar3+=s], \x, m0:m1[0]
        .endm
        .macro  camellia_last_cfb x, y, i
        cam2l   {\x, \y}, \x, \y, m0:m1[16 * (\i - 1)], m2[ar0+=s]
        .endm
        .macro  camellia_1_cfb x, y, i, u
        camellia_move \x, \y, \i, {m3[ar1++], \u}
        .endm
        .macro  camellia_2_cfb x, y, i, v
        camellia_move \x, \y, \i, {m3[ar1++], \v ^ m2[ar2+=s]}
        .endm
        .macro  camellia_3_cfb x, y, i, v
        camellia_step \x, \y, \i
        .endm
        .macro  camellia_end_cfb
        mov     m3[ar1++], v4
        xor     m3[ar1++], v5, m2[ar2]
        camellia_chain_end
        .endm

// OFB: both blocks stay in registers.
        .macro  camellia_start_ofb
        camellia_chain
        arset   ar0, 0
        .endm
        .macro  camellia_first_ofb x, y
        camellia_first_job \x, \y
        .endm
        .macro  camellia_last_ofb x, y, i
        cam2l   {\x, \y}, \x, \y, m0:m1[16 * (\i - 1)]
        .endm
        .macro  camellia_1_ofb x, y, i, u
        camellia_move \x, \y, \i, {m3[ar1++], \u ^ m2[ar0++]}
        .endm
        .macro  camellia_2_ofb x, y, i, v
        camellia_move \x, \y, \i, {m3[ar1++], \v ^ m2[ar0++]}
        .endm
        .macro  camellia_3_ofb x, y, i, v
        camellia_step \x, \y, \i
        .endm
        .macro  camellia_end_ofb
        xor     m3[ar1++], v4, m2[ar0++]
        xor     m3[ar1], v5, m2[ar0]
        mov     m1[camellia_iv], v0
        mov     m1[camellia_iv + 16], v1
        mov     m1[camellia_iv + 32], v2
        mov     m1[camellia_iv + 48], v3
        mov     m1[camellia_iv + 64], v4
        mov     m1[camellia_iv + 80], v5
        .endm

// camellia{bits}_cbc_encrypt_x6, camellia{bits}_cfb_encrypt_x6, camellia{bits}_ofb_x6: C[i] = E(P[i] ^ C[i-6]); C[i] =
// P[i] ^ E(C[i-6]); C[i] = P[i] ^ O[i], O[i] = E(O[i-6]), either direction; n blocks of six streams. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv six times; P in m2 from row 0
// Outputs:  C in m3 from row 0; camellia_iv goes on
// Clobbers: v0-v5, wk, ar0, ar1, ar2 (cbc), ar2 (cfb), ar3 (cfb), ar5
// Memory:   of CBC m3 from camellia_second: left with an input of E
// Time:     constant; depends on n
// Cycles:   11n/2 + 56 (128 cbc), 13n/2 + 61 (256 cbc), 11n/2 + 50 (128 cfb), 13n/2 + 55 (256 cfb), 11n/2 + 40 (128
//           ofb), 13n/2 + 45 (256 ofb), n a multiple of 6
        .macro  camellia_encrypt_x6 mode, n
        vtoar   ar5, m1[camellia_length], 4
        camellia_x6 \mode, \n
        halt
        .endm
        .macro  camellia_cbc_encrypt_x6 c, n
        camellia_encrypt_x6 cbc, \n
        .endm
        .macro  camellia_cfb_encrypt_x6 c, n
        camellia_encrypt_x6 cfb, \n
        .endm
        .macro  camellia_ofb_x6 c, n
        camellia_encrypt_x6 ofb, \n
        .endm

// ---------------------------------------------------------------------------------------- decryption

// The job: ar3 pairs of blocks after the first of each stream, ar5 blocks of each stream, ar0 input, ar1 output. The
// first six rows take the IVs, at ar2, which cannot be read beside round keys.
        .macro  camellia_decrypt_job
        vtoar   ar3, m1[camellia_length], 7
        vtoar   ar5, m1[camellia_length], 4
        camellia_begin
        arshr   ar3, ar3, 1
        arset   ar0, 0
        arset   ar1, 0
        arset   ar2, camellia_iv
        .endm

// All rows but the first six, by pairs; the last six rows of input are the next job's IVs.
        .macro  camellia_decrypt_rest n, in, row
        aradd   ar3, ar3, -3
        arset   ar2, 0
        repeat  ar3, .L_pairs\@
        block_two_row camellia, \n, \in, \in, \row
.L_pairs\@:
        arset   ar1, camellia_iv
        repeat  6, .L_chain\@
        mov     m1[ar1++], m2[ar2++]
.L_chain\@:
        .endm

// camellia{bits}_cbc_decrypt_x6, camellia{bits}_cfb_decrypt_x6: P[i] = D(C[i]) ^ C[i-6]; P[i] = C[i] ^ E(C[i-6]); n
// blocks of six streams, unpacked. 256: 192 bits too.
//
// Inputs:   key rows of the direction that the mode needs, camellia_wk, camellia_length, camellia_iv six times; C in m2
//           from row 0
// Outputs:  P in m3 from row 0; camellia_iv goes on
// Clobbers: v0-v3, wk, ar0-ar3, ar5
// Time:     constant; depends on n
// Cycles:   (7b - 3)n/6 + 38 (cbc), (7b - 3)n/6 + 35 (cfb), n a multiple of 6 from 12
        .macro  camellia_cbc_decrypt_x6 c, n
        camellia_decrypt_job
        bz      ar5, .L_done\@
        repeat  3, .L_first\@
        camellia_first v0, v1, m2[ar0++]
        camellia_first v2, v3, m2[ar0++]
        block_middle2 camellia, \n
        camellia_last v0, v1, \n
        camellia_last v2, v3, \n
        xor     m3[ar1++], v0, m1[ar2++]
        xor     m3[ar1++], v2, m1[ar2++]
.L_first\@:
        camellia_decrypt_rest \n, m2[ar0++], m2[ar2++]
.L_done\@:
        halt
        .endm
        .macro  camellia_cfb_decrypt_x6 c, n
        camellia_decrypt_job
        bz      ar5, .L_done\@
        repeat  3, .L_first\@
        mov     v0, m1[ar2++]
        mov     v2, m1[ar2++]
        block_two_row camellia, \n, v0, v2, m2[ar0++]
.L_first\@:
        camellia_decrypt_rest \n, m2[ar2++], m2[ar0++]
.L_done\@:
        halt
        .endm

        family  camellia, cbc_encrypt_x6, camellia_cbc_encrypt_x6
        family  camellia, cfb_encrypt_x6, camellia_cfb_encrypt_x6
        family  camellia, ofb_x6, camellia_ofb_x6
        family  camellia, cbc_decrypt_x6, camellia_cbc_decrypt_x6
        family  camellia, cfb_decrypt_x6, camellia_cfb_decrypt_x6

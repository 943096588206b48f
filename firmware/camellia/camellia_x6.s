// Camellia (RFC 3713): feedback modes (SP 800-38A) with six interleaved streams, two packed in a pair of registers.
//
// Calling convention: firmware/README.md. Rows are interleaved: row i belongs to stream i mod 6. All streams have one
// key; camellia_iv holds six chaining values. Encryption: x6.inc. Decryption is unpacked, two interleaved blocks.

        .include "block.inc"
        .include "setup.inc"
        .include "x6.inc"

        .section text

        .alias  row_out, ar3            // next row of output to read back

// ---------------------------------------------------------------------------------------- encryption

// CFB128: the second block is read back from the output.
        .macro  camellia_start_cfb
        camellia_chain
        arset   row_in, 0
        arstep  row_in, 32
        arset   row_second, 16
        arstep  row_second, 32
        arset   row_out, 16
        arstep  row_out, 32
        .endm
        .macro  camellia_first_cfb x, y
        cam2p   {\x, \y}, m3[row_out+=s], \x, m0:m1[0]
        .endm
        .macro  camellia_last_cfb x, y, i
        cam2l   {\x, \y}, \x, \y, m0:m1[16 * (\i - 1)], m2[row_in+=s]
        .endm
        .macro  camellia_1_cfb x, y, i, u
        camellia_move \x, \y, \i, {m3[out++], \u}
        .endm
        .macro  camellia_2_cfb x, y, i, v
        camellia_move \x, \y, \i, {m3[out++], \v ^ m2[row_second+=s]}
        .endm
        .macro  camellia_3_cfb x, y, i, v
        camellia_step \x, \y, \i
        .endm
        .macro  camellia_end_cfb
        mov     m3[out++], r0
        xor     m3[out++], r1, m2[row_second]
        camellia_chain_end
        .endm

// OFB: both blocks stay in registers.
        .macro  camellia_start_ofb
        camellia_chain
        arset   row_in, 0
        .endm
        .macro  camellia_first_ofb x, y
        camellia_first_job \x, \y
        .endm
        .macro  camellia_last_ofb x, y, i
        cam2l   {\x, \y}, \x, \y, m0:m1[16 * (\i - 1)]
        .endm
        .macro  camellia_1_ofb x, y, i, u
        camellia_move \x, \y, \i, {m3[out++], \u ^ m2[row_in++]}
        .endm
        .macro  camellia_2_ofb x, y, i, v
        camellia_move \x, \y, \i, {m3[out++], \v ^ m2[row_in++]}
        .endm
        .macro  camellia_3_ofb x, y, i, v
        camellia_step \x, \y, \i
        .endm
        .macro  camellia_end_ofb
        xor     m3[out++], r0, m2[row_in++]
        xor     m3[out], r1, m2[row_in]
        mov     m1[camellia_iv], p0
        mov     m1[camellia_iv + 16], p1
        mov     m1[camellia_iv + 32], q0
        mov     m1[camellia_iv + 48], q1
        mov     m1[camellia_iv + 64], r0
        mov     m1[camellia_iv + 80], r1
        .endm

// camellia{bits}_cbc_encrypt_x6, camellia{bits}_cfb_encrypt_x6, camellia{bits}_ofb_x6: C[i] = E(P[i] ^ C[i-6]); C[i] =
// P[i] ^ E(C[i-6]); C[i] = P[i] ^ O[i], O[i] = E(O[i-6]), either direction; n blocks of six streams. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv six times; P in m2 from row 0
// Outputs:  C in m3 from row 0; camellia_iv goes on
// Clobbers: v0-v5, wk, ar0, ar1, ar2 (cbc), ar2 (cfb), ar3 (cfb), ar5
// Memory:   CBC: m3 from camellia_second, left with an input of E
// Time:     constant; depends on n
// Cycles:   11n/2 + 56 (128 cbc), 13n/2 + 61 (256 cbc), 11n/2 + 50 (128 cfb), 13n/2 + 55 (256 cfb), 11n/2 + 40 (128
//           ofb), 13n/2 + 45 (256 ofb), n a multiple of 6
        .macro  camellia_encrypt_x6 mode, n
        vtoar   turns, m1[camellia_length], 4
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

        .alias  in, ar0
        .alias  iv_row, ar2             // IVs, then the input at a distance of six rows
        .alias  pairs_left, ar3         // pairs after the first block of each stream

// The job: `pairs_left` pairs of blocks after the first of each stream, `turns` blocks of each stream, in input, `out`
// output. The first six rows take the IVs from `iv_row`, because an instruction that reads round keys cannot read them.
        .macro  camellia_decrypt_job
        vtoar   pairs_left, m1[camellia_length], 7
        vtoar   turns, m1[camellia_length], 4
        camellia_begin
        arshr   pairs_left, pairs_left, 1
        arset   in, 0
        arset   out, 0
        arset   iv_row, camellia_iv
        .endm

// All rows but the first six, in pairs; the last six rows of input are the next job's IVs.
        .macro  camellia_decrypt_rest n, in, row
        aradd   pairs_left, pairs_left, -3
        arset   iv_row, 0
        repeat  pairs_left, .L_pairs\@
        block_two_row camellia, \n, \in, \in, \row
.L_pairs\@:
        arset   out, camellia_iv
        repeat  6, .L_chain\@
        mov     m1[out++], m2[iv_row++]
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
        bz      turns, .L_done\@
        repeat  3, .L_first\@
        camellia_first x0, y0, m2[in++]
        camellia_first x1, y1, m2[in++]
        block_middle2 camellia, \n
        camellia_last x0, y0, \n
        camellia_last x1, y1, \n
        xor     m3[out++], x0, m1[iv_row++]
        xor     m3[out++], x1, m1[iv_row++]
.L_first\@:
        camellia_decrypt_rest \n, m2[in++], m2[iv_row++]
.L_done\@:
        halt
        .endm
        .macro  camellia_cfb_decrypt_x6 c, n
        camellia_decrypt_job
        bz      turns, .L_done\@
        repeat  3, .L_first\@
        mov     x0, m1[iv_row++]
        mov     x1, m1[iv_row++]
        block_two_row camellia, \n, x0, x1, m2[in++]
.L_first\@:
        camellia_decrypt_rest \n, m2[iv_row++], m2[in++]
.L_done\@:
        halt
        .endm

        family  camellia, cbc_encrypt_x6, camellia_cbc_encrypt_x6
        family  camellia, cfb_encrypt_x6, camellia_cfb_encrypt_x6
        family  camellia, ofb_x6, camellia_ofb_x6
        family  camellia, cbc_decrypt_x6, camellia_cbc_decrypt_x6
        family  camellia, cfb_decrypt_x6, camellia_cfb_decrypt_x6

// AES (FIPS 197), two rounds per instruction: CMAC (SP 800-38B) and 128-EEA2 (TS 33.401). The routines of CMAC and
// their headers: common/mac.inc.

        .include "block.inc"
        .include "../common/mac.inc"

        cmac_routines aes

// aes128_eea2: C[i] = P[i] ^ E(counter + i), n blocks and up to 127 bits more (TS 33.401 B.1.3).
//
// Inputs:   round keys, aes_length, aes_iv = first counter block; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bits; aes_iv = next counter block
// Clobbers: v0, v2, v4-v6, ctr, wk, ar0, ar1, ar3-ar6
// Time:     constant; depends on n and on the length of a last block
// Cycles:   5n + 25, even n
//
// As mode_ctr in common/modes.inc, but the last block is counted in bits instead of bytes.
        .global aes128_eea2
aes128_eea2:
        mov     ctr, m1[aes_iv]
        vtoar   bits, m1[aes_length], 5
        vtoar   bytes, m1[aes_length], 6
        mode_job aes
        ctrw    128
        mode_split
        mode_blocks aes, aes128_steps, ctr++, m2[in++]
        bnz     bytes, .L_last
        bz      bits, .L_done
.L_last:
        aes_first x0, y0, ctr++
        block_middle aes, aes128_steps, x0, y0
        aes_last_row x0, y0, aes128_steps, m2[in]
        mac_mask aes
        and     m3[out], x0, mask
.L_done:
        mov     m1[aes_iv], ctr
        halt

// AES (FIPS 197), each block computed twice on different gates and tables, for a core with extension `close`: ECB and
// CBC (SP 800-38A). A single fault of the datapath gives no wrong output (docs/faults.md).

        .include "block.inc"
        .include "twice_schedule.inc"
        .include "../common/twice_gate.inc"
        .include "twice.inc"
        twice_known enc
        twice_known_schedule
        twice_known dec

        .include "twice_tables.inc"

// aes{bits}_ecb_encrypt_twice: C[i] = E(P[i]), n blocks.
//
// Inputs:   both sets of round keys, aes_length; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0-v4, v6, v7, wk, hold, ar0, ar1, ar3-ar7
// Memory:   aes_done; m2 row 255, m3 rows 252-255 are scratch, zero at the end
// Time:     constant; depends on n
// Cycles:   (2b + 1)n + 122
        .macro  ecb_encrypt_twice c, n
        twice_job \c
        twice_checked
        mov     m2[last_row], none
        mov     m3[last_row], none
        mov     other, none
        twice_ahead
        repeat  blocks, .L_blocks\@
        aesenc2 first, m2[in++] ^ wk, m0:m1[0], gh_step
        aesenc2 second, hold ^ turned_wk, m0:m1[aes_turned_keys]
        twice_middle \n, {m3[turned], none ^ m2[ahead4++]}, {m3[behind], none ^ m2[ahead++]}, 2, m2[last_row]
        aesenc2l m3[out++], first, m0:m1[16 * (\n - 1)]
        aesenc2l other, second, m0:m1[aes_turned_keys + 16 * (\n - 1)]
.L_blocks\@:
        rotx    chain, other, m3[checked], 96
        twice_take chain
        jmp     .L_open
        .endm

// aes{bits}_cbc_encrypt_twice: C[i] = E(P[i] ^ C[i-1]), n blocks; each waits for the one before it.
//
// Inputs:   both sets of round keys, aes_length, aes_iv = C[-1]; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0; aes_iv = C[n-1]
// Clobbers: v0-v4, v6, v7, wk, hold, ar0, ar1, ar3-ar7
// Memory:   aes_done; m2 row 255, m3 rows 252-255 are scratch, zero at the end
// Time:     constant; depends on n
// Cycles:   2bn + 123, n from 1
        .macro  cbc_encrypt_twice c, n
        twice_job \c
        twice_checked
        mov     {chain, m3[last_row]}, m1[\c\()_iv]
        rotx    other, m1[\c\()_iv], turned_wk, 32
        twice_ahead
        repeat  blocks, .L_blocks\@
        aesenc2 first, chain ^ m2[in++] ^ wk, m0:m1[0], gh_step
        aesenc2 second, other ^ hold, m0:m1[aes_turned_keys]
        twice_middle \n, {m3[turned], none ^ m2[ahead4++]}, {m3[behind], none ^ m2[ahead++]}, 1, m3[checked+=s%]
        aesenc2l {chain, m3[out++]}, first, m0:m1[16 * (\n - 1)]
        aesenc2l other, second, m0:m1[aes_turned_keys + 16 * \n]
.L_blocks\@:
        mov     m1[\c\()_iv], chain
        xor     other, other, turned_wk
        rotx    other, other, zero, 96
        twice_take other ^ m3[checked]
        twice_take other ^ m1[\c\()_iv]
        jmp     .L_open
        .endm

// aes{bits}_ecb_decrypt_twice: P[i] = D(C[i]), n blocks.
//
// Inputs:   both sets of round keys of decryption, aes_length; tables of decryption; C in m2 from row 0
// Outputs:  P in m3 from row 0
// Clobbers: v0-v4, v6, v7, wk, ar0, ar1, ar4, ar6, ar7
// Memory:   aes_done; m2 row 255, m3 row 255 are scratch, zero at the end
// Time:     constant; depends on n
// Cycles:   (2b + 3)n + 108, n from 1
//
// No move goes with an instruction of decryption: a block is turned and compared by instructions of their own.
        .macro  ecb_decrypt_twice c, n
        twice_job \c, dec
        twice_checked
        mov     m3[last_row], none
        mov     other, none
        repeat  blocks, .L_blocks\@
        decrypt_begin
        decrypt_middle \n
        ghadd   chain
        decrypt_rest \n
        aesdec2l m3[out++], first, m0:m1[16 * (\n - 1)]
        aesdec2l other, second, m0:m1[aes_turned_keys + 16 * (\n - 1)]
.L_blocks\@:
        rotx    chain, other, m3[checked], 96
        twice_take chain
        jmp     .L_open
        .endm
        .macro  decrypt_begin
        rotx    second, m2[in], turned_wk, 32
        aesdec2 first, m2[in++] ^ wk, m0:m1[0], gh_step
        aesdec2 second, second, m0:m1[aes_turned_keys]
        .endm
        .macro  decrypt_middle n
        aesdec2 first, first, m0:m1[0x10], gh_step
        aesdec2 second, second, m0:m1[aes_turned_keys + 0x10], gh_step
        rotx    chain, other, m3[checked+=s%], 96
        aesdec2 first, first, m0:m1[0x20], gh_step
        aesdec2 second, second, m0:m1[aes_turned_keys + 0x20]
        .endm
        .macro  decrypt_rest n
        .rept   \n - 4
        aesdec2 first, first, m0:m1[16 * (3 + \+)]
        aesdec2 second, second, m0:m1[aes_turned_keys + 16 * (3 + \+)]
        .endr
        .endm

// aes{bits}_cbc_decrypt_twice: P[i] = D(C[i]) ^ C[i-1], n blocks.
//
// Inputs:   both sets of round keys of decryption, aes_length, aes_iv = C[-1]; tables of decryption; C in m2 from row 0
// Outputs:  P in m3 from row 0; aes_iv = C[n-1]
// Clobbers: v0-v4, v6, v7, wk, ar0-ar2, ar4, ar6, ar7
// Memory:   aes_done; m2 rows 254 and 255, m3 row 255 are scratch, zero at the end
// Time:     constant; depends on n
// Cycles:   (2b + 3)n + 132, n from 1
//
// The IV is the row before row 0 of m2.
        .macro  cbc_decrypt_twice c, n
        twice_job \c, dec
        twice_checked
        twice_kept last_row - 16
        mov     m2[last_row - 16], none
        mov     m2[last_row], m1[\c\()_iv]
        mov     m3[last_row], none
        mov     other, none
        repeat  blocks, .L_blocks\@
        decrypt_begin
        decrypt_middle \n
        ghadd   chain ^ m2[kept_row+=s%]
        decrypt_rest \n
        aesdec2l m3[out++], first, m0:m1[16 * (\n - 1)], m2[kept_row]
        aesdec2l other, second, m0:m1[aes_turned_keys + 16 * (\n - 1)]
.L_blocks\@:
        jmp     .L_decrypted
        .endm
// Its end, for all key sizes: the last block, the IV that was used, and the next one.
        .macro  cbc_decrypt_twice_end c
.L_decrypted:
        rotx    chain, other, m3[checked], 96
        twice_take chain ^ m2[kept_row+=s%]
        mov     other, m1[\c\()_iv]
        twice_take other ^ m2[last_row]
        mov     m1[\c\()_iv], m2[kept_row]
        mov     other, m1[\c\()_iv]
        twice_take other ^ m2[kept_row]
        mov     m2[last_row], zero
        .endm

        family  aes, ecb_encrypt_twice, ecb_encrypt_twice
        family  aes, ecb_decrypt_twice, ecb_decrypt_twice
        family  aes, cbc_encrypt_twice, cbc_encrypt_twice
        family  aes, cbc_decrypt_twice, cbc_decrypt_twice
        cbc_decrypt_twice_end aes
.L_open:
        twice_rows aes, out
        twice_wipe
        twice_open aes

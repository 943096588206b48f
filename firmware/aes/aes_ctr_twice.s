// AES (FIPS 197), each block computed twice as in aes_twice.s: CTR (SP 800-38A).

        .include "block.inc"
        .include "twice_schedule.inc"
        .include "../common/twice_gate.inc"
        .include "twice.inc"

        .section m1
aes_one:                                        // what a counter is incremented by
        .row    "00000000000000000000000000000001"
aes_two:
        .row    "00000000000000000000000000000002"

        .section text

        tables  aes
        key_family aes, key_encrypt_twice, aes_key_encrypt_twice, twice_done

// aes{bits}_ctr_twice: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more, either direction.
//
// Inputs:   both sets of round keys of encryption, aes_length, aes_iv = first counter block; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; aes_iv = next counter block
// Clobbers: v0-v7, ctr, wk, hold, ar0-ar7
// Memory:   aes_done; m2 row 255, m3 rows 252-255 are scratch, zero at the end
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   (2b + 2)n + 120
//
// The second computation counts by itself, two blocks ahead.

        .alias  counter, v5
        .alias  one, v1
        .alias  below, ar3              // where all but the first four bytes of `turned` get right
        .alias  bytes, ar5

        .macro  ctr_twice c, n
        twice_job \c
        twice_checked
        twice_kept last_row
        vtoar   bytes, m1[\c\()_length], 6
        mov     m2[last_row], none
        mov     m3[last_row], none
        mov     ctr, m1[\c\()_iv]
        mov     counter, m1[\c\()_iv]
        ctrw    128
        arset   below, turned - 4
        twice_counted \c, bytes, 6
        mov     one, m1[aes_one]
        mov     other, none
        mov     m3[below], counter
        mov     m3[behind], counter
        add128  counter, counter, one
        aesenc2 first, none, m0:m1[0], {hold, m3[turned]}
        mov     m3[below], counter
        mov     m3[behind], counter
        add128  counter, counter, one
        repeat  blocks, .L_blocks\@
        aesenc2 first, ctr++ ^ wk, m0:m1[0], gh_step
        aesenc2 second, hold ^ turned_wk, m0:m1[aes_turned_keys]
        twice_middle \n, {m3[below], counter}, {m3[behind], counter}, 2, m2[kept_row+=s%]
        aesenc2l m3[out++], first, m0:m1[16 * (\n - 1)], m2[kept_row]
        aesenc2l other, second, m0:m1[aes_turned_keys + 16 * (\n - 1)]
        add128  counter, counter, one
.L_blocks\@:
        rotx    chain, other, m3[checked], 96
        twice_take chain ^ m2[kept_row+=s%]
        bz      bytes, .L_whole\@
        aesenc2 first, ctr++ ^ wk, m0:m1[0]
        aesenc2 second, hold ^ turned_wk, m0:m1[aes_turned_keys]
        twice_alone \n
        aesenc2l first, first, m0:m1[16 * (\n - 1)], m2[kept_row]
        aesenc2l other, second, m0:m1[aes_turned_keys + 16 * (\n - 1)]
        twice_bytes \c, chain
        and     m3[out], first, chain
        rotx    other, other, m2[kept_row], 96
        twice_bytes \c, chain
        and     other, other, chain
        twice_take other ^ m3[out]
        add128  counter, counter, m1[aes_one]
.L_whole\@:
        mov     m1[\c\()_iv], ctr
        mov     other, m1[\c\()_iv]
        add128  other, other, m1[aes_two]
        twice_take other ^ counter
        jmp     .L_open
        .endm

        family  aes, ctr_twice, ctr_twice
.L_open:
        twice_rows aes, out
        twice_wipe
        twice_open aes

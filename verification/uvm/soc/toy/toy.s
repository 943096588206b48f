// Operations of a toy cipher, for tests of the engine around the core: every kind of operation, in arithmetic that a
// test computes in three lines (toy.py). out = text ^ key ^ IV in every row; the tag is an XOR of all rows that enter it,
// turned by a byte after each. And routines that misbehave.

        .section m1
        .org    16 * 192
accumulated:    .zero   16
ones_row:       .fill   16, 0xff

        .section text

        .alias  in, ar0
        .alias  out, ar1
        .alias  key, ar2
        .alias  blocks, ar3
        .alias  bytes, ar4
        .alias  aad_rows, ar5
        .alias  lane, ar7

        .alias  pad, v1
        .alias  lengths, v2
        .alias  kept, v3
        .alias  ones, v4
        .alias  sum, v5
        .alias  row, v0

        .global stream_reset
stream_reset:
        arset   in, 0
        arstep  in, 16
        arwin   in, 0, 0x1000
        arset   out, 0
        arstep  out, 16
        arwin   out, 0, 0x1000
        halt

// The key's rows to m0 and m1; without a key, zeros.
        .macro  toy_set_key name
        .global \name
\name:
        vtoar   key, m2[in], 5
        mov     row, m2[in+=s%]
        mov     row, m2[in+=s%]
        mov     row, m2[in+=s%]
        mov     m0[key], m2[in+=s%]
        mov     m1[key], m2[in+=s%]
        notify  1
        vtoar   lane, m2[in], 4
        bnz     lane, \name
        halt
        .endm

        .macro  toy_mix
        xor     sum, sum, row
        align   sum, sum, sum, 1
        .endm

// \count rows into the sum.
        .macro  toy_absorb count
        repeat  \count, .L_absorbed\@
        mov     row, m2[in+=s%]
        toy_mix
.L_absorbed\@:
        .endm

// kept = ones in the first \count bytes.
        .macro  toy_mask count
        mov     kept, zero
        repeat  \count, .L_masked\@
        align   kept, ones, kept, 15
.L_masked\@:
        .endm

// seals: the rows of the output enter the sum, not those of the input. mac: no output. tag: 1 to append it, 2 to check
// it. inline: the key is the first row of the text.
        .macro  toy_job name, seals=0, mac=0, tag=0, inline=0
        .global \name
\name:
        vtoar   key, m2[in], 5
        vtoar   aad_rows, m2[in], 3
        vtoar   blocks, m2[in], 7
        vtoar   bytes, m2[in], 6
        vtoar   lane, m2[in], 1
        mov     ones, m1[ones_row]
        mov     pad, zero
        bz      lane, .L_continues\@
        mov     m1[accumulated], zero
.L_continues\@:
        vtoar   lane, m2[in+=s%], 0
        mov     sum, m1[accumulated]
        .if     !\inline
        mov     pad, m0[key]
        xor     pad, pad, m1[key]
        .endif
        xor     pad, pad, m2[in+=s%]
        mov     lengths, m2[in+=s%]
        toy_absorb aad_rows
        .if     \inline
        xor     pad, pad, m2[in+=s%]
        .endif
        .if     \mac
        toy_absorb blocks
        .elseif \seals
        repeat  blocks, .L_blocks\@
        xor     {row, m3[out+=s%]}, pad, m2[in+=s%]
        toy_mix
.L_blocks\@:
        .else
        repeat  blocks, .L_blocks\@
        mov     row, m2[in+=s%]
        xor     m3[out+=s%], pad, row
        toy_mix
.L_blocks\@:
        .endif
        bz      bytes, .L_end\@
        toy_mask bytes
        mov     row, m2[in+=s%]
        .if     \mac
        toy_mix
        .elseif \seals
        xor     row, row, pad
        and     {row, m3[out+=s%]}, row, kept
        toy_mix
        .else
        toy_mix
        xor     row, row, pad
        and     m3[out+=s%], row, kept
        .endif
.L_end\@:
        mov     m1[accumulated], sum
        bz      lane, .L_done\@
        xor     sum, sum, pad
        xor     sum, sum, lengths
        .if     \tag == 1
        mov     m3[out+=s%], sum
        .elseif \tag == 2
        aradd   lane, lane, -1
        toy_mask lane
        xor     row, sum, m2[in+=s%]
        and     row, row, kept
        cmp     row, zero
        bf      .L_done\@
        notify  2
        jmp     .L_next\@
        .endif
.L_done\@:
        notify  1
.L_next\@:
        vtoar   lane, m2[in], 4
        bnz     lane, \name
        halt
        .endm

        toy_set_key toy_key
        toy_set_key toy_other_key
        toy_job toy_crypt
        toy_job toy_crypt_blocks
        toy_job toy_once, inline=1
        toy_job toy_once_in_context, inline=1
        toy_job toy_mac, mac=1, tag=1
        toy_job toy_seal, seals=1, tag=1
        toy_job toy_open, tag=2

        .global toy_trap, toy_hang, toy_silent, toy_wait
toy_trap:
        ret
toy_hang:
        jmp     toy_hang
toy_silent:
        halt
toy_wait:
        wait
        halt

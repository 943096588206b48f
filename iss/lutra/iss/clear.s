// Zeroes every register that a reset leaves as it is, for the next owner of a core that cannot wipe itself. Assembled
// with `rounds`, the ROUNDS_PER_INSTR of that core.
//
// Inputs:   row 0 of m2, which is zero
// Outputs:  none
// Clobbers: all registers

        .section text
        .global clear
clear:
        mov     v2, zero
        mov     v3, zero
        mov     v4, zero
        mov     v5, zero
        mov     v6, zero
        mov     v7, zero
        mov     v0, zero
        mov     v1, zero
        .if     rounds == 2 && has_camellia     // hold has no other writer
        cam2    {v0, v1}, v0, v1, m0:m1[0], {hold, m2[0]}
        mov     v0, zero
        mov     v1, zero
        .endif
        mov     wk, zero
        .if     has_counter
        mov     ctr, zero
        .endif
        .if     has_stream
        ctxld   c0, context_lfsr0, zero
        ctxld   c0, context_lfsr1, zero
        ctxld   c0, context_lfsr2, zero
        ctxld   c0, context_lfsr3, zero
        ctxld   c0, context_registers, zero
        ctxld   c0, context_buffer, zero
        .endif
        .if     has_stream && core_contexts == 2
        ctxld   c1, context_lfsr0, zero
        ctxld   c1, context_lfsr1, zero
        ctxld   c1, context_lfsr2, zero
        ctxld   c1, context_lfsr3, zero
        ctxld   c1, context_registers, zero
        ctxld   c1, context_buffer, zero
        .endif
        .if     has_ghash
        ghkey   zero
        ghset   zero
        .endif
        .if     has_multiplier          // the second takes what the first has carried over
        gplast  zero
        gplast  zero
        .endif
        .macro  address r
        arset   \r, 0
        arstep  \r, 0
        arwin   \r, 0, 0
        .endm
        address ar0
        address ar1
        address ar2
        address ar3
        address ar4
        address ar5
        address ar6
        address ar7
        halt

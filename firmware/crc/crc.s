// CRC by slicing with all 32 tables: eight bytes per cycle, for any polynomial of 1 to 32 bits; only the contents of
// the tables depend on it. With one stream context: four bytes per cycle with sixteen tables, those of t1, here in t0.
//
// Calling convention: firmware/README.md, but the input is in m2 from row 1. The register is four bytes in the
// order in which the message is combined with them: a reflected CRC has its least significant byte first, any
// other is left-justified, most significant byte first. Entry e of lanes 4j to 4j+3 is the register
// after byte e and 7-j (t0) or 3-j (t1) zero bytes; the host computes it (lutra.firmware.polynomial).

        .include "memory.inc"

        .equ    crc_step, 4 * core_contexts     // bytes of an instruction

        .section text

        .alias  first, v0               // bytes of the message, with the register XORed in
        .alias  register, v1
        .alias  in, ar0
        .alias  words, ar4              // zero if there are fewer than four bytes
        .alias  steps, ar5
        .alias  bytes, ar6
        .alias  end, ar7

// crc: the register after n bytes.
//
// Inputs:   crc_state, crc_length; t0, t1; the message in m2 from row 1
// Outputs:  crc_state
// Clobbers: v0, v1, c0, c1, ar0, ar4-ar7
// Memory:   m2 row 0 is scratch, the register is XORed into row 1
// Time:     constant; depends on n
// Cycles:   n/8 + 25, n a multiple of 8
//
// Zero bytes do not change a zero register. So the register goes into the first four bytes of the message
// instead, and zeros in front of it make its length a multiple of the step.
        .global crc
crc:
        vtoar   bytes, m1[crc_length], 7
        mov     first, m1[crc_state]
        xor     first, first, m2[0x10]
        ctxld   c0, context_registers, zero
        mov     m2[0x10], first
        aradd   steps, bytes, crc_step - 1
        mov     m2[0], zero
        arand   in, steps, crc_step - 1         // zeros in front of a message that is not a multiple of the step
        aradd   in, in, 17 - crc_step
        arshr   steps, steps, 1 + core_contexts
        arstep  in, crc_step
        arshr   words, bytes, 2
        repeat  steps, .L_steps
        .if     core_contexts > 1
        crc     c0:c1, m2[in+=s]
        .else
        crc     c0, m2[in+=s]
        .endif
.L_steps:
        ctxst   register, c0, context_registers
        bz      words, .L_short
        mov     m1[crc_state], register
        halt
.L_short:                                       // fewer than four bytes: the rest of the register moves up
        aradd   end, bytes, crc_state
        xor     register, register, m1[end]
        mov     m1[crc_state], register
        halt

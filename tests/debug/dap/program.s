// What the clients in this folder debug. A word after `@` names its line.
        .include "round.inc"
// view: v0 state 4x4
        .section m0
key:    .row    "000102030405060708090a0b0c0d0e0f"
one:    .row    "00000000000000000000000000000001"
        .section text
        .global main, long, forever, wrong
        .entry  main
main:   mov     v0, m0[key]                     // @main
        mov     v1, m0[one]
        arset   ar0, 0x20
        repeat  4, done
        double_round v0, v1                     // @macro
done:   mov     m3[ar0++], v0                   // @store
        call    twice                           // @call
        notify  3                               // @notify
        mov     v2, m2[0]                       // @after
        halt                                    // @halt

twice:  arset   ar1, 2                          // @twice
again:  mov     m1[0x40], v0                    // @again
        aradd   ar1, ar1, -1
        bnz     ar1, again
        ret                                     // @ret

long:   mov     v1, m0[one]                     // @long
        arset   ar1, 20
outer:  repeat  65535, inner
        add32   v3, v3, v1
inner:  nop
        mov     m1[0], v3                       // @outer
        aradd   ar1, ar1, -1
        bnz     ar1, outer
        halt                                    // @end

forever:
        add32   v4, v4, v1                      // @forever
        jmp     forever

wrong:  nop
        .insn   0                               // @trap

// Program under the fuzzed debug adapter: macros, a call, a loop, notify, data, and a run without end at `forever`.
        .macro  mix x, y
        xor     \x, \x, \y
        add32   \x, \x, \y
        .endm

        .section m0
key:    .row    "000102030405060708090a0b0c0d0e0f"
rows:   .zero   16 * 8

        .section text
        .global start, forever
start:  mov     v0, m0[key]
        arset   ar0, rows
        call    body
        notify  1
        halt

body:   repeat  8, .L_end
        mix     v1, v0
        mov     m0[ar0++], v1
.L_end: ret

forever:
        mix     v2, v0
        jmp     forever

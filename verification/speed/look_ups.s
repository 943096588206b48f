# Workload for Spike: a chain of table look-ups, as byte-wise CRC and ciphers with tables in memory have them.
# TURNS, a symbol that the assembler is given, is the number of turns of eight instructions. The program ends with code 0
# where the machine has counted as many instructions as that makes, so that the rate is of what has really been done.
        .option norelax
        .globl  _start
        .text
_start: la      s0, table
        # Fill the table: word i is i times an odd constant.
        li      t0, 256
        li      t1, 0x9e3779b1
        li      t2, 0
        mv      t3, s0
fill:   sw      t2, 0(t3)
        add     t2, t2, t1
        addi    t3, t3, 4
        addi    t0, t0, -1
        bnez    t0, fill

        li      a0, 1
        li      t0, TURNS
        csrr    s1, minstret
turn:   andi    a1, a0, 255
        slli    a1, a1, 2
        add     a1, a1, s0
        lwu     a2, 0(a1)
        srli    a0, a0, 8
        xor     a0, a0, a2
        addi    t0, t0, -1
        bnez    t0, turn
        csrr    s2, minstret

        # One instruction more: the first read counts itself.
        sub     s2, s2, s1
        li      t0, 8 * TURNS + 1
        sub     s2, s2, t0
        snez    s2, s2
        # The host's interface of RISC-V simulators: an odd word ends the run with the code above its lowest bit.
        slli    s2, s2, 1
        ori     s2, s2, 1
        la      t0, tohost
        sd      s2, 0(t0)
wait:   j       wait

        .section .tohost, "aw", @progbits
        .balign 64
        .globl  tohost
tohost: .dword  0
        .balign 64
        .globl  fromhost
fromhost: .dword 0
        .bss
        .balign 64
table:  .zero   1024

// Where both hosts begin: a stack, then main; what main returns is the exit code. RAM is loaded with all of the program
// and zero elsewhere.
        .section .start, "ax"
        .globl _start
_start:
        la      sp, _stack
        call    main
        li      t0, 0x10000004
        sw      a0, 0(t0)
1:      j       1b

// Routines that do not do what a routine of the stream has to do.

        .section text
        .global stream_reset, traps, endless, silent, mismatch, endless_after

        .alias  in, ar0
        .alias  out, ar1

stream_reset:
        arset   in, 0
        arset   out, 0
        halt

// A trap before the notify.
traps:
        ret

// No end.
endless:
        jmp     endless

// A halt without a notify.
silent:
        halt

// A tag that is wrong, whatever it is.
mismatch:
        notify  2
        halt

// A notify, but no halt.
endless_after:
        notify  1
.L_on:  jmp     .L_on

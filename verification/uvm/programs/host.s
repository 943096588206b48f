// Programs for the sequences of the host protocol: one entry for each way in which a program ends or talks.

        .global halts, waits, notifies, long, stores, looks_up
        .global reads_key, reads_data, stores_lane, stores_tables
        .global trap_illegal, trap_address, trap_table, trap_loop, trap_nesting, trap_calls, trap_return

        // Programs that trap are what they are here for.
        .allow  "loop-depth"
        .allow  "loop-end"

        .section text
halts:  halt

waits:  notify  1
        wait
        notify  2
        halt

notifies:
        notify  1
        repeat  50, .L_quiet
        nop
.L_quiet:
        notify  3
        halt

long:   repeat  1000, .L_turns
        nop
.L_turns:
        halt

// A row of m3 in every cycle.
stores: arset   ar0, 0
        arset   ar1, 0
        repeat  60, .L_rows
        mov     m3[ar0++], m2[ar1++]
.L_rows:
        halt

// A use of the same memory in every cycle.
reads_key:
        repeat  40, .L_keys
        aesenc2 v0, v0, m0:m1[0]
.L_keys:
        halt

reads_data:
        repeat  40, .L_data
        mov     v0, m2[0]
.L_data:
        halt

stores_lane:
        repeat  40, .L_lanes
        mov     m3[0], v0
.L_lanes:
        halt

// Written and looked up in turn; the last look-up goes to m3.
stores_tables:
        arset   ar0, 0
        repeat  8, .L_tables
        mov     t0:t1[ar0], m2[0]
        aradd   ar0, ar0, 16
        tbl0    v0, m2[16]
        tbl1    m3[0], m2[32]
.L_tables:
        halt

looks_up:
        tbl0    m3[0], m2[0]
        tbl1    m3[16], m2[0]
        halt

trap_illegal:
        .insn   0xff00000000000000

trap_address:
        arset   ar0, 4081
        mov     m3[ar0++], v0

trap_table:
        arset   ar0, 8
        mov     t0[ar0], v0

trap_loop:
        repeat  2, .L_end0
        repeat  2, .L_end1
        repeat  2, .L_end2
        repeat  2, .L_end3
        repeat  2, .L_end4
        nop
.L_end4:
        nop
.L_end3:
        nop
.L_end2:
        nop
.L_end1:
        nop
.L_end0:

trap_nesting:
        repeat  2, .L_both
        repeat  2, .L_both
        nop
.L_both:

trap_calls:
        call    trap_calls

trap_return:
        ret

// Two registers as destination, and moves with an instruction.
        .section text
        camw    {v1, v2}, v0                    // error: v1 and v2 are not a pair | needed: two registers, even and the next
        camw    {v0, v2}, v0                    // error: v0 and v2 are not a pair
        camw    {ctr, wk}, v0                   // error: ctr cannot be used here
        camw    v0, v0                          // error: 'v0' cannot be the operand 'dst'
        camw    {v0, v1, m3[0]}, v0             // error: cannot be the operand 'dst'
        cam2    {v0, v1}, v0, v1, m0:m1[0], {v0, m2[0]}         // error: cannot be the operand 'move'
        cam2    {v0, v1}, v0, v1, m0:m1[0], {hold, v0}          // error: cannot be the operand 'move'
        cam2    {v0, v1}, v0, v1, m0:m1[0], {hold, m1[0]}       // error: two accesses to m1
        cam2    {v0, v1}, ctr++, v1, m0:m1[0], {hold, ctr++}    // error: ctr++ is used twice in one instruction
        cam2    {v0, v1}, v0, v1, m0:m1[0], {m3[0], wk}         // error: wk cannot be used here
        cam2    {v0, v1}, v0, v1, m0:m1[0], {m3[0], v0 ^ m3[0]} // error: two accesses to m3

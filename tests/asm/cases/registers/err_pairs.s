        mov     %x, m0[0]
        arx     {%x, v1}, %x, zero, %x, 7       // error at 18: a name and a register are not a pair
        arx     {%x, %x}, %x, zero, %x, 7       // error at 18: %x is both registers of a pair
        halt

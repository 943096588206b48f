    .macro one a, b=1
    mov v0, \a             // error: address register ar0 cannot be a source
    arset ar0, \b
    .endm
    one v1
    one                    // error: macro 'one' needs parameter 'a' | usage: one a, b=1
    one v1, 2, 3           // error: too many arguments for macro 'one'
    one v1, a=v2           // error: parameter 'a' is given twice
    one ar0
    .macro one c           // error: macro 'one' is defined twice
    .endm
    .macro mov c           // error: 'mov' is an instruction
    .endm
    .macro                 // error: .macro takes a name and parameters
    .endm
    .macro bad 1           // error: '1' cannot be a parameter
    .endm
    .macro again
    again                  // error: does macro 'again' call itself?
    .endm
    again
    .macro unknown
    mov v0, \nothing       // error at 13: '\nothing' is not known here | known: \@ \()
    .endm
    unknown
    .rept 3
    mov v9, v0             // error: 'v9' is not a register | needed: destination
    .endr
    onne v1                // error: unknown instruction 'onne' | did you mean 'one'?
    .macro open            // error: .macro without .endm

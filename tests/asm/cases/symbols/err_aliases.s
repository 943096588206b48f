        .alias  state, v1
        .alias  state, v2                 // error: 'state' is already defined
        .alias  other                     // error: .alias takes a name and a register
        .alias  other, ar9                // error: 'ar9' is not a register | did you mean
        .alias  v3, v4                    // error: 'v3' is already defined
        .alias  mov, v4                   // error: 'mov' is already defined
label:  nop
        .alias  label, v4                 // error: 'label' is already defined
state = 5                                 // error: 'v1' names a register or memory

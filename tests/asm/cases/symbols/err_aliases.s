        .alias  state, v1
        .alias  state, v2                 // error: 'state' has a meaning already
        .alias  other                     // error: .alias takes a name and a register
        .alias  other, ar9                // error: 'ar9' is not a register | did you mean
        .alias  v3, v4                    // error: 'v3' has a meaning already
        .alias  mov, v4                   // error: 'mov' has a meaning already
label:  nop
        .alias  label, v4                 // error: 'label' has a meaning already
state = 5                                 // error: 'v1' names a register or memory

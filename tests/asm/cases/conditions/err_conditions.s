label:
    .if label          // error: the address of 'label' is not known yet
    .endif
    .if nothing        // error: undefined symbol 'nothing'
    .endif
    .if 1
    .else
    .else              // error: .else after .else
    .endif
    .if 1 +            // error: expected an expression, found the end of the line
    .endif
    .if 1              // error: .if without .endif

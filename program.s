.entry main
main: call sub
 nop
 nop
 halt
sub: nop
 ret

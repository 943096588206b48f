//===- insns_address.td - address registers and counter width -----------------===//

let n = ? in {
  let ad = ? in {
    def ARSET  : FmtControl<0x10, "arset", (ops AddrDst:$dst, Imm16:$value), [(AU AuSet)], "set an address register">;
    def ARSTEP : FmtControl<0x11, "arstep", (ops AddrDst:$dst, Imm16:$step), [(AU AuSetStep)], "set the step of an address register">;

    let e = ? in
    def ARWIN  : FmtControl<0x12, "arwin", (ops AddrDst:$dst, WindowStart:$start, WindowEnd:$end), [(AU AuSetWindow)], "set the window of an address register">;

    let as = ? in {
      def ARADD : FmtControl<0x13, "aradd", (ops AddrDst:$dst, AddrSrc:$src, Imm16:$value), [(AU AuAdd)], "add to an address register">;
      def ARAND : FmtControl<0x14, "arand", (ops AddrDst:$dst, AddrSrc:$src, Imm16:$value), [(AU AuAnd)], "mask an address register">;
      def ARSHR : FmtControl<0x15, "arshr", (ops AddrDst:$dst, AddrSrc:$src, Shift:$amount), [(AU AuShr)], "shift an address register right">;
    }
  }
  let Extension = CounterExtension in
    def CTRW : FmtControl<0x16, "ctrw", (ops Width:$width), [(AU AuSetWidth)], "set how many bits of ctr ctr++ increments">;
}

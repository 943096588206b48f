# What clang calls on RV32 with -Oz -msave-restore, for a host that links no compiler-rt: registers saved and restored,
# by the names and the stack layout that compiler-rt gives them. The 64-bit shift is in src/freestanding.c.
#
# A frame, from its top: ra, s0 ... s11. save_n is called by t0, keeps ra and s0 to s(n-1), and leaves sp at a
# multiple of 16; restore_n is jumped to and returns to the caller's caller.

  .section .text.save_restore, "ax", @progbits

  .macro save n
  .globl __riscv_save_\n
__riscv_save_\n:
  .endm
  .macro restore n
  .globl __riscv_restore_\n
__riscv_restore_\n:
  .endm

  save 12
  addi sp, sp, -64
  li t1, 0
  sw s11, 12(sp)
  j .L_save_11
  save 11
  save 10
  save 9
  save 8
  addi sp, sp, -64
  li t1, 16
.L_save_11:
  sw s10, 16(sp)
  sw s9, 20(sp)
  sw s8, 24(sp)
  sw s7, 28(sp)
  j .L_save_7
  save 7
  save 6
  save 5
  save 4
  addi sp, sp, -64
  li t1, 32
.L_save_7:
  sw s6, 32(sp)
  sw s5, 36(sp)
  sw s4, 40(sp)
  sw s3, 44(sp)
  sw s2, 48(sp)
  sw s1, 52(sp)
  sw s0, 56(sp)
  sw ra, 60(sp)
  add sp, sp, t1
  jr t0
  save 3
  save 2
  save 1
  save 0
  addi sp, sp, -16
  sw s2, 0(sp)
  sw s1, 4(sp)
  sw s0, 8(sp)
  sw ra, 12(sp)
  jr t0

  restore 12
  lw s11, 12(sp)
  addi sp, sp, 16
  restore 11
  restore 10
  restore 9
  restore 8
  lw s10, 0(sp)
  lw s9, 4(sp)
  lw s8, 8(sp)
  lw s7, 12(sp)
  addi sp, sp, 16
  restore 7
  restore 6
  restore 5
  restore 4
  lw s6, 0(sp)
  lw s5, 4(sp)
  lw s4, 8(sp)
  lw s3, 12(sp)
  addi sp, sp, 16
  restore 3
  restore 2
  restore 1
  restore 0
  lw s2, 0(sp)
  lw s1, 4(sp)
  lw s0, 8(sp)
  lw ra, 12(sp)
  addi sp, sp, 16
  ret

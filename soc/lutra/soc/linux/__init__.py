"""The kernel module in a guest of QEMU, with a device process behind it."""

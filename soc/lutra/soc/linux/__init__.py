"""The kernel module in a guest of QEMU, and the device process that it drives."""

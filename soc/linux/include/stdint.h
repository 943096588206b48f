/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The kernel has no <stdint.h>; the generated headers ask for it. */
#include <linux/types.h>

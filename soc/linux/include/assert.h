/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* The kernel has no <assert.h>; the generated headers ask for static_assert(). */
#include <linux/build_bug.h>

// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/* A device from its registers to its algorithms, and back. */
#include <linux/dma-mapping.h>
#include <linux/module.h>

#include "lutra.h"

/* The registers that a driver has to know. */
#define LUTRA_MAJOR LUTRA_AXI__ID__MAJOR_reset

static int lutra_identify(struct lutra_device *ld)
{
	unsigned int bits;
	u32 id, can;
	int ret;

	ret = regmap_read(ld->regs, LUTRA_REG(id), &id);
	ret = ret ?: regmap_read(ld->regs, LUTRA_REG(capabilities), &can);
	if (ret)
		return ret;
	if (FIELD_GET(LUTRA_AXI__ID__MAGIC_bm, id) != LUTRA_AXI__ID__MAGIC_reset)
		return -ENODEV;
	if (FIELD_GET(LUTRA_AXI__ID__MAJOR_bm, id) != LUTRA_MAJOR) {
		dev_err(ld->dev, "registers of version %u, not %u\n",
			(u32)FIELD_GET(LUTRA_AXI__ID__MAJOR_bm, id), LUTRA_MAJOR);
		return -ENODEV;
	}
	ld->contexts = min_t(unsigned int, FIELD_GET(LUTRA_AXI__CAPABILITIES__CONTEXTS_bm, can),
			     LUTRA_MAX_CONTEXTS);
	if (!ld->contexts)
		return -ENODEV;
	bits = FIELD_GET(LUTRA_AXI__CAPABILITIES__ADDRESS_BITS_bm, can);
	ld->limit = bits < 64 ? BIT_ULL(bits) : U64_MAX;
	return dma_set_mask_and_coherent(ld->dev, DMA_BIT_MASK(bits));
}

/* Nothing is submitted any more. */
static void lutra_halt(struct lutra_device *ld)
{
	lutra_ring_drain(ld);
	regmap_write(ld->regs, LUTRA_REG(control), 0);
	if (ld->irq)
		free_irq(ld->irq, ld);
	lutra_ring_exit(ld);
}

/* Registers are as after reset, or as another driver left them. On failure nothing is left. */
int lutra_start(struct lutra_device *ld)
{
	int ret;

	ret = lutra_identify(ld);
	if (ret)
		return ret;
	ret = lutra_ring_init(ld);
	if (ret)
		return ret;
	if (ld->irq) {
		ret = request_threaded_irq(ld->irq, NULL, lutra_interrupt, IRQF_ONESHOT, "lutra",
					   ld);
		if (ret) {
			lutra_ring_exit(ld);
			return ret;
		}
	}
	ret = regmap_write(ld->regs, LUTRA_REG(control), 0);
	ret = ret ?: regmap_write(ld->regs, LUTRA_REG(window[LUTRA_RING].base_low), 0);
	ret = ret ?: regmap_write(ld->regs, LUTRA_REG(window[LUTRA_RING].base_high), 0);
	ret = ret
		      ?: regmap_write(ld->regs, LUTRA_REG(window[LUTRA_RING].limit_low),
				      lower_32_bits(ld->limit));
	ret = ret
		      ?: regmap_write(ld->regs, LUTRA_REG(window[LUTRA_RING].limit_high),
				      upper_32_bits(ld->limit));
	ret = ret ?: lutra_ring_enable(ld);
	ret = ret ?: lutra_firmware_load(ld);
	ret = ret ?: lutra_skcipher_register(ld);
	if (!ret) {
		ret = lutra_aead_register(ld);
		if (ret)
			lutra_skcipher_unregister();
	}
	if (ret)
		lutra_halt(ld);
	return ret;
}

void lutra_stop(struct lutra_device *ld)
{
	lutra_aead_unregister();
	lutra_skcipher_unregister();
	lutra_halt(ld);
}

MODULE_DESCRIPTION("Lutra, a programmable crypto processor");
MODULE_LICENSE("GPL"); /* the licence of the two that the kernel knows */

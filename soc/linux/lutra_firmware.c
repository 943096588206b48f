// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Firmware of the core, and the operations that it brings: file `lutra/stream.bin`, written by
 * lutra.soc.linux.image.
 *
 * A header, the operations with their names, then steps: rows to write to a memory of the core, or
 * a run from an entry. Words are little-endian.
 */
#include <linux/completion.h>
#include <linux/dma-mapping.h>
#include <linux/firmware.h>
#include <linux/module.h>

#include "lutra.h"

#define LUTRA_FIRMWARE "lutra/stream.bin"
#define LUTRA_ROW 16

struct lutra_image {
	char magic[8];
	__le32 steps;
	__le32 operations;
	__le32 stream_reset; /* entry */
	__le32 reserved;
};

struct lutra_step {
	__le32 operation; /* raw: write or run */
	__le32 space;
	__le32 first;  /* row, or entry */
	__le32 length; /* bytes that follow, or cycles that the run may take */
};

static const char lutra_magic[] = "LUTRAFW1";

struct lutra_raw_job {
	struct lutra_job job;
	struct completion completion;
	int error;
};

static void lutra_raw_done(struct lutra_job *job, int error)
{
	struct lutra_raw_job *raw = container_of(job, struct lutra_raw_job, job);

	if (error == -EINPROGRESS)
		return;
	raw->error = error;
	complete(&raw->completion);
}

/* The watch of the ring bounds the wait. */
static int lutra_raw(struct lutra_device *ld, const struct lutra_step *step, dma_addr_t source)
{
	struct lutra_raw_job raw = { .job = { .done = lutra_raw_done } };
	lutra_descriptor_t *descriptor = &raw.job.descriptor;
	int ret;

	lutra_put(
		descriptor, control,
		FIELD_PREP(LUTRA_DESCRIPTOR__CONTROL__OPERATION_bm, le32_to_cpu(step->operation)));
	*lutra_word(descriptor, length) = step->length;
	lutra_put(descriptor, extra,
		  FIELD_PREP(LUTRA_DESCRIPTOR__EXTRA__AAD_bm, le32_to_cpu(step->first)) |
			  FIELD_PREP(LUTRA_DESCRIPTOR__EXTRA__TAG_bm, le32_to_cpu(step->space)));
	lutra_put_address(descriptor, source, source);
	raw.job.bytes = source ? le32_to_cpu(step->length) : 0;
	init_completion(&raw.completion);
	ret = lutra_submit(ld, &raw.job);
	if (ret != -EINPROGRESS)
		return ret;
	wait_for_completion(&raw.completion);
	return raw.error;
}

/* Runs the steps on a copy of the file that the device can read. */
static int lutra_steps(struct lutra_device *ld, const u8 *file, size_t at, size_t size, u32 count)
{
	dma_addr_t dma;
	u8 *copy;
	int ret = 0;

	copy = dma_alloc_coherent(ld->dev, size, &dma, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, file, size);
	for (; count && !ret; count--) {
		const struct lutra_step *step = (const struct lutra_step *)(file + at);
		size_t bytes = 0;

		ret = -EINVAL;
		if (size - at < sizeof(*step))
			break;
		at += sizeof(*step);
		if (le32_to_cpu(step->operation) == LUTRA_RAW__CODES__WRITE_reset)
			bytes = le32_to_cpu(step->length);
		if (bytes > size - at || bytes % LUTRA_ROW)
			break;
		ret = lutra_raw(ld, step, bytes ? dma + at : 0);
		at += bytes;
	}
	dma_free_coherent(ld->dev, size, copy, dma);
	return ret;
}

static int lutra_table(struct lutra_device *ld, const struct lutra_image *image)
{
	unsigned int i;
	int ret;

	for (i = 0; i < ld->operation_count; i++) {
		ret = regmap_write(ld->regs, LUTRA_REG(operation[0]) + i * sizeof(u32),
				   le32_to_cpu(ld->operations[i].word));
		if (ret)
			return ret;
	}
	ret = regmap_write(ld->regs, LUTRA_REG(stream_reset), le32_to_cpu(image->stream_reset));
	return ret ?: regmap_write(ld->regs, LUTRA_REG(operations), ld->operation_count);
}

int lutra_firmware_load(struct lutra_device *ld)
{
	const struct lutra_image *image;
	const struct firmware *file;
	u32 count;
	size_t at;
	int ret;

	ret = request_firmware(&file, LUTRA_FIRMWARE, ld->dev);
	if (ret)
		return ret;
	image = (const struct lutra_image *)file->data;
	ret = -EINVAL;
	if (file->size < sizeof(*image) || memcmp(image->magic, lutra_magic, sizeof(image->magic)))
		goto out;
	count = le32_to_cpu(image->operations);
	at = sizeof(*image) + count * sizeof(*ld->operations);
	if (count > ARRAY_SIZE(ld->operations) || file->size < at)
		goto out;
	memcpy(ld->operations, file->data + sizeof(*image), count * sizeof(*ld->operations));
	ld->operation_count = count;

	ret = regmap_write(ld->regs, LUTRA_REG(control), LUTRA_AXI__CONTROL__ENABLE_bm);
	ret = ret ?: lutra_steps(ld, file->data, at, file->size, le32_to_cpu(image->steps));
	/* The table is written while nothing is fetched. */
	ret = ret ?: regmap_write(ld->regs, LUTRA_REG(control), 0);
	ret = ret ?: lutra_table(ld, image);
	ret = ret ?: regmap_write(ld->regs, LUTRA_REG(control), LUTRA_AXI__CONTROL__ENABLE_bm);
out:
	if (ret)
		dev_err(ld->dev, "%s cannot be loaded: %d\n", LUTRA_FIRMWARE, ret);
	release_firmware(file);
	return ret;
}

/* The index of an operation, or -ENOENT. */
int lutra_operation_find(struct lutra_device *ld, const char *name)
{
	unsigned int i;

	for (i = 0; i < ld->operation_count; i++)
		if (!strncmp(ld->operations[i].name, name, sizeof(ld->operations[i].name)))
			return i;
	return -ENOENT;
}

/* The operation that sets keys of the class that another one uses. */
int lutra_operation_key(struct lutra_device *ld, int operation)
{
	u32 class = FIELD_GET(LUTRA_AXI__OPERATION__CLASS_bm,
			      le32_to_cpu(ld->operations[operation].word));
	unsigned int i;

	for (i = 0; i < ld->operation_count; i++) {
		u32 word = le32_to_cpu(ld->operations[i].word);

		if (word & LUTRA_AXI__OPERATION__SETS_KEY_bm &&
		    FIELD_GET(LUTRA_AXI__OPERATION__CLASS_bm, word) == class)
			return i;
	}
	return -ENOENT;
}

MODULE_FIRMWARE(LUTRA_FIRMWARE);

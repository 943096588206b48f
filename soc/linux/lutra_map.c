// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/* Scatterlists to the elements that a descriptor names. */
#include <crypto/scatterwalk.h>
#include <linux/dma-mapping.h>
#include <linux/log2.h>
#include <linux/slab.h>

#include "lutra.h"

static enum dma_data_direction lutra_src_direction(const struct lutra_job *job)
{
	return job->src == job->dst ? DMA_BIDIRECTIONAL : DMA_TO_DEVICE;
}

/* A scatterlist that is mapped is walked over its segments. Bytes before `skip` are left out. */
static unsigned int lutra_elements(lutra_element_t *list, struct scatterlist *sgl,
				   unsigned int segments, unsigned int skip, unsigned int bytes)
{
	struct scatterlist *sg;
	unsigned int i, count = 0;

	for_each_sg(sgl, sg, segments, i) {
		unsigned int length = sg_dma_len(sg);

		if (!bytes)
			break;
		if (skip >= length) {
			skip -= length;
			continue;
		}
		length = min(length - skip, bytes);
		lutra_put_address(&list[count], address, sg_dma_address(sg) + skip);
		lutra_put(&list[count], length, length);
		lutra_put(&list[count], flags, 0);
		count++;
		bytes -= length;
		skip = 0;
	}
	if (count)
		lutra_put(&list[count - 1], flags, LUTRA_ELEMENT__FLAGS__LAST_bm);
	return count;
}

/* The number of segments; 0 is a failure if there are entries. */
static unsigned int lutra_map_sg(struct lutra_device *ld, struct scatterlist *sgl, int nents,
				 enum dma_data_direction direction)
{
	return nents ? dma_map_sg(ld->dev, sgl, nents, direction) : 0;
}

/*
 * Puts the place of a string into the descriptor: its address, or that of its list if it has
 * several elements.
 */
#define lutra_place(descriptor, member, flag, list, count, dma)                                    \
	do {                                                                                       \
		if ((count) > 1) {                                                                 \
			lutra_put_address(descriptor, member, dma);                                \
			*lutra_word(descriptor, control) |= cpu_to_le32(flag);                     \
		} else if ((count) == 1) {                                                         \
			*lutra_word(descriptor, member##_low) = *lutra_word(list, address_low);    \
			*lutra_word(descriptor, member##_high) = *lutra_word(list, address_high);  \
		}                                                                                  \
	} while (0)

/*
 * Makes the lists of elements and maps everything. The device wants the associated data in one
 * piece, so a copy of them follows the elements.
 */
int lutra_map(struct lutra_device *ld, struct lutra_job *job, const struct lutra_span *span)
{
	unsigned int src_bytes = span->aad + span->src_bytes,
		     dst_bytes = span->aad + span->dst_bytes;
	unsigned int sources, destinations, src_count, dst_count;
	bool in_place = span->src == span->dst;
	lutra_element_t *list;
	u8 *aad;

	job->src = span->src;
	job->dst = span->dst;
	job->src_nents =
		sg_nents_for_len(job->src, in_place ? max(src_bytes, dst_bytes) : src_bytes);
	job->dst_nents = in_place ? 0 : sg_nents_for_len(job->dst, dst_bytes);
	if (job->src_nents < 0 || job->dst_nents < 0)
		return -EINVAL;
	sources = job->src_nents;
	destinations = in_place ? sources : job->dst_nents;
	job->lists_bytes = (sources + destinations) * sizeof(*list) + span->aad;
	/* A power of two is aligned to its size, as elements want to be. */
	job->lists = kmalloc(roundup_pow_of_two(job->lists_bytes), job->gfp);
	if (!job->lists)
		return -ENOMEM;
	list = job->lists;
	aad = (u8 *)(list + sources + destinations);
	scatterwalk_map_and_copy(aad, job->src, 0, span->aad, 0);

	src_count = lutra_map_sg(ld, job->src, job->src_nents, lutra_src_direction(job));
	if (job->src_nents && !src_count)
		goto free;
	dst_count =
		in_place ? src_count : lutra_map_sg(ld, job->dst, job->dst_nents, DMA_FROM_DEVICE);
	if (job->dst_nents && !dst_count)
		goto unmap_src;
	src_count = lutra_elements(list, job->src, src_count, span->aad, span->src_bytes);
	dst_count = lutra_elements(list + sources, job->dst, dst_count, span->aad, span->dst_bytes);
	job->lists_dma = dma_map_single(ld->dev, job->lists, job->lists_bytes, DMA_TO_DEVICE);
	if (dma_mapping_error(ld->dev, job->lists_dma))
		goto unmap_dst;

	lutra_place(&job->descriptor, source, LUTRA_DESCRIPTOR__CONTROL__GATHER_bm, list, src_count,
		    job->lists_dma);
	lutra_place(&job->descriptor, destination, LUTRA_DESCRIPTOR__CONTROL__SCATTER_bm,
		    list + sources, dst_count, job->lists_dma + sources * sizeof(*list));
	if (span->aad)
		lutra_put_address(&job->descriptor, aad, job->lists_dma + (aad - (u8 *)list));
	return 0;

unmap_dst:
	if (job->dst_nents)
		dma_unmap_sg(ld->dev, job->dst, job->dst_nents, DMA_FROM_DEVICE);
unmap_src:
	if (job->src_nents)
		dma_unmap_sg(ld->dev, job->src, job->src_nents, lutra_src_direction(job));
free:
	kfree_sensitive(job->lists);
	return -ENOMEM;
}

void lutra_unmap(struct lutra_device *ld, struct lutra_job *job)
{
	dma_unmap_single(ld->dev, job->lists_dma, job->lists_bytes, DMA_TO_DEVICE);
	if (job->dst_nents)
		dma_unmap_sg(ld->dev, job->dst, job->dst_nents, DMA_FROM_DEVICE);
	if (job->src_nents)
		dma_unmap_sg(ld->dev, job->src, job->src_nents, lutra_src_direction(job));
	kfree_sensitive(job->lists);
}

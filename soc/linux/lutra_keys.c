// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Keys of transforms, and the contexts of the device that hold them.
 *
 * A transform keeps its key. The device has fewer contexts than there may be transforms, so a key
 * is set when a job needs it, in the context that was used least recently. The device works in
 * order: what was posted before with the former key of the context is done before the new key
 * arrives. Each key in a context has a generation of its own, so no job can meet a wrong one.
 */
#include <linux/string.h>

#include "lutra.h"

/* A context without a key, else one to be wiped, else the one used least recently. */
struct lutra_context *lutra_context_choose_locked(struct lutra_device *ld)
{
	struct lutra_context *context, *best = ld->context;

	for (context = ld->context; context < ld->context + ld->contexts; context++) {
		if (!context->owner && !context->wipe)
			return context;
		if (!best->owner)
			continue;
		if (!context->owner || context->used < best->used)
			best = context;
	}
	return best;
}

void lutra_context_lose_locked(struct lutra_context *context)
{
	if (context->owner)
		context->owner->context = NULL;
	context->owner = NULL;
	context->wipe = false;
}

void lutra_context_give_locked(struct lutra_context *context, struct lutra_key *key)
{
	lutra_context_lose_locked(context);
	context->owner = key;
	context->operation = key->operation;
	context->generation =
		(context->generation + 1) & FIELD_MAX(LUTRA_DESCRIPTOR__CONTROL__GENERATION_bm);
	key->context = context;
}

/* The context of a key that is there no longer is wiped. */
void lutra_key_drop(struct lutra_device *ld, struct lutra_key *key)
{
	spin_lock_bh(&ld->lock);
	if (key->context) {
		key->context->owner = NULL;
		key->context->wipe = true;
		key->context = NULL;
		queue_work(ld->queue, &ld->take);
	}
	spin_unlock_bh(&ld->lock);
	memzero_explicit(key->bytes, sizeof(key->bytes));
}

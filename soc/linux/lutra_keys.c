// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Keys of transforms, and the contexts of the device that hold them.
 *
 * A transform keeps its key. The device has fewer contexts than there may be transforms, so a key
 * is set when a job needs it, in the context that was used least recently. The device works in
 * order: what was posted before with the former key of the context is done before the new key
 * arrives. Each key in a context has a generation of its own, so no job can meet a wrong one.
 */
#include <linux/crypto.h>
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

static void lutra_key_drop(struct lutra_device *ld, struct lutra_key *key)
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

void lutra_cipher_exit(struct lutra_cipher *cipher)
{
	lutra_key_drop(cipher->ld, &cipher->key[0]);
	lutra_key_drop(cipher->ld, &cipher->key[1]);
}

/* Whether the firmware has an operation of a mode, with keys of any length. */
bool lutra_names_any(struct lutra_device *ld, const struct lutra_names *names)
{
	for (; names->key_bytes; names++)
		if (lutra_operation_find(ld, names->operation[0]) >= 0 ||
		    lutra_operation_find(ld, names->operation[1]) >= 0)
			return true;
	return false;
}

/* Keeps a key for the operations that the firmware has; what it has not is left to the fallback. */
int lutra_cipher_setkey(struct lutra_cipher *cipher, const struct lutra_names *names,
			const u8 *bytes, unsigned int length)
{
	struct lutra_device *ld = cipher->ld;
	unsigned int i;

	lutra_cipher_exit(cipher);
	while (names->key_bytes && names->key_bytes != length)
		names++;
	for (i = 0; i < ARRAY_SIZE(cipher->key); i++) {
		struct lutra_key *key = &cipher->key[i];
		int setter;

		cipher->operation[i] =
			names->key_bytes ? lutra_operation_find(ld, names->operation[i]) : -ENOENT;
		if (cipher->operation[i] < 0)
			continue;
		setter = lutra_operation_key(ld, cipher->operation[i]);
		if (setter < 0)
			return setter;
		cipher->key_of[i] = key;
		if (i && cipher->operation[0] >= 0 && setter == cipher->key[0].operation) {
			cipher->key_of[i] = &cipher->key[0];
			break;
		}
		memcpy(key->bytes, bytes, length);
		key->length = length;
		key->operation = setter;
	}
	return 0;
}

/* A job of a transform, without its data. `flags`: those of the request. */
void lutra_job_init(struct lutra_job *job, struct lutra_cipher *cipher, bool decrypt, u32 flags)
{
	memset(job, 0, sizeof(*job));
	INIT_LIST_HEAD(&job->node);
	job->key = cipher->key_of[decrypt];
	job->may_backlog = flags & CRYPTO_TFM_REQ_MAY_BACKLOG;
	lutra_put(&job->descriptor, control,
		  FIELD_PREP(LUTRA_DESCRIPTOR__CONTROL__OPERATION_bm, cipher->operation[decrypt]));
}

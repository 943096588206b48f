// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/* What transforms of all types have in common: keys for both directions, and the way of a job. */

#include "lutra.h"

/* The only device: a second one is refused. */
static struct lutra_device *lutra_the_device;

/* Whether the firmware of a device has an operation of a mode, with keys of any length. */
bool lutra_cipher_offer(struct lutra_device *ld, const struct lutra_names *names)
{
	lutra_the_device = ld;
	for (; names->key_bytes; names++)
		if (lutra_operation_find(ld, names->operation[0]) >= 0 ||
		    lutra_operation_find(ld, names->operation[1]) >= 0)
			return true;
	return false;
}

void lutra_cipher_init(struct lutra_cipher *cipher)
{
	cipher->ld = lutra_the_device;
}

void lutra_cipher_exit(struct lutra_cipher *cipher)
{
	lutra_key_drop(cipher->ld, &cipher->key[0]);
	lutra_key_drop(cipher->ld, &cipher->key[1]);
}

/* Before the fallback gets a key: it has the flags of its transform. */
void lutra_cipher_flags(struct crypto_tfm *fallback, struct crypto_tfm *tfm)
{
	crypto_tfm_clear_flags(fallback, CRYPTO_TFM_REQ_MASK);
	crypto_tfm_set_flags(fallback, crypto_tfm_get_flags(tfm) & CRYPTO_TFM_REQ_MASK);
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

/* A job without its data. `flags`: those of the request; iv: its row of the descriptor. */
void lutra_job_init(struct lutra_job *job, struct lutra_cipher *cipher, bool decrypt, u32 flags,
		    const u8 iv[LUTRA_IV_BYTES])
{
	memset(job, 0, sizeof(*job));
	INIT_LIST_HEAD(&job->node);
	job->key = cipher->key_of[decrypt];
	job->may_backlog = flags & CRYPTO_TFM_REQ_MAY_BACKLOG;
	job->gfp = flags & CRYPTO_TFM_REQ_MAY_SLEEP ? GFP_KERNEL : GFP_ATOMIC;
	lutra_put(&job->descriptor, control,
		  FIELD_PREP(LUTRA_DESCRIPTOR__CONTROL__OPERATION_bm, cipher->operation[decrypt]));
	memcpy(lutra_word(&job->descriptor, iv), iv, LUTRA_IV_BYTES);
}

/* Maps a job and submits it; `done` unmaps it. */
int lutra_job_start(struct lutra_device *ld, struct lutra_job *job, const struct lutra_span *span)
{
	int ret;

	job->bytes = span->dst_bytes;
	ret = lutra_map(ld, job, span);
	if (ret)
		return ret;
	ret = lutra_submit(ld, job);
	if (ret != -EINPROGRESS && ret != -EBUSY)
		lutra_unmap(ld, job);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/* AES-GCM. */
#include <asm/unaligned.h>
#include <crypto/aes.h>
#include <crypto/gcm.h>
#include <crypto/internal/aead.h>

#include "lutra.h"

struct lutra_aead {
	struct lutra_cipher cipher;
	struct crypto_aead *fallback;
};

struct lutra_aead_request {
	struct lutra_job job;
	struct aead_request fallback; /* last: its transform's context follows */
};

/* Of the only device: a second one is refused. */
static struct lutra_device *lutra_aead_device;
static bool lutra_aead_registered;

static const struct lutra_names lutra_gcm_names[] = {
	{ AES_KEYSIZE_128, { "aes128-gcm-encrypt", "aes128-gcm-decrypt" } },
	{ AES_KEYSIZE_256, { "aes256-gcm-encrypt", "aes256-gcm-decrypt" } },
	{}
};

static void lutra_aead_done(struct lutra_job *job, int error)
{
	struct lutra_aead_request *own = container_of(job, struct lutra_aead_request, job);
	struct aead_request *req = container_of((void *)own, struct aead_request, __ctx);
	struct lutra_aead *ctx = crypto_aead_ctx(crypto_aead_reqtfm(req));

	if (error != -EINPROGRESS)
		lutra_unmap(ctx->cipher.ld, job);
	aead_request_complete(req, error);
}

static int lutra_aead_fall_back(struct aead_request *req, bool decrypt)
{
	struct lutra_aead *ctx = crypto_aead_ctx(crypto_aead_reqtfm(req));
	struct lutra_aead_request *own = aead_request_ctx(req);

	aead_request_set_tfm(&own->fallback, ctx->fallback);
	aead_request_set_callback(&own->fallback, req->base.flags, req->base.complete,
				  req->base.data);
	aead_request_set_crypt(&own->fallback, req->src, req->dst, req->cryptlen, req->iv);
	aead_request_set_ad(&own->fallback, req->assoclen);
	return decrypt ? crypto_aead_decrypt(&own->fallback) : crypto_aead_encrypt(&own->fallback);
}

/* The tag follows the text, in memory as for the device. */
static int lutra_aead_crypt(struct aead_request *req, bool decrypt)
{
	struct crypto_aead *tfm = crypto_aead_reqtfm(req);
	struct lutra_aead *ctx = crypto_aead_ctx(tfm);
	struct lutra_aead_request *own = aead_request_ctx(req);
	unsigned int tag = crypto_aead_authsize(tfm);
	unsigned int text = decrypt ? req->cryptlen - tag : req->cryptlen;
	struct lutra_job *job = &own->job;
	const struct lutra_span span = {
		.src = req->src,
		.dst = req->dst,
		.aad = req->assoclen,
		.src_bytes = req->cryptlen,
		.dst_bytes = decrypt ? text : text + tag,
		.gfp = req->base.flags & CRYPTO_TFM_REQ_MAY_SLEEP ? GFP_KERNEL : GFP_ATOMIC,
	};
	u8 *iv = (u8 *)lutra_word(&job->descriptor, iv);
	int ret;

	if (ctx->cipher.operation[decrypt] < 0 ||
	    req->assoclen > FIELD_MAX(LUTRA_DESCRIPTOR__EXTRA__AAD_bm))
		return lutra_aead_fall_back(req, decrypt);

	lutra_job_init(job, &ctx->cipher, decrypt, req->base.flags);
	job->done = lutra_aead_done;
	job->bytes = span.dst_bytes;
	lutra_put(&job->descriptor, length, text);
	lutra_put(&job->descriptor, extra,
		  FIELD_PREP(LUTRA_DESCRIPTOR__EXTRA__AAD_bm, req->assoclen) |
			  FIELD_PREP(LUTRA_DESCRIPTOR__EXTRA__TAG_bm, tag));
	/* The block that encrypts the tag, SP 800-38D 7.1 step 2. */
	memcpy(iv, req->iv, GCM_AES_IV_SIZE);
	put_unaligned_be32(1, iv + GCM_AES_IV_SIZE);
	ret = lutra_map(ctx->cipher.ld, job, &span);
	if (ret)
		return ret;
	ret = lutra_submit(ctx->cipher.ld, job);
	if (ret != -EINPROGRESS && ret != -EBUSY)
		lutra_unmap(ctx->cipher.ld, job);
	return ret;
}

static int lutra_aead_encrypt(struct aead_request *req)
{
	return lutra_aead_crypt(req, false);
}

static int lutra_aead_decrypt(struct aead_request *req)
{
	return lutra_aead_crypt(req, true);
}

static int lutra_aead_setkey(struct crypto_aead *tfm, const u8 *key, unsigned int length)
{
	struct lutra_aead *ctx = crypto_aead_ctx(tfm);
	int ret;

	crypto_aead_clear_flags(ctx->fallback, CRYPTO_TFM_REQ_MASK);
	crypto_aead_set_flags(ctx->fallback, crypto_aead_get_flags(tfm) & CRYPTO_TFM_REQ_MASK);
	ret = crypto_aead_setkey(ctx->fallback, key, length);
	return ret ?: lutra_cipher_setkey(&ctx->cipher, lutra_gcm_names, key, length);
}

static int lutra_aead_setauthsize(struct crypto_aead *tfm, unsigned int bytes)
{
	struct lutra_aead *ctx = crypto_aead_ctx(tfm);

	return crypto_gcm_check_authsize(bytes) ?: crypto_aead_setauthsize(ctx->fallback, bytes);
}

static int lutra_aead_init(struct crypto_aead *tfm)
{
	struct lutra_aead *ctx = crypto_aead_ctx(tfm);

	ctx->fallback = crypto_alloc_aead("gcm(aes)", 0, CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(ctx->fallback))
		return PTR_ERR(ctx->fallback);
	ctx->cipher.ld = lutra_aead_device;
	crypto_aead_set_reqsize(tfm, sizeof(struct lutra_aead_request) +
					     crypto_aead_reqsize(ctx->fallback));
	return 0;
}

static void lutra_aead_exit(struct crypto_aead *tfm)
{
	struct lutra_aead *ctx = crypto_aead_ctx(tfm);

	lutra_cipher_exit(&ctx->cipher);
	crypto_free_aead(ctx->fallback);
}

static struct aead_alg lutra_gcm = {
	.base.cra_name = "gcm(aes)",
	.base.cra_driver_name = "gcm-aes-lutra",
	.base.cra_priority = 300,
	.base.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |
			  CRYPTO_ALG_KERN_DRIVER_ONLY | CRYPTO_ALG_ALLOCATES_MEMORY,
	.base.cra_blocksize = 1,
	.base.cra_ctxsize = sizeof(struct lutra_aead),
	.base.cra_module = THIS_MODULE,
	.ivsize = GCM_AES_IV_SIZE,
	.maxauthsize = AES_BLOCK_SIZE,
	.chunksize = AES_BLOCK_SIZE,
	.setkey = lutra_aead_setkey,
	.setauthsize = lutra_aead_setauthsize,
	.encrypt = lutra_aead_encrypt,
	.decrypt = lutra_aead_decrypt,
	.init = lutra_aead_init,
	.exit = lutra_aead_exit,
};

/* If the firmware has it. */
int lutra_aead_register(struct lutra_device *ld)
{
	int ret;

	lutra_aead_device = ld;
	if (!lutra_names_any(ld, lutra_gcm_names))
		return 0;
	ret = crypto_register_aead(&lutra_gcm);
	lutra_aead_registered = !ret;
	return ret;
}

void lutra_aead_unregister(void)
{
	if (lutra_aead_registered)
		crypto_unregister_aead(&lutra_gcm);
	lutra_aead_registered = false;
}

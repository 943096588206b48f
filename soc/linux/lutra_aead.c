// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/* AEADs. */
#include <crypto/aes.h>
#include <crypto/chacha.h>
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

struct lutra_aead_alg {
	struct aead_alg alg;
	const struct lutra_names *names;
	u8 row[LUTRA_IV_BYTES]; /* of the IV, with the nonce from `nonce` on */
	unsigned int nonce;
	bool registered;
};

static const struct lutra_names lutra_gcm_names[] = {
	{ AES_KEYSIZE_128, { "aes128-gcm-encrypt", "aes128-gcm-decrypt" } },
	{ AES_KEYSIZE_256, { "aes256-gcm-encrypt", "aes256-gcm-decrypt" } },
	{}
};

static const struct lutra_names lutra_rfc7539_names[] = {
	{ CHACHA_KEY_SIZE, { "chacha20-poly1305-encrypt", "chacha20-poly1305-decrypt" } }, {}
};

static struct lutra_aead_alg *lutra_aead_alg(struct crypto_aead *tfm)
{
	return container_of(crypto_aead_alg(tfm), struct lutra_aead_alg, alg);
}

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
	};
	u8 iv[LUTRA_IV_BYTES];

	if (ctx->cipher.operation[decrypt] < 0 ||
	    req->assoclen > FIELD_MAX(LUTRA_DESCRIPTOR__EXTRA__AAD_bm))
		return lutra_aead_fall_back(req, decrypt);

	memcpy(iv, lutra_aead_alg(tfm)->row, sizeof(iv));
	memcpy(iv + lutra_aead_alg(tfm)->nonce, req->iv, crypto_aead_ivsize(tfm));
	lutra_job_init(job, &ctx->cipher, decrypt, req->base.flags, iv);
	job->done = lutra_aead_done;
	lutra_put(&job->descriptor, length, text);
	lutra_put(&job->descriptor, extra,
		  FIELD_PREP(LUTRA_DESCRIPTOR__EXTRA__AAD_bm, req->assoclen) |
			  FIELD_PREP(LUTRA_DESCRIPTOR__EXTRA__TAG_bm, tag));
	return lutra_job_start(ctx->cipher.ld, job, &span);
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

	lutra_cipher_flags(crypto_aead_tfm(ctx->fallback), crypto_aead_tfm(tfm));
	ret = crypto_aead_setkey(ctx->fallback, key, length);
	return ret ?: lutra_cipher_setkey(&ctx->cipher, lutra_aead_alg(tfm)->names, key, length);
}

/* The fallback knows which sizes the mode has. */
static int lutra_aead_setauthsize(struct crypto_aead *tfm, unsigned int bytes)
{
	struct lutra_aead *ctx = crypto_aead_ctx(tfm);

	return crypto_aead_setauthsize(ctx->fallback, bytes);
}

static int lutra_aead_init(struct crypto_aead *tfm)
{
	struct lutra_aead *ctx = crypto_aead_ctx(tfm);
	const char *name = crypto_tfm_alg_name(crypto_aead_tfm(tfm));

	ctx->fallback = crypto_alloc_aead(name, 0, CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(ctx->fallback))
		return PTR_ERR(ctx->fallback);
	lutra_cipher_init(&ctx->cipher);
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

#define LUTRA_AEAD(name, driver, chunk)                                                            \
	{                                                                                          \
		.base = { LUTRA_ALG(name, driver, 1, struct lutra_aead) },                         \
		.ivsize = 12,                                                                      \
		.maxauthsize = 16,                                                                 \
		.chunksize = chunk,                                                                \
		.setkey = lutra_aead_setkey,                                                       \
		.setauthsize = lutra_aead_setauthsize,                                             \
		.encrypt = lutra_aead_encrypt,                                                     \
		.decrypt = lutra_aead_decrypt,                                                     \
		.init = lutra_aead_init,                                                           \
		.exit = lutra_aead_exit,                                                           \
	}

static struct lutra_aead_alg lutra_aeads[] = {
	/* The block that encrypts the tag, SP 800-38D 7.1 step 2. */
	{ .alg = LUTRA_AEAD("gcm(aes)", "gcm-aes-lutra", AES_BLOCK_SIZE),
	  .names = lutra_gcm_names,
	  .row = { [LUTRA_IV_BYTES - 1] = 1 } },
	/* The counter of the block that makes the key of the MAC, RFC 8439 2.6, is 0. */
	{ .alg = LUTRA_AEAD("rfc7539(chacha20,poly1305)", "rfc7539-chacha20-poly1305-lutra",
			    CHACHA_BLOCK_SIZE),
	  .names = lutra_rfc7539_names,
	  .nonce = sizeof(u32) },
};

/* What the firmware has. */
int lutra_aead_register(struct lutra_device *ld)
{
	struct lutra_aead_alg *alg;
	int ret;

	for (alg = lutra_aeads; alg < lutra_aeads + ARRAY_SIZE(lutra_aeads); alg++) {
		if (!lutra_cipher_offer(ld, alg->names))
			continue;
		ret = crypto_register_aead(&alg->alg);
		if (ret) {
			lutra_aead_unregister();
			return ret;
		}
		alg->registered = true;
	}
	return 0;
}

void lutra_aead_unregister(void)
{
	struct lutra_aead_alg *alg;

	for (alg = lutra_aeads; alg < lutra_aeads + ARRAY_SIZE(lutra_aeads); alg++) {
		if (alg->registered)
			crypto_unregister_aead(&alg->alg);
		alg->registered = false;
	}
}

// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/* AES in counter mode and CBC. */
#include <crypto/aes.h>
#include <crypto/algapi.h>
#include <crypto/internal/skcipher.h>
#include <crypto/scatterwalk.h>

#include "lutra.h"

struct lutra_skcipher {
	struct lutra_cipher cipher;
	struct crypto_skcipher *fallback;
};

struct lutra_skcipher_request {
	struct lutra_job job;
	bool decrypt;
	u8 iv[AES_BLOCK_SIZE];		  /* for the next request */
	struct skcipher_request fallback; /* last: its transform's context follows */
};

struct lutra_skcipher_alg {
	struct skcipher_alg alg;
	const struct lutra_names *names;
	bool chained; /* CBC: the next IV is the last block of ciphertext */
	bool registered;
};

static const struct lutra_names lutra_ctr_names[] = {
	{ AES_KEYSIZE_128, { "aes128-ctr", "aes128-ctr" } },
	{ AES_KEYSIZE_256, { "aes256-ctr", "aes256-ctr" } },
	{}
};

static const struct lutra_names lutra_cbc_names[] = {
	{ AES_KEYSIZE_128, { "aes128-cbc-encrypt", "aes128-cbc-decrypt" } },
	{ AES_KEYSIZE_256, { "aes256-cbc-encrypt", "aes256-cbc-decrypt" } },
	{}
};

static struct lutra_skcipher_alg *lutra_skcipher_alg(struct crypto_skcipher *tfm)
{
	return container_of(crypto_skcipher_alg(tfm), struct lutra_skcipher_alg, alg);
}

static void lutra_skcipher_done(struct lutra_job *job, int error)
{
	struct lutra_skcipher_request *own = container_of(job, struct lutra_skcipher_request, job);
	struct skcipher_request *req = container_of((void *)own, struct skcipher_request, __ctx);
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(req);
	struct lutra_skcipher *ctx = crypto_skcipher_ctx(tfm);

	if (error != -EINPROGRESS) {
		lutra_unmap(ctx->cipher.ld, job);
		if (lutra_skcipher_alg(tfm)->chained && !own->decrypt && !error)
			scatterwalk_map_and_copy(own->iv, req->dst, req->cryptlen - sizeof(own->iv),
						 sizeof(own->iv), 0);
		if (!error)
			memcpy(req->iv, own->iv, sizeof(own->iv));
	}
	skcipher_request_complete(req, error);
}

static int lutra_skcipher_fall_back(struct skcipher_request *req, bool decrypt)
{
	struct lutra_skcipher *ctx = crypto_skcipher_ctx(crypto_skcipher_reqtfm(req));
	struct lutra_skcipher_request *own = skcipher_request_ctx(req);

	skcipher_request_set_tfm(&own->fallback, ctx->fallback);
	skcipher_request_set_callback(&own->fallback, req->base.flags, req->base.complete,
				      req->base.data);
	skcipher_request_set_crypt(&own->fallback, req->src, req->dst, req->cryptlen, req->iv);
	return decrypt ? crypto_skcipher_decrypt(&own->fallback)
		       : crypto_skcipher_encrypt(&own->fallback);
}

static int lutra_skcipher_crypt(struct skcipher_request *req, bool decrypt)
{
	struct crypto_skcipher *tfm = crypto_skcipher_reqtfm(req);
	struct lutra_skcipher *ctx = crypto_skcipher_ctx(tfm);
	struct lutra_skcipher_request *own = skcipher_request_ctx(req);
	bool chained = lutra_skcipher_alg(tfm)->chained;
	struct lutra_job *job = &own->job;
	const struct lutra_span span = {
		.src = req->src,
		.dst = req->dst,
		.src_bytes = req->cryptlen,
		.dst_bytes = req->cryptlen,
	};
	unsigned int blocks;

	if (!req->cryptlen)
		return 0;
	if (chained && req->cryptlen % AES_BLOCK_SIZE)
		return -EINVAL;
	if (ctx->cipher.operation[decrypt] < 0)
		return lutra_skcipher_fall_back(req, decrypt);

	own->decrypt = decrypt;
	if (chained && decrypt) {
		scatterwalk_map_and_copy(own->iv, req->src, req->cryptlen - sizeof(own->iv),
					 sizeof(own->iv), 0);
	} else if (!chained) {
		memcpy(own->iv, req->iv, sizeof(own->iv));
		for (blocks = DIV_ROUND_UP(req->cryptlen, AES_BLOCK_SIZE); blocks; blocks--)
			crypto_inc(own->iv, sizeof(own->iv));
	}
	lutra_job_init(job, &ctx->cipher, decrypt, req->base.flags, req->iv);
	job->done = lutra_skcipher_done;
	lutra_put(&job->descriptor, length, req->cryptlen);
	return lutra_job_start(ctx->cipher.ld, job, &span);
}

static int lutra_skcipher_encrypt(struct skcipher_request *req)
{
	return lutra_skcipher_crypt(req, false);
}

static int lutra_skcipher_decrypt(struct skcipher_request *req)
{
	return lutra_skcipher_crypt(req, true);
}

/* The fallback has the key, too: for a length that the firmware does not take. */
static int lutra_skcipher_setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int length)
{
	struct lutra_skcipher *ctx = crypto_skcipher_ctx(tfm);
	int ret;

	lutra_cipher_flags(crypto_skcipher_tfm(ctx->fallback), crypto_skcipher_tfm(tfm));
	ret = crypto_skcipher_setkey(ctx->fallback, key, length);
	return ret
		       ?: lutra_cipher_setkey(&ctx->cipher, lutra_skcipher_alg(tfm)->names, key,
					      length);
}

static int lutra_skcipher_init(struct crypto_skcipher *tfm)
{
	struct lutra_skcipher *ctx = crypto_skcipher_ctx(tfm);
	const char *name = crypto_tfm_alg_name(crypto_skcipher_tfm(tfm));

	ctx->fallback = crypto_alloc_skcipher(name, 0, CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(ctx->fallback))
		return PTR_ERR(ctx->fallback);
	lutra_cipher_init(&ctx->cipher);
	crypto_skcipher_set_reqsize(tfm, sizeof(struct lutra_skcipher_request) +
						 crypto_skcipher_reqsize(ctx->fallback));
	return 0;
}

static void lutra_skcipher_exit(struct crypto_skcipher *tfm)
{
	struct lutra_skcipher *ctx = crypto_skcipher_ctx(tfm);

	lutra_cipher_exit(&ctx->cipher);
	crypto_free_skcipher(ctx->fallback);
}

#define LUTRA_SKCIPHER(mode, block, is_chained)                                                    \
	{                                                                                          \
		.names = lutra_##mode##_names,                                                     \
		.chained = is_chained,                                                             \
		.alg =                                                                             \
			{                                                                          \
				.base = { LUTRA_ALG(#mode "(aes)", #mode "-aes-lutra", block,      \
						    struct lutra_skcipher) },                      \
				.min_keysize = AES_MIN_KEY_SIZE,                                   \
				.max_keysize = AES_MAX_KEY_SIZE,                                   \
				.ivsize = AES_BLOCK_SIZE,                                          \
				.chunksize = AES_BLOCK_SIZE,                                       \
				.setkey = lutra_skcipher_setkey,                                   \
				.encrypt = lutra_skcipher_encrypt,                                 \
				.decrypt = lutra_skcipher_decrypt,                                 \
				.init = lutra_skcipher_init,                                       \
				.exit = lutra_skcipher_exit,                                       \
			},                                                                         \
	}

static struct lutra_skcipher_alg lutra_skciphers[] = {
	LUTRA_SKCIPHER(ctr, 1, false),
	LUTRA_SKCIPHER(cbc, AES_BLOCK_SIZE, true),
};

/* What the firmware has. */
int lutra_skcipher_register(struct lutra_device *ld)
{
	struct lutra_skcipher_alg *alg;
	int ret;

	for (alg = lutra_skciphers; alg < lutra_skciphers + ARRAY_SIZE(lutra_skciphers); alg++) {
		if (!lutra_cipher_offer(ld, alg->names))
			continue;
		ret = crypto_register_skcipher(&alg->alg);
		if (ret) {
			lutra_skcipher_unregister();
			return ret;
		}
		alg->registered = true;
	}
	return 0;
}

void lutra_skcipher_unregister(void)
{
	struct lutra_skcipher_alg *alg;

	for (alg = lutra_skciphers; alg < lutra_skciphers + ARRAY_SIZE(lutra_skciphers); alg++) {
		if (alg->registered)
			crypto_unregister_skcipher(&alg->alg);
		alg->registered = false;
	}
}

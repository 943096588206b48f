/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Driver of lutra_axi: what its files share. */
#ifndef LUTRA_H
#define LUTRA_H

#include <linux/bitfield.h>
#include <linux/completion.h>
#include <linux/crypto.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/regmap.h>
#include <linux/scatterlist.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "lutra_axi.h"
#include "lutra_codes.h"
#include "lutra_completion.h"
#include "lutra_descriptor.h"
#include "lutra_element.h"
#include "lutra_raw.h"

#define LUTRA_RING 0 /* the only one that may load firmware */
#define LUTRA_RING_LOG2 6
#define LUTRA_RING_ENTRIES BIT(LUTRA_RING_LOG2)
#define LUTRA_MAX_WAITING 128 /* more than these are backlog */
#define LUTRA_MAX_CONTEXTS                                                                         \
	((LUTRA_DESCRIPTOR__CONTROL__CONTEXT_bm >> LUTRA_DESCRIPTOR__CONTROL__CONTEXT_bp) + 1)
#define LUTRA_MAX_OPERATIONS (sizeof_field(lutra_axi_t, operation) / sizeof(u32))
#define LUTRA_IV_BYTES sizeof_field(lutra_descriptor_t, iv)
#define LUTRA_KEY_BYTES (sizeof(lutra_descriptor_t) - offsetof(lutra_descriptor_t, destination_low))

#define LUTRA_REG(member) offsetof(lutra_axi_t, member)
#define LUTRA_RING_REG(member) LUTRA_REG(ring[LUTRA_RING].member)

/* Records in memory are little-endian words. */
#define lutra_word(record, member)                                                                 \
	((__le32 *)((u8 *)(record) + offsetof(typeof(*(record)), member)))
#define lutra_put(record, member, value) (*lutra_word(record, member) = cpu_to_le32(value))
#define lutra_put_address(record, member, address)                                                 \
	do {                                                                                       \
		lutra_put(record, member##_low, lower_32_bits(address));                           \
		lutra_put(record, member##_high, upper_32_bits(address));                          \
	} while (0)

/* A key, and the context of the device that holds it. It is set there when a job needs it. */
struct lutra_key {
	u8 bytes[LUTRA_KEY_BYTES];
	unsigned int length;
	unsigned int operation;	       /* the one that sets it */
	struct lutra_context *context; /* or NULL */
};

struct lutra_context {
	struct lutra_key *owner; /* or NULL */
	bool wipe;		 /* has no owner any more, and still holds a key */
	unsigned int operation;
	u16 generation;
	u64 used; /* count of jobs when it was used last */
};

/* One descriptor and its data. */
struct lutra_job {
	struct list_head node;
	lutra_descriptor_t descriptor; /* all but the handle of the key, and the cookie */
	struct lutra_key *key;	       /* or NULL */
	void (*done)(struct lutra_job *job, int error);
	bool backlog;
	bool may_backlog;
	gfp_t gfp;
	u32 bytes; /* of the destination, that the device has to report */
	/* Mappings. */
	struct scatterlist *src, *dst;
	int src_nents, dst_nents;
	void *lists; /* elements of source and of destination, then associated data */
	size_t lists_bytes;
	dma_addr_t lists_dma;
};

/*
 * What a job reads and writes: bytes of scatterlists after the associated data that both begin
 * with.
 */
struct lutra_span {
	struct scatterlist *src, *dst;
	unsigned int aad;
	unsigned int src_bytes, dst_bytes;
};

struct lutra_slot {
	struct lutra_job *job; /* or NULL: sets or drops a key */
	struct lutra_context *context;
	u16 generation;
};

struct lutra_operation {
	char name[28];
	__le32 word; /* for the register operation[i] */
};

/* The operations of a mode for one length of keys. A list of them ends with length 0. */
struct lutra_names {
	unsigned int key_bytes;
	const char *operation[2]; /* encrypt, decrypt */
};

/* What a transform has, whatever its type. */
struct lutra_cipher {
	struct lutra_device *ld;
	int operation[2]; /* encrypt, decrypt; negative: left to the fallback */
	struct lutra_key key[2];
	struct lutra_key *key_of[2]; /* one for both if they take the same */
};

/* Of the description of an algorithm. type: of the context of its transforms. */
#define LUTRA_ALG(name, driver, block, type)                                                       \
	.cra_name = name, .cra_driver_name = driver, .cra_priority = 300,                          \
	.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK | CRYPTO_ALG_KERN_DRIVER_ONLY |   \
		     CRYPTO_ALG_ALLOCATES_MEMORY,                                                  \
	.cra_blocksize = block, .cra_ctxsize = sizeof(type), .cra_module = THIS_MODULE

struct lutra_device {
	struct device *dev;
	struct regmap *regs;
	void (*cut)(struct lutra_device *ld); /* keep the device from memory */
	int irq;			      /* 0: completions are polled */
	u64 limit;			      /* first address that the device does not reach */

	spinlock_t lock; /* all below */
	lutra_descriptor_t *descriptors;
	lutra_completion_t *completions;
	dma_addr_t descriptors_dma, completions_dma;
	struct lutra_slot slots[LUTRA_RING_ENTRIES];
	u16 tail, head;
	bool stopped; /* nothing is posted: recovery is under way */
	bool dead;
	struct list_head waiting;
	unsigned int waiting_count;
	u64 jobs;
	unsigned int contexts;
	struct lutra_context context[LUTRA_MAX_CONTEXTS];

	struct lutra_operation operations[LUTRA_MAX_OPERATIONS];
	unsigned int operation_count;

	/* Completions are taken by one ordered work queue. */
	struct workqueue_struct *queue;
	struct work_struct take;
	struct delayed_work watch;
	struct hrtimer poll;
	bool polling; /* the timer is to fire; the lock */
	u16 watched;  /* head when the watch began */
};

/* lutra_main.c */
int lutra_start(struct lutra_device *ld);
void lutra_stop(struct lutra_device *ld);

static inline unsigned int lutra_slot(u16 count)
{
	return count % LUTRA_RING_ENTRIES;
}

static inline unsigned int lutra_in_flight(struct lutra_device *ld)
{
	return (u16)(ld->tail - ld->head);
}

/* lutra_submit.c; the lock is held where the name ends in _locked */
extern unsigned int lutra_patience_ms;
int lutra_submit(struct lutra_device *ld, struct lutra_job *job);
void lutra_pump_locked(struct lutra_device *ld, struct list_head *told);
void lutra_poll_later_locked(struct lutra_device *ld);
void lutra_watch_later_locked(struct lutra_device *ld);

/* lutra_ring.c */
int lutra_ring_init(struct lutra_device *ld);
int lutra_ring_enable(struct lutra_device *ld);
void lutra_ring_drain(struct lutra_device *ld);
void lutra_ring_exit(struct lutra_device *ld);
irqreturn_t lutra_interrupt(int irq, void *data);

/* lutra_keys.c; the lock is held where the name ends in _locked */
void lutra_key_drop(struct lutra_device *ld, struct lutra_key *key);
struct lutra_context *lutra_context_choose_locked(struct lutra_device *ld);
void lutra_context_give_locked(struct lutra_context *context, struct lutra_key *key);
void lutra_context_lose_locked(struct lutra_context *context);

/* lutra_map.c */
int lutra_map(struct lutra_device *ld, struct lutra_job *job, const struct lutra_span *span);
void lutra_unmap(struct lutra_device *ld, struct lutra_job *job);

/* lutra_firmware.c */
int lutra_firmware_load(struct lutra_device *ld);
int lutra_operation_find(struct lutra_device *ld, const char *name);
int lutra_operation_key(struct lutra_device *ld, int operation);

/* lutra_cipher.c */
bool lutra_cipher_offer(struct lutra_device *ld, const struct lutra_names *names);
void lutra_cipher_init(struct lutra_cipher *cipher);
void lutra_cipher_exit(struct lutra_cipher *cipher);
void lutra_cipher_flags(struct crypto_tfm *fallback, struct crypto_tfm *tfm);
int lutra_cipher_setkey(struct lutra_cipher *cipher, const struct lutra_names *names,
			const u8 *bytes, unsigned int length);
void lutra_job_init(struct lutra_job *job, struct lutra_cipher *cipher, bool decrypt, u32 flags,
		    const u8 iv[LUTRA_IV_BYTES]);
int lutra_job_start(struct lutra_device *ld, struct lutra_job *job, const struct lutra_span *span);

/* lutra_skcipher.c, lutra_aead.c */
int lutra_skcipher_register(struct lutra_device *ld);
void lutra_skcipher_unregister(void);
int lutra_aead_register(struct lutra_device *ld);
void lutra_aead_unregister(void);

#endif

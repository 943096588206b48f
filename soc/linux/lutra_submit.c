// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Jobs into the ring, in order of submission. What does not fit waits.
 */
#include <linux/dma-mapping.h>
#include <linux/module.h>

#include "lutra.h"

#define LUTRA_POLL_NS 200000 /* between looks at the ring, without an interrupt */

unsigned int lutra_patience_ms = 2000;
module_param_named(patience_ms, lutra_patience_ms, uint, 0444);
MODULE_PARM_DESC(patience_ms,
		 "Time without a completion after which the ring is aborted, and for an abort");

static unsigned int lutra_room(struct lutra_device *ld)
{
	return LUTRA_RING_ENTRIES - lutra_in_flight(ld);
}

static void lutra_write_slot(struct lutra_device *ld, const lutra_descriptor_t *descriptor,
			     u32 handle, const struct lutra_slot *slot)
{
	lutra_descriptor_t *to = &ld->descriptors[lutra_slot(ld->tail)];

	*to = *descriptor;
	*lutra_word(to, control) |= cpu_to_le32(handle);
	lutra_put(to, cookie, ld->tail);
	ld->slots[lutra_slot(ld->tail)] = *slot;
	ld->tail++;
}

static u32 lutra_handle(const struct lutra_context *context, struct lutra_device *ld)
{
	return FIELD_PREP(LUTRA_DESCRIPTOR__CONTROL__CONTEXT_bm, (u32)(context - ld->context)) |
	       FIELD_PREP(LUTRA_DESCRIPTOR__CONTROL__GENERATION_bm, context->generation);
}

/* A key to its context, or zeros where there is none. */
static void lutra_post_key(struct lutra_device *ld, struct lutra_context *context)
{
	const struct lutra_slot slot = { .context = context, .generation = context->generation };
	const struct lutra_key *key = context->owner;
	lutra_descriptor_t descriptor = {};

	lutra_put(&descriptor, control,
		  FIELD_PREP(LUTRA_DESCRIPTOR__CONTROL__OPERATION_bm, context->operation) |
			  LUTRA_DESCRIPTOR__CONTROL__INLINE_PAYLOAD_bm);
	if (key) {
		lutra_put(&descriptor, length, key->length);
		memcpy(lutra_word(&descriptor, destination_low), key->bytes, sizeof(key->bytes));
	}
	lutra_write_slot(ld, &descriptor, lutra_handle(context, ld), &slot);
	memzero_explicit(&descriptor, sizeof(descriptor));
}

static bool lutra_post(struct lutra_device *ld, struct lutra_job *job)
{
	const struct lutra_slot slot = { .job = job };
	struct lutra_key *key = job->key;
	u32 handle = 0;

	if (ld->stopped || lutra_room(ld) < (key && !key->context ? 2 : 1))
		return false;
	if (key) {
		if (!key->context) {
			lutra_context_give_locked(lutra_context_choose_locked(ld), key);
			lutra_post_key(ld, key->context);
		}
		key->context->used = ++ld->jobs;
		handle = lutra_handle(key->context, ld);
	}
	lutra_write_slot(ld, &job->descriptor, handle, &slot);
	return true;
}

/* Without an interrupt there is a look at the ring to come as long as something is in it. */
void lutra_poll_later_locked(struct lutra_device *ld)
{
	ld->polling = !ld->irq && lutra_in_flight(ld);
	if (ld->polling)
		hrtimer_start(&ld->poll, ns_to_ktime(LUTRA_POLL_NS), HRTIMER_MODE_REL);
}

/* Sees to it that progress is watched as long as something is in the ring. */
void lutra_watch_later_locked(struct lutra_device *ld)
{
	if (!lutra_in_flight(ld) || delayed_work_pending(&ld->watch))
		return;
	ld->watched = ld->head;
	queue_delayed_work(ld->queue, &ld->watch, msecs_to_jiffies(lutra_patience_ms));
}

static void lutra_doorbell(struct lutra_device *ld)
{
	dma_wmb(); /* descriptors before the doorbell */
	regmap_write(ld->regs, LUTRA_RING_REG(tail), ld->tail);
	if (!ld->polling)
		lutra_poll_later_locked(ld);
	lutra_watch_later_locked(ld);
}

/*
 * What waits, as far as there is room: first contexts to wipe, then jobs. Jobs that leave the
 * backlog go to a list: their submitters are told without the lock, and before the job can
 * complete, as only the work queue calls this.
 */
void lutra_pump_locked(struct lutra_device *ld, struct list_head *told)
{
	u16 tail = ld->tail;
	struct lutra_job *job;
	unsigned int i;

	for (i = 0; i < ld->contexts && !ld->stopped && lutra_room(ld); i++) {
		if (!ld->context[i].wipe)
			continue;
		ld->context[i].wipe = false;
		lutra_post_key(ld, &ld->context[i]);
	}
	while ((job = list_first_entry_or_null(&ld->waiting, struct lutra_job, node)) &&
	       lutra_post(ld, job)) {
		list_del_init(&job->node);
		ld->waiting_count--;
		if (job->backlog)
			list_add_tail(&job->node, told);
	}
	if (tail != ld->tail)
		lutra_doorbell(ld);
}

/*
 * -EINPROGRESS, -EBUSY for the backlog, or an error; then the job was not taken. Not from a hard
 * IRQ.
 */
int lutra_submit(struct lutra_device *ld, struct lutra_job *job)
{
	int ret = -EINPROGRESS;

	job->backlog = false;
	spin_lock_bh(&ld->lock);
	if (ld->dead) {
		ret = -EIO;
	} else if (list_empty(&ld->waiting) && lutra_post(ld, job)) {
		lutra_doorbell(ld);
	} else if (ld->waiting_count < LUTRA_MAX_WAITING || job->may_backlog) {
		job->backlog = ld->waiting_count >= LUTRA_MAX_WAITING;
		list_add_tail(&job->node, &ld->waiting);
		ld->waiting_count++;
		if (job->backlog)
			ret = -EBUSY;
	} else {
		ret = -ENOSPC;
	}
	spin_unlock_bh(&ld->lock);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Completions out of the ring: each job ends once.
 *
 * They are taken by one ordered work queue, which an interrupt or a timer starts, so callbacks of
 * jobs do not overlap.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>

#include "lutra.h"

static int lutra_errno(struct lutra_device *ld, u32 status)
{
	switch (status) {
	case LUTRA_STATUS_OK:
		return 0;
	case LUTRA_STATUS_TAG_MISMATCH:
		return -EBADMSG;
	case LUTRA_STATUS_TIMEOUT:
	case LUTRA_STATUS_ABORTED:
		return -ETIMEDOUT;
	default:
		dev_err_ratelimited(ld->dev, "a job ended with status %u\n", status);
		return -EIO;
	}
}

/*
 * Takes the slot at the head from the ring; returns its job, or NULL for one that sets a key. The
 * lock is held.
 */
static struct lutra_job *lutra_retire(struct lutra_device *ld, int error)
{
	unsigned int at = lutra_slot(ld->head);
	struct lutra_slot slot = ld->slots[at];

	ld->head++;
	if (slot.job)
		return slot.job;
	/* The descriptor has the key. */
	memzero_explicit(&ld->descriptors[at], sizeof(ld->descriptors[at]));
	if (error && slot.context->generation == slot.generation)
		lutra_context_lose_locked(slot.context);
	return NULL;
}

static void lutra_finish(struct lutra_job *job, int error)
{
	local_bh_disable();
	job->done(job, error);
	local_bh_enable();
}

/*
 * How many have completed, by the device: of a completion whose phase is in memory, words after it
 * may not be there yet.
 */
static u16 lutra_arrived(struct lutra_device *ld)
{
	u32 head;

	if (regmap_read(ld->regs, LUTRA_RING_REG(head), &head))
		return ld->head;
	return FIELD_GET(LUTRA_AXI__RING_PAGE__HEAD__HEAD_bm, head);
}

/* The oldest job if its completion has arrived. */
static bool lutra_take_one(struct lutra_device *ld, u16 arrived, struct lutra_job **job, int *error)
{
	lutra_completion_t *completion = &ld->completions[lutra_slot(ld->head)];
	bool phase = !(ld->head >> LUTRA_RING_LOG2 & 1);
	u32 result, cookie, bytes;

	if (!lutra_in_flight(ld) || arrived == ld->head)
		return false;
	result = le32_to_cpu(READ_ONCE(*lutra_word(completion, result)));
	if (FIELD_GET(LUTRA_COMPLETION__RESULT__PHASE_bm, result) != phase)
		return false;
	dma_rmb(); /* the phase before all else, and before the data */
	cookie = le32_to_cpu(*lutra_word(completion, cookie));
	bytes = le32_to_cpu(*lutra_word(completion, bytes));
	*error = lutra_errno(ld, FIELD_GET(LUTRA_COMPLETION__RESULT__STATUS_bm, result));
	if (cookie != ld->head) {
		dev_err(ld->dev, "completion %u has the cookie %u\n", ld->head, cookie);
		*error = -EIO;
	}
	*job = lutra_retire(ld, *error);
	if (*job && !*error && bytes != (*job)->bytes) {
		dev_err(ld->dev, "%u bytes were written, not %u\n", bytes, (*job)->bytes);
		*error = -EIO;
	}
	return true;
}

static void lutra_tell(struct list_head *told)
{
	struct lutra_job *job, *next;

	list_for_each_entry_safe(job, next, told, node) {
		list_del_init(&job->node);
		lutra_finish(job, -EINPROGRESS);
	}
}

static void lutra_take_all(struct lutra_device *ld)
{
	u16 arrived = lutra_arrived(ld);
	LIST_HEAD(told);
	struct lutra_job *job;
	bool taken;
	int error;

	do {
		job = NULL;
		spin_lock_bh(&ld->lock);
		taken = lutra_take_one(ld, arrived, &job, &error);
		lutra_pump_locked(ld, &told);
		if (!taken)
			lutra_poll_later_locked(ld);
		spin_unlock_bh(&ld->lock);
		lutra_tell(&told);
		if (job)
			lutra_finish(job, error);
	} while (taken);
}

/* After an abort, or when the device is dead: all that is left ends. */
static void lutra_fail_all(struct lutra_device *ld, int error)
{
	struct lutra_job *job;
	bool more;

	do {
		spin_lock_bh(&ld->lock);
		more = lutra_in_flight(ld);
		job = more ? lutra_retire(ld, error) : NULL;
		if (!more && ld->dead) {
			job = list_first_entry_or_null(&ld->waiting, struct lutra_job, node);
			if (job) {
				more = true;
				list_del_init(&job->node);
				ld->waiting_count--;
			}
		}
		spin_unlock_bh(&ld->lock);
		if (job)
			lutra_finish(job, error);
	} while (more);
}

static int lutra_abort(struct lutra_device *ld)
{
	u32 state;

	regmap_write(ld->regs, LUTRA_RING_REG(control),
		     LUTRA_AXI__RING_PAGE__CONTROL__ENABLE_bm |
			     LUTRA_AXI__RING_PAGE__CONTROL__ABORT_bm);
	return regmap_read_poll_timeout(ld->regs, LUTRA_RING_REG(state), state,
					state & LUTRA_AXI__RING_PAGE__STATE__IDLE_bm, 100,
					lutra_patience_ms * USEC_PER_MSEC);
}

/* Aborts the ring and starts it again. A device that does not answer is kept from memory for ever.
 */
static void lutra_recover(struct lutra_device *ld)
{
	LIST_HEAD(told);
	unsigned int i;
	int ret;

	dev_warn(ld->dev, "the ring made no progress: aborting it\n");
	spin_lock_bh(&ld->lock);
	ld->stopped = true;
	spin_unlock_bh(&ld->lock);

	ret = lutra_abort(ld);
	lutra_take_all(ld);
	if (!ret) {
		lutra_fail_all(ld, -ETIMEDOUT);
		ret = lutra_ring_enable(ld);
	}
	if (ret) {
		dev_err(ld->dev, "the device is dead: %d\n", ret);
		ld->cut(ld);
		spin_lock_bh(&ld->lock);
		ld->dead = true;
		spin_unlock_bh(&ld->lock);
		lutra_fail_all(ld, -ETIMEDOUT);
		return;
	}
	spin_lock_bh(&ld->lock);
	for (i = 0; i < ld->contexts; i++)
		lutra_context_lose_locked(&ld->context[i]);
	ld->stopped = false;
	lutra_pump_locked(ld, &told);
	spin_unlock_bh(&ld->lock);
	lutra_tell(&told);
}

static void lutra_take_work(struct work_struct *work)
{
	struct lutra_device *ld = container_of(work, struct lutra_device, take);

	lutra_take_all(ld);
}

static void lutra_watch_work(struct work_struct *work)
{
	struct lutra_device *ld = container_of(to_delayed_work(work), struct lutra_device, watch);
	bool stuck;

	lutra_take_all(ld);
	spin_lock_bh(&ld->lock);
	stuck = lutra_in_flight(ld) && ld->head == ld->watched;
	if (!stuck)
		lutra_watch_later_locked(ld);
	spin_unlock_bh(&ld->lock);
	if (stuck)
		lutra_recover(ld);
}

static enum hrtimer_restart lutra_poll(struct hrtimer *timer)
{
	struct lutra_device *ld = container_of(timer, struct lutra_device, poll);

	queue_work(ld->queue, &ld->take);
	return HRTIMER_NORESTART;
}

/*
 * Thread of the interrupt: clears its cause before it looks, so that what comes later interrupts
 * again.
 */
irqreturn_t lutra_interrupt(int irq, void *data)
{
	struct lutra_device *ld = data;
	u32 causes;

	if (regmap_read(ld->regs, LUTRA_RING_REG(interrupt), &causes) || !causes)
		return IRQ_NONE;
	regmap_write(ld->regs, LUTRA_RING_REG(interrupt), causes);
	regmap_read(ld->regs, LUTRA_RING_REG(interrupt), &causes); /* the write has arrived */
	queue_work(ld->queue, &ld->take);
	return IRQ_HANDLED;
}

/* Empties the ring and has the device begin at its first entry. */
int lutra_ring_enable(struct lutra_device *ld)
{
	const struct reg_sequence sequence[] = {
		{ LUTRA_RING_REG(control), 0 },
		{ LUTRA_RING_REG(descriptors_low), lower_32_bits(ld->descriptors_dma) },
		{ LUTRA_RING_REG(descriptors_high), upper_32_bits(ld->descriptors_dma) },
		{ LUTRA_RING_REG(completions_low), lower_32_bits(ld->completions_dma) },
		{ LUTRA_RING_REG(completions_high), upper_32_bits(ld->completions_dma) },
		{ LUTRA_RING_REG(size), LUTRA_RING_LOG2 },
		{ LUTRA_RING_REG(tail), 0 },
		{ LUTRA_RING_REG(interrupt_enable),
		  ld->irq ? LUTRA_AXI__RING_PAGE__INTERRUPT__COMPLETED_bm |
				    LUTRA_AXI__RING_PAGE__INTERRUPT__STOPPED_bm
			  : 0 },
		{ LUTRA_RING_REG(control), LUTRA_AXI__RING_PAGE__CONTROL__ENABLE_bm },
	};

	memset(ld->descriptors, 0, LUTRA_RING_ENTRIES * sizeof(*ld->descriptors));
	memset(ld->completions, 0, LUTRA_RING_ENTRIES * sizeof(*ld->completions));
	ld->head = 0;
	ld->tail = 0;
	return regmap_multi_reg_write(ld->regs, sequence, ARRAY_SIZE(sequence));
}

int lutra_ring_init(struct lutra_device *ld)
{
	spin_lock_init(&ld->lock);
	INIT_LIST_HEAD(&ld->waiting);
	INIT_WORK(&ld->take, lutra_take_work);
	INIT_DELAYED_WORK(&ld->watch, lutra_watch_work);
	hrtimer_init(&ld->poll, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	ld->poll.function = lutra_poll;
	ld->descriptors =
		dmam_alloc_coherent(ld->dev, LUTRA_RING_ENTRIES * sizeof(*ld->descriptors),
				    &ld->descriptors_dma, GFP_KERNEL);
	ld->completions =
		dmam_alloc_coherent(ld->dev, LUTRA_RING_ENTRIES * sizeof(*ld->completions),
				    &ld->completions_dma, GFP_KERNEL);
	if (!ld->descriptors || !ld->completions)
		return -ENOMEM;
	ld->queue = alloc_ordered_workqueue("lutra", WQ_HIGHPRI | WQ_MEM_RECLAIM);
	return ld->queue ? 0 : -ENOMEM;
}

/* Nothing is submitted any more. Waits until what is in flight has ended, which the watch bounds.
 */
void lutra_ring_drain(struct lutra_device *ld)
{
	bool busy;

	queue_work(ld->queue, &ld->take);
	flush_work(&ld->take);
	do {
		msleep(1);
		spin_lock_bh(&ld->lock);
		busy = lutra_in_flight(ld) || ld->waiting_count;
		spin_unlock_bh(&ld->lock);
	} while (busy);
	regmap_write(ld->regs, LUTRA_RING_REG(control), 0);
}

/* After the interrupt is gone. */
void lutra_ring_exit(struct lutra_device *ld)
{
	cancel_delayed_work_sync(&ld->watch);
	hrtimer_cancel(&ld->poll);
	destroy_workqueue(ld->queue);
	memzero_explicit(ld->descriptors, LUTRA_RING_ENTRIES * sizeof(*ld->descriptors));
}

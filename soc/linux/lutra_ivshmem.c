// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Registers of a device process, through QEMU's shared memory (ivshmem-doorbell, ivshmem-plain).
 *
 * BAR 2 has a mirror of the registers, then the mailbox of lutra_bridge.rdl. A write is posted
 * there, and the doorbell of BAR 0 tells the process. A read waits until all writes are taken, then
 * takes the mirror.
 */
#include <linux/iopoll.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "lutra.h"
#include "lutra_bridge.h"

/* QEMU, docs/specs/ivshmem-spec. */
#define IVSHMEM_VENDOR PCI_VENDOR_ID_REDHAT_QUMRANET
#define IVSHMEM_DEVICE 0x1110
#define IVSHMEM_REGISTERS 0 /* BARs */
#define IVSHMEM_MEMORY 2
#define IVSHMEM_DOORBELL 12 /* the peer in bits 31:16; the process is peer 0 */

#define LUTRA_ENTRIES                                                                              \
	(sizeof_field(lutra_bridge_t, posted) / sizeof_field(lutra_bridge_t, posted[0]))
#define LUTRA_TAKE_US 100000 /* for the process to take a write, and to answer a read */
#define LUTRA_ANSWER_US 2000000

static bool interrupts = true;
module_param(interrupts, bool, 0444);
MODULE_PARM_DESC(interrupts, "Use interrupts; otherwise completions are polled");

struct lutra_ivshmem {
	struct lutra_device ld;
	void __iomem *registers, *mirror, *bridge;
	spinlock_t lock; /* of the queue of posted writes */
	u32 written;
};

#define lutra_ivshmem_taken(li) ((li)->bridge + offsetof(lutra_bridge_t, taken))

/* In any context, so it spins if the queue is full. */
static int lutra_ivshmem_write(void *context, unsigned int offset, unsigned int value)
{
	struct lutra_ivshmem *li = context;
	void __iomem *entry;
	u32 taken;
	int ret;

	spin_lock_bh(&li->lock);
	ret = read_poll_timeout_atomic(ioread32, taken, li->written - taken < LUTRA_ENTRIES, 1,
				       LUTRA_TAKE_US, false, lutra_ivshmem_taken(li));
	if (!ret) {
		entry = li->bridge + offsetof(lutra_bridge_t, posted[0]) +
			li->written % LUTRA_ENTRIES * sizeof_field(lutra_bridge_t, posted[0]);
		iowrite32(offset, entry);
		iowrite32(value, entry + sizeof(u32));
		iowrite32(++li->written, li->bridge + offsetof(lutra_bridge_t, written));
		iowrite32(0, li->registers + IVSHMEM_DOORBELL);
	}
	spin_unlock_bh(&li->lock);
	return ret;
}

/* Sleeps until the writes before it are taken. */
static int lutra_ivshmem_read(void *context, unsigned int offset, unsigned int *value)
{
	struct lutra_ivshmem *li = context;
	u32 written = READ_ONCE(li->written), taken;
	int ret;

	ret = read_poll_timeout(ioread32, taken, (s32)(written - taken) <= 0, 20, LUTRA_ANSWER_US,
				false, lutra_ivshmem_taken(li));
	if (!ret)
		*value = ioread32(li->mirror + offset);
	return ret;
}

static const struct regmap_config lutra_ivshmem_regmap = {
	.reg_bits = 32,
	.reg_stride = sizeof(u32),
	.val_bits = 32,
	.max_register = sizeof(lutra_axi_t) - sizeof(u32),
	.reg_read = lutra_ivshmem_read,
	.reg_write = lutra_ivshmem_write,
	.disable_locking = true, /* the queue has its lock */
};

static void lutra_ivshmem_cut(struct lutra_device *ld)
{
	pci_clear_master(to_pci_dev(ld->dev));
}

static atomic_t lutra_ivshmem_devices = ATOMIC_INIT(0);

static int lutra_ivshmem_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct lutra_ivshmem *li;
	int ret;

	li = devm_kzalloc(&pdev->dev, sizeof(*li), GFP_KERNEL);
	if (!li)
		return -ENOMEM;
	spin_lock_init(&li->lock);
	ret = pcim_enable_device(pdev);
	ret = ret
		      ?: pcim_iomap_regions(pdev, BIT(IVSHMEM_REGISTERS) | BIT(IVSHMEM_MEMORY),
					    "lutra");
	if (ret)
		return ret;
	if (pci_resource_len(pdev, IVSHMEM_MEMORY) < sizeof(lutra_axi_t) + sizeof(lutra_bridge_t))
		return -ENODEV;
	li->registers = pcim_iomap_table(pdev)[IVSHMEM_REGISTERS];
	li->mirror = pcim_iomap_table(pdev)[IVSHMEM_MEMORY];
	li->bridge = li->mirror + sizeof(lutra_axi_t);
	li->written = ioread32(li->bridge + offsetof(lutra_bridge_t, written));
	li->ld.dev = &pdev->dev;
	li->ld.cut = lutra_ivshmem_cut;
	li->ld.regs = devm_regmap_init(&pdev->dev, NULL, li, &lutra_ivshmem_regmap);
	if (IS_ERR(li->ld.regs))
		return PTR_ERR(li->ld.regs);

	/* Algorithms have one device. */
	if (atomic_cmpxchg(&lutra_ivshmem_devices, 0, 1))
		return -EBUSY;
	pci_set_master(pdev);
	if (interrupts && pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSIX) == 1)
		li->ld.irq = pci_irq_vector(pdev, 0);
	pci_set_drvdata(pdev, li);
	ret = lutra_start(&li->ld);
	if (ret) {
		pci_free_irq_vectors(pdev);
		pci_clear_master(pdev);
		atomic_set(&lutra_ivshmem_devices, 0);
		return ret;
	}
	dev_info(&pdev->dev, "%u key contexts, %u operations, completions by %s\n", li->ld.contexts,
		 li->ld.operation_count, li->ld.irq ? "interrupt" : "polling");
	return 0;
}

static void lutra_ivshmem_remove(struct pci_dev *pdev)
{
	struct lutra_ivshmem *li = pci_get_drvdata(pdev);

	lutra_stop(&li->ld);
	pci_free_irq_vectors(pdev);
	pci_clear_master(pdev);
	atomic_set(&lutra_ivshmem_devices, 0);
}

static const struct pci_device_id lutra_ivshmem_ids[] = {
	{ PCI_DEVICE(IVSHMEM_VENDOR, IVSHMEM_DEVICE) }, {}
};
MODULE_DEVICE_TABLE(pci, lutra_ivshmem_ids);

/* Transforms in use keep the module, but would not keep a device from being unbound. */
static struct pci_driver lutra_ivshmem_driver = {
	.name = "lutra",
	.id_table = lutra_ivshmem_ids,
	.probe = lutra_ivshmem_probe,
	.remove = lutra_ivshmem_remove,
	.driver.suppress_bind_attrs = true,
};
module_pci_driver(lutra_ivshmem_driver);

/* The table of what is known of single drivers. A driver without a row is taken for an ordinary one: a channel change
 * resets the link and makes queues and interrupts anew. Each row names where the fact comes from: a function of the
 * kernel's source (6.12), or "measured". */
#include <string.h>

#include <steer/cleanup.h>

#include "drivers.h"

static const struct {
	const char *driver;
	unsigned traits;
} drivers[] = {
	/* bnxt_set_channels: the NIC is closed and opened without the link; bnxt_open: default XPS */
	{ "bnxt_en", DRIVER_KEEPS_LINK | DRIVER_REWRITES_XPS | DRIVER_XDP_LOCKS },
	/* ena_set_channels: with XDP at most half of the queues */
	{ "ena", DRIVER_XDP_LOCKS },
	/* gve_alloc_notify_blocks: the vectors are those of the maximum, requested at probe */
	{ "gve", DRIVER_KEEPS_VECTORS | DRIVER_KEEPS_LINK | DRIVER_REWRITES_XPS },
	{ "gvnic", DRIVER_KEEPS_VECTORS | DRIVER_KEEPS_LINK | DRIVER_REWRITES_XPS },
	{ "hns3", DRIVER_REWRITES_XPS },  /* hns3_nic_net_open */
	{ "i40e", DRIVER_PAUSE_FOLLOWS }, /* i40e_set_pauseparam */
	/* ice_set_pauseparam; ice_vsi_cfg_txq */
	{ "ice", DRIVER_PAUSE_FOLLOWS | DRIVER_REWRITES_XPS },
	{ "idpf", DRIVER_RINGS_REMAKE }, /* idpf_set_ringparam: a soft reset */
	/* igb_set_flag_queue_pairs, igc_set_flag_queue_pairs; igb measured: 8 of 8 paired, 4 and 2 not */
	{ "igb", DRIVER_PAIRS_OVER_HALF },
	{ "igc", DRIVER_PAIRS_OVER_HALF },
	/* mana_gd_setup_irqs: at probe */
	{ "mana", DRIVER_KEEPS_VECTORS },
	/* mlx4_assign_eq: an event queue is never released */
	{ "mlx4_core", DRIVER_KEEPS_VECTORS },
	{ "mlx4_en", DRIVER_KEEPS_VECTORS },
	/* mlx5e_safe_switch_params; mlx5_irq_request: vectors belong to the function; mlx5e_set_pauseparam */
	{ "mlx5_core", DRIVER_KEEPS_VECTORS | DRIVER_KEEPS_LINK | DRIVER_REWRITES_XPS | DRIVER_PAUSE_FORCED },
	{ "nfp", DRIVER_REWRITES_XPS }, /* nfp_net_prepare_vector */
	/* no .set_channels */
	{ "atlantic", DRIVER_FIXED_CHANNELS },
	{ "sfc", DRIVER_FIXED_CHANNELS },
	{ "vmxnet3", DRIVER_FIXED_CHANNELS },
	/* veth_set_channels */
	{ "veth", DRIVER_KEEPS_LINK },
	/* virtnet_set_channels; measured: vectors stay, affinity and XPS of the remaining queues are rewritten */
	{ "virtio_net", DRIVER_KEEPS_VECTORS | DRIVER_KEEPS_LINK | DRIVER_REWRITES_XPS | DRIVER_XDP_LOCKS },
};

bool driver_has(const struct nic *nic, enum driver_trait trait)
{
	for (size_t i = 0; nic->driver && i < COUNT_OF(drivers); i++)
		if (strcmp(drivers[i].driver, nic->driver) == 0)
			return drivers[i].traits & (unsigned)trait;
	return false;
}

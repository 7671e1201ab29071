/* The table of naming rules: what the action names of each driver's interrupts say. Data alone; the text is compared in
 * irq_match.c, and names whose numbers are not queue numbers have their functions in irq_layout.c and irq_rows.c.
 *
 * Rows of a driver are tried in order, the bare name last. A comment names the kernel's function that makes the names,
 * below drivers/net/ethernet if it does not begin with drivers/; "seen" means that tests/vm/observed has them from the
 * driver itself. What no row fits is unknown, never guessed. */
#include "irq_names.h"

#include <steer/cleanup.h>

#define RX IRQ_RX
#define TX IRQ_TX
#define BOTH IRQ_COMBINED
#define CONTROL IRQ_CONTROL
#define UNKNOWN IRQ_UNKNOWN
#define OTHERS IRQ_ROLES /* not this netdev's, though its device lists it */

/* clang-format off */
const struct irq_rule irq_rules[] = {
	/* ---- Intel ---- */
	/* intel/e1000/e1000_main.c:e1000_request_irq; realtek/r8169_main.c:rtl_open; atheros/atl1c/atl1c_main.c, atl1e/atl1e_main.c:
	 * atl1e_request_irq; broadcom/bgmac.c:bgmac_open; ibm/ibmveth.c:ibmveth_open; dec/tulip, via, 8139: request_irq in open */
	{ "e1000 r8169 atl1 atl1c atl1e atl2 bgmac* ibmveth 8139cp 8139too pcnet32 tulip via-rhine via-velocity sis900 jme b44",
	  "<nic>", BOTH, as_bare },
	/* intel/e1000e/netdev.c:e1000_request_msix; seen. A name of 11 characters or more leaves no room for what is behind it */
	{ "e1000e", "<nic>-rx-<n>", RX, as_numbered },
	{ "e1000e", "<nic>-tx-<n>", TX, as_numbered },
	{ "e1000e", "<nic>", BOTH, as_e1000e_rows },
	/* intel/igb/igb_main.c:igb_request_msix, seen; igc/igc_main.c:igc_request_msix; igbvf/netdev.c:igbvf_request_msix;
	 * ixgbe/ixgbe_main.c:ixgbe_request_msix_irqs; ixgbevf/ixgbevf_main.c:ixgbevf_request_msix_irqs;
	 * fm10k/fm10k_pci.c:fm10k_qv_request_irq; atheros/alx/main.c:alx_request_msix */
	{ "igb igc ixgbe ixgbevf fm10k alx", "<nic>-TxRx-<n>", BOTH, as_counted },
	{ "igb igc igbvf ixgbe ixgbevf fm10k alx", "<nic>-rx-<n>", RX, as_counted },
	{ "igb igc igbvf ixgbe ixgbevf fm10k alx", "<nic>-tx-<n>", TX, as_counted },
	{ "igb igc ixgbe ixgbevf alx", "<nic>-unused", CONTROL, NULL },
	{ "ixgbe ixgbevf", "<nic>:<x>", CONTROL, NULL },
	{ "igb igc igbvf ixgbe ixgbevf fm10k alx", "<nic>", BOTH, as_bare },
	/* intel/i40e/i40e_main.c:i40e_vsi_request_irq_msix, i40e_vsi_open; iavf/iavf_main.c:iavf_request_traffic_irqs;
	 * ice/ice_main.c:ice_vsi_req_irq_msix, ice_req_irq_msix_misc; a range is of the vendor's ice from 1.16 */
	{ "i40e", "i40e-<nic>-TxRx-<n>", BOTH, as_counted },
	{ "i40e", "i40e-<nic>-rx-<n>", RX, as_counted },
	{ "i40e", "i40e-<nic>-tx-<n>", TX, as_counted },
	{ "i40e", "i40e-<bus>:<x>", CONTROL, NULL },
	{ "iavf i40evf", "iavf-<nic>-TxRx-<n>", BOTH, as_counted },
	{ "iavf i40evf", "iavf-<nic>-rx-<n>", RX, as_counted },
	{ "iavf i40evf", "iavf-<nic>-tx-<n>", TX, as_counted },
	{ "iavf i40evf", "i40evf-<nic>-TxRx-<n>", BOTH, as_counted },
	{ "iavf i40evf", "iavf-<bus>:<x>", CONTROL, NULL },
	{ "iavf i40evf", "i40evf-<bus>:<x>", CONTROL, NULL },
	{ "ice", "ice-<nic>-TxRx-<n>-<m>", BOTH, as_range },
	{ "ice", "ice-<nic>-TxRx-<n>", BOTH, as_counted },
	{ "ice", "ice-<nic>-rx-<n>", RX, as_counted },
	{ "ice", "ice-<nic>-tx-<n>", TX, as_counted },
	{ "ice", "ice-<bus>:<x>", CONTROL, NULL },
	{ "i40e ice", "irdma-<x>", CONTROL, NULL },
	/* intel/idpf/idpf_txrx.c:idpf_vport_intr_req_irq, idpf_lib.c:idpf_mb_intr_req_irq */
	{ "idpf", "idpf-<nic>-TxRx-<n>", BOTH, as_counted },
	{ "idpf", "idpf-<nic>-Rx-<n>", RX, as_counted },
	{ "idpf", "idpf-<nic>-Tx-<n>", TX, as_counted },
	{ "idpf", "idpf-Mailbox-<n>", CONTROL, NULL },

	/* ---- Broadcom ---- */
	/* broadcom/tg3.c:tg3_request_irq, cut at 15 characters */
	{ "tg3", "<nic>-txrx-<n>", BOTH, as_tg3_vector },
	{ "tg3", "<nic>-tx-<n>", TX, as_numbered },
	{ "tg3", "<nic>-rx-<n>", RX, as_tg3_vector },
	{ "tg3", "<nic>-<n>", UNKNOWN, as_tg3_plain },
	{ "tg3", "<nic>-<x>", UNKNOWN, as_tg3_cut },
	{ "tg3", "<nic>", BOTH, as_bare },
	/* broadcom/bnx2.c:bnx2_enable_msix; a number without a tx ring serves rx alone */
	{ "bnx2", "<nic>-<n>", BOTH, as_counted },
	{ "bnx2", "<nic>", BOTH, as_bare },
	/* broadcom/bnx2x/bnx2x_cmn.c:bnx2x_req_msix_irqs */
	{ "bnx2x", "<nic>-fp-<n>", BOTH, as_numbered },
	{ "bnx2x", "<nic>", BOTH, as_bare },
	/* broadcom/bnxt/bnxt.c:bnxt_setup_msix; drivers/infiniband/hw/bnxt_re/qplib_fp.c:bnxt_qplib_nq_start_irq */
	{ "bnxt_en", "<nic>-TxRx-<n>", BOTH, as_numbered },
	{ "bnxt_en", "<nic>-rx-<n>", RX, as_numbered },
	{ "bnxt_en", "<nic>-tx-<n>", TX, as_bnxt_tx },
	{ "bnxt_en", "bnxt_re-<x>", CONTROL, NULL },
	{ "bnxt_en", "bnxt_qplib_<x>", CONTROL, NULL },
	{ "bnxt_en", "<nic>", BOTH, as_bare },
	/* broadcom/genet/bcmgenet.c:bcmgenet_open; bcmsysport.c:bcm_sysport_open: the same name on every row */
	{ "bcmgenet bcm-genet", "<nic>", UNKNOWN, as_genet_rows },
	{ "bcmsysport brcm-systemport", "<nic>", UNKNOWN, as_sysport_rows },

	/* ---- QLogic, Marvell, Emulex, Chelsio, Solarflare ---- */
	/* qlogic/qede/qede_main.c:qede_init_fp; qed/qed_main.c:qed_slowpath_irq_req */
	{ "qede", "<nic>-fp-<n>", BOTH, as_qede },
	{ "qede", "sp-<x>", CONTROL, NULL },
	{ "qede", "<nic>", BOTH, as_bare },
	/* qlogic/qlcnic/qlcnic_main.c:qlcnic_request_irq; the last ring carries the tx ring */
	{ "qlcnic", "<nic>-tx-<n>-rx-<m>", BOTH, as_qlcnic_mixed },
	{ "qlcnic", "<nic>-rx-<n>", RX, as_numbered },
	{ "qlcnic", "<nic>-tx-<n>", TX, as_numbered },
	{ "qlcnic", "qlcnic", BOTH, as_only },
	{ "qlcnic", "<nic>", BOTH, as_bare },
	/* qlogic/netxen/netxen_nic_main.c:netxen_nic_request_irq */
	{ "netxen_nic", "<nic>[<n>]", RX, as_netxen },
	{ "netxen_nic", "<nic>", BOTH, as_bare },
	/* emulex/benet/be_main.c:be_msix_register */
	{ "be2net", "<nic>-q<n>", BOTH, as_counted },
	{ "be2net", "<nic>", BOTH, as_bare },
	/* chelsio/cxgb4/cxgb4_main.c:setup_sge_queues, cxgb4_uld.c:alloc_uld_rxqs; the vendor's: name_msix_vecs; port 0 names all
	 * that is not data, and what is neither is an upper driver's (-ofld, -rdma, -iscsi, -ciq) */
	{ "cxgb4", "<nic>-Rx<n>", RX, as_numbered },
	{ "cxgb4", "<nic> (queue <n>)", RX, as_numbered },
	{ "cxgb4", "<dev>-<x>", CONTROL, NULL },
	{ "cxgb4", "<dev>", CONTROL, NULL },
	/* chelsio/cxgb4vf/cxgb4vf_main.c:name_msix_vecs; cxgb3/cxgb3_main.c:name_msix_vecs counts over all ports */
	{ "cxgb4vf", "<nic>-<n>", RX, as_numbered },
	{ "cxgb4vf", "<dev>-FWeventq", CONTROL, NULL },
	{ "cxgb3", "<nic>-<n>", RX, as_from_least },
	{ "cxgb3", "<dev>", CONTROL, NULL },
	/* sfc/efx_channels.c:efx_get_channel_name */
	{ "sfc sfc-*", "<nic>-<n>", BOTH, as_counted },
	{ "sfc sfc-*", "<nic>-rx-<n>", RX, as_numbered },
	{ "sfc sfc-*", "<nic>-tx-<n>", TX, as_numbered },
	{ "sfc sfc-*", "<nic>-<x>", CONTROL, NULL },
	{ "sfc sfc-*", "<nic>", BOTH, as_bare },
	/* brocade/bna/bnad.c:bnad_tx_msix_register, bnad_rx_msix_register; myricom/myri10ge/myri10ge.c:myri10ge_request_irq */
	{ "bna", "<nic> TXQ <n>", TX, as_numbered },
	{ "bna", "<nic> CQ <n>", RX, as_numbered },
	{ "bna", "bna", CONTROL, NULL },
	{ "myri10ge", "<nic>:slice-<n>", BOTH, as_numbered },
	{ "myri10ge", "<nic>", BOTH, as_bare },

	/* ---- Mellanox, Netronome, Pensando, Cisco, HiSilicon, Huawei ---- */
	/* mellanox/mlx4/eq.c:mlx4_init_eq_table: the number is an event queue's, from 1; rings choose theirs by affinity. RHEL 6's
	 * own numbers of rings are behind the netdev name */
	{ "mlx4_core mlx4_en", "mlx4-<n>@<bus>", BOTH, NULL },
	{ "mlx4_core mlx4_en", "<nic>-<n>", BOTH, as_numbered },
	{ "mlx4_core mlx4_en", "mlx4_core@pci:<bus>", BOTH, NULL },
	{ "mlx4_core mlx4_en", "mlx4-<x>@pci:<bus>", CONTROL, NULL },
	/* mellanox/mlx5/core/pci_irq.c:irq_set_name, irq_sf_set_name */
	{ "mlx5_core mlx5_core.sf", "mlx5_comp<n>@pci:<bus>", BOTH, as_mlx5_comp },
	{ "mlx5_core mlx5_core.sf", "mlx5_combined<n>@pci:<bus>", BOTH, as_only },
	{ "mlx5_core.sf", "mlx5_sf_comp<n>@pci:<bus>", BOTH, as_numbered },
	{ "mlx5_core", "mlx5_sf_<x>@pci:<bus>", OTHERS, NULL },
	{ "mlx5_core mlx5_core.sf", "mlx5_<x>@pci:<bus>", CONTROL, NULL },
	/* netronome/nfp/nfp_net_common.c:nfp_net_prepare_vector, nfp_net_aux_irq_request */
	{ "nfp", "<nic>-rxtx-<n>", BOTH, as_counted },
	{ "nfp", "<nic>-rx-<n>", RX, as_numbered },
	{ "nfp", "<nic>-tx-<n>", TX, as_numbered },
	{ "nfp", "<nic>-exn", CONTROL, NULL },
	{ "nfp", "<nic>-lsc", CONTROL, NULL },
	/* pensando/ionic/ionic_lif.c:ionic_request_irq; tx rides on the rx vector unless it has its own */
	{ "ionic", "ionic-<nic>-L<m>-rx<n>", BOTH, as_ionic_rx },
	{ "ionic", "ionic-<nic>-L<m>-tx<n>", TX, as_numbered },
	{ "ionic", "ionic-<x>-L<n>-admin<m>", CONTROL, NULL },
	{ "ionic", "ionic-<x>-L<n>-admi", CONTROL, NULL },
	{ "ionic", "ionic-<x>-L<n>-admin", CONTROL, NULL },
	/* cisco/enic/enic_main.c:enic_request_intr */
	{ "enic", "<nic>-rx-<n>", RX, as_numbered },
	{ "enic", "<nic>-tx-<n>", TX, as_numbered },
	{ "enic", "<nic>-err", CONTROL, NULL },
	{ "enic", "<nic>-notify", CONTROL, NULL },
	{ "enic", "<nic>", BOTH, as_bare },
	/* hisilicon/hns3/hns3_enet.c:hns3_nic_init_irq counts rx and tx, so that TxRx steps by two; hns3pf/hclge_main.c */
	{ "hns3", "hns3-<dev>-TxRx-<n>", BOTH, as_hns3_txrx },
	{ "hns3", "hns3-<dev>-Rx-<n>", RX, as_numbered },
	{ "hns3", "hns3-<dev>-Tx-<n>", TX, as_numbered },
	{ "hns3", "hclge-misc-<bus>", CONTROL, NULL },
	{ "hns3", "hclgevf-misc-<bus>", CONTROL, NULL },
	{ "hns3", "hns_roce<x>", CONTROL, NULL },
	{ "hns3", "hns-<x>", CONTROL, NULL },
	/* hisilicon/hns/hns_enet.c:hns_nic_init_irq */
	{ "hns hns_enet hns-nic", "<nic>-tx<n>", TX, as_numbered },
	{ "hns hns_enet hns-nic", "<nic>-rx<n>", RX, as_numbered },
	/* huawei/hinic/hinic_rx.c:rx_request_irq, hinic_tx.c:tx_request_irq, hinic_hw_eqs.c:init_eq */
	{ "hinic", "<nic>_rxq<n>", RX, as_numbered },
	{ "hinic", "<nic>_txq<n>", TX, as_numbered },
	{ "hinic", "hinic_<x>", CONTROL, NULL },

	/* ---- clouds and virtual machines ---- */
	/* amazon/ena/ena_netdev.c:ena_setup_io_intr, ena_setup_mgmnt_intr */
	{ "ena", "<nic>-Tx-Rx-<n>", BOTH, as_numbered },
	{ "ena", "ena-mgmnt@pci:<bus>", CONTROL, NULL },
	/* google/gve/gve_main.c:gve_alloc_notify_blocks: the first half of the blocks is tx, the second rx */
	{ "gve gvnic", "gve-ntfy-blk<n>@pci:<bus>", UNKNOWN, as_gve },
	{ "gve gvnic", "gve-mgmnt@pci:<bus>", CONTROL, NULL },
	{ "gve gvnic", "<nic>-ntfy-block.<n>", UNKNOWN, as_gve },
	{ "gve gvnic", "<nic>-mgmnt", CONTROL, NULL },
	/* microsoft/mana/gdma_main.c:mana_gd_setup_irqs */
	{ "mana", "mana_q<n>@pci:<bus>", BOTH, as_counted },
	{ "mana", "mana_hwc@pci:<bus>", CONTROL, NULL },
	/* drivers/virtio/virtio_pci_common.c:vp_request_msix_vectors, vp_find_vqs_msix, seen */
	{ "virtio_net", "<bus>-input.<n>", RX, as_numbered },
	{ "virtio_net", "<bus>-output.<n>", TX, as_numbered },
	{ "virtio_net", "<bus>-config", CONTROL, NULL },
	{ "virtio_net", "<bus>-control", CONTROL, NULL },
	{ "virtio_net", "<bus>-virtqueues", BOTH, as_only },
	{ "virtio_net", "<bus>", BOTH, as_only },
	/* drivers/net/vmxnet3/vmxnet3_drv.c:vmxnet3_request_irqs, seen: numbers of vectors, tx before rx, the event last */
	{ "vmxnet3", "<nic>-rxtx-<n>", BOTH, as_numbered },
	{ "vmxnet3", "<nic>-tx-<n>", TX, as_numbered },
	{ "vmxnet3", "<nic>-rx-<n>", RX, as_vmxnet3_rx },
	{ "vmxnet3", "<nic>-event-<n>", CONTROL, NULL },
	{ "vmxnet3", "<nic>", BOTH, as_bare },
	/* drivers/net/xen-netfront.c:setup_netfront_split, setup_netfront_single, xennet_init_queue */
	{ "xen-netfront vif", "<dev>-q<n>-tx", TX, as_numbered },
	{ "xen-netfront vif", "<dev>-q<n>-rx", RX, as_numbered },
	{ "xen-netfront vif", "<dev>-q<n>", BOTH, as_numbered },
	{ "xen-netfront vif", "<dev>-tx", TX, as_first },
	{ "xen-netfront vif", "<dev>-rx", RX, as_first },
	{ "xen-netfront vif", "<nic>", BOTH, as_bare },
	/* ibm/ibmvnic.c:init_sub_crq_irqs; ehea/ehea_main.c:ehea_reg_interrupts */
	{ "ibmvnic", "ibmvnic-<bus>-tx<n>", TX, as_numbered },
	{ "ibmvnic", "ibmvnic-<bus>-rx<n>", RX, as_numbered },
	{ "ibmvnic", "ibmvnic-<bus>", CONTROL, NULL },
	{ "ehea", "<nic>-queue<n>", BOTH, as_numbered },
	{ "ehea", "<nic>-aff", CONTROL, NULL },
	{ "ehea", "ehea_neq", CONTROL, NULL },

	/* ---- Marvell, Cavium, Meta, Fungible, Aquantia, Wangxun, AMD ---- */
	/* meta/fbnic/fbnic_txrx.c:fbnic_name_napi_vector, fbnic_irq.c; fungible/funeth/funeth_main.c */
	{ "fbnic", "<dev>-TxRx-<n>", BOTH, as_counted },
	{ "fbnic", "<dev>-Tx-<n>", TX, as_numbered },
	{ "fbnic", "<dev>", CONTROL, NULL },
	{ "funeth", "<nic>-tx-<n>", TX, as_numbered },
	{ "funeth", "<nic>-rx-<n>", RX, as_numbered },
	{ "funeth", "<bus>", CONTROL, NULL },
	/* cavium/liquidio/lio_core.c:octeon_setup_interrupt; thunder/nicvf_main.c:nicvf_register_interrupts */
	{ "LiquidIO LiquidIO_VF liquidio", "LiquidIO<x>-rxtx-<n>", BOTH, as_numbered },
	{ "LiquidIO LiquidIO_VF liquidio", "LiquidIO<x>-aux", CONTROL, NULL },
	{ "nicvf thunder-nicvf", "<nic>-rxtx-<n>", BOTH, as_numbered },
	{ "nicvf thunder-nicvf", "<nic>-sq-<n>", CONTROL, NULL },
	{ "nicvf thunder-nicvf", "<nic>-rbdr-<n>", CONTROL, NULL },
	{ "nicvf thunder-nicvf", "<nic>-qset-err-<n>", CONTROL, NULL },
	{ "nicvf thunder-nicvf", "NICVF Mbox", CONTROL, NULL },
	/* marvell/octeontx2/nic/otx2_pf.c:otx2_open; octeon_ep/octep_main.c:octep_request_irqs; sky2.c:sky2_probe; skge.c:skge_probe */
	{ "rvu_nicpf rvu_nicvf otx2", "<nic>-rxtx-<n>", BOTH, as_counted },
	{ "rvu_nicpf rvu_nicvf otx2", "<nic>-qerr", CONTROL, NULL },
	{ "rvu_nicpf rvu_nicvf otx2", "RVU<x>", CONTROL, NULL },
	{ "octeon_ep octeon_ep_vf", "<nic>-q<n>", BOTH, as_numbered },
	{ "octeon_ep octeon_ep_vf", "<nic>-<x>", CONTROL, NULL },
	{ "sky2", "sky2@pci:<bus>", BOTH, as_only },
	{ "skge", "skge@pci:<bus>", BOTH, as_only },
	{ "sky2 skge", "<nic>", BOTH, as_bare },
	/* aquantia/atlantic/aq_pci_func.c:aq_pci_func_alloc_irq: the netdev name on every row */
	{ "atlantic", "<nic>", UNKNOWN, as_atlantic_rows },
	/* wangxun/ngbe/ngbe_main.c:ngbe_request_msix_irqs, txgbe/txgbe_irq.c: the number is that of the MSI-X entry */
	{ "ngbe txgbe", "<nic>-TxRx-<n>", BOTH, as_from_least },
	{ "ngbe txgbe", "<nic>", BOTH, as_bare },
	{ "txgbe", "<dev>-<x>", CONTROL, NULL },
	/* amd/xgbe/xgbe-drv.c:xgbe_request_irqs */
	{ "amd-xgbe", "<nic>-TxRx-<n>", BOTH, as_counted },
	{ "amd-xgbe", "<nic>-ecc", CONTROL, NULL },
	{ "amd-xgbe", "<nic>-i2c", CONTROL, NULL },
	{ "amd-xgbe", "<nic>-pcs", CONTROL, NULL },
	{ "amd-xgbe", "<nic>", BOTH, as_bare },
	/* the vendor's r8125_n.c:rtl8125_tx_interrupt_with_vector: numbers of MSI-X messages; realtek/rtase/rtase_main.c */
	{ "r8125", "<nic>-<n>", UNKNOWN, as_r8125 },
	{ "r8125", "<nic>", BOTH, as_bare },
	{ "rtase", "<nic>_int<n>", UNKNOWN, as_rtase },
	/* nvidia/forcedeth.c:nv_request_irq; sun/niu.c:niu_set_irq_name; engleder/tsnep_main.c:tsnep_request_irq */
	{ "forcedeth", "<nic>-rx", RX, as_first },
	{ "forcedeth", "<nic>-tx", TX, as_first },
	{ "forcedeth", "<nic>-other", CONTROL, NULL },
	{ "forcedeth", "<nic>", BOTH, as_bare },
	{ "niu tsnep", "<nic>-rx-<n>", RX, as_numbered },
	{ "niu tsnep", "<nic>-tx-<n>", TX, as_numbered },
	{ "niu", "<nic>:<x>", CONTROL, NULL },
	{ "tsnep", "<nic>-txrx-<n>", BOTH, as_numbered },
	{ "tsnep", "<nic>-mac", CONTROL, NULL },

	/* ---- systems on a chip ---- */
	/* stmicro/stmmac/stmmac_main.c:stmmac_request_irq_multi_msi, stmmac_request_irq_single */
	{ "stmmac* *dwmac* *gmac* intel-eth-pci dwc-eth-dwmac", "<nic>:rx-<n>", RX, as_numbered },
	{ "stmmac* *dwmac* *gmac* intel-eth-pci dwc-eth-dwmac", "<nic>:tx-<n>", TX, as_numbered },
	{ "stmmac* *dwmac* *gmac* intel-eth-pci dwc-eth-dwmac", "<nic>:<x>", CONTROL, NULL },
	{ "stmmac* *dwmac* *gmac* intel-eth-pci dwc-eth-dwmac", "<nic>", BOTH, as_bare },
	/* freescale/fec_main.c:fec_probe: the device's name on every row; a numbered form was proposed in 2024 */
	{ "fec", "<bus>-RxTx<n>", BOTH, as_numbered },
	{ "fec", "<bus>-RxTx<n>+misc", BOTH, as_numbered },
	{ "fec", "<bus>-PPS", CONTROL, NULL },
	{ "fec", "<bus>", UNKNOWN, as_fec_rows },
	/* freescale/gianfar.c:gfar_probe, register_grp_irqs: groups are queues unless it is set up otherwise */
	{ "gianfar fsl-gianfar", "<nic>_g<n>_tx", TX, as_counted },
	{ "gianfar fsl-gianfar", "<nic>_g<n>_rx", RX, as_counted },
	{ "gianfar fsl-gianfar", "<nic>_g<n>_er", CONTROL, NULL },
	{ "gianfar fsl-gianfar", "<nic>", BOTH, as_bare },
	/* freescale/dpaa2/dpaa2-eth.c:dpaa2_eth_setup_irqs; its queues are served by DPIO objects of no netdev */
	{ "fsl_dpaa2_eth dpaa2-eth", "<bus>", CONTROL, NULL },
	/* freescale/enetc/enetc.c:enetc_setup_irqs: one rx ring and some tx rings a vector */
	{ "fsl_enetc fsl_enetc_vf enetc nxp_enetc4", "<nic>-rxtx<n>", BOTH, as_counted },
	{ "fsl_enetc fsl_enetc_vf enetc nxp_enetc4", "<nic>-vfmsg", CONTROL, NULL },
	{ "fsl_enetc fsl_enetc_vf enetc nxp_enetc4", "enetc_ptp", CONTROL, NULL },
	/* cadence/macb_main.c:macb_init; marvell/mvneta.c:mvneta_open; marvell/mvpp2/mvpp2_main.c:mvpp2_irqs_init, where every
	 * queue vector and the link's have the same name */
	{ "macb", "<nic>", BOTH, as_macb_rows },
	{ "mvneta", "<nic>", BOTH, NULL },
	{ "mvpp2", "<nic>", UNKNOWN, NULL },
	/* mediatek/mtk_eth_soc.c:mtk_probe; ti/cpsw.c:cpsw_probe: the device's name on every row */
	{ "mtk_eth_soc mtk_soc_eth", "<bus>", UNKNOWN, as_mtk_rows },
	{ "cpsw cpsw-switch", "<bus>", UNKNOWN, as_cpsw_rows },
	/* ti/am65-cpsw-nuss.c:am65_cpsw_nuss_ndev_add_tx_napi, am65_cpsw_nuss_init_rx_chns; the channels serve all ports */
	{ "am65-cpsw-nuss", "<bus>-tx<n>", TX, as_numbered },
	{ "am65-cpsw-nuss", "<bus>-rx<n>", RX, as_numbered },
	{ "am65-cpsw-nuss", "<bus>-rx", RX, as_first },
	{ "am65-cpsw-nuss", "<bus>", CONTROL, NULL },
	/* renesas/ravb_main.c:ravb_setup_irqs: best effort is queue 0, network control 1; the channel is hardware's */
	{ "ravb", "<dev>:ch<n>:rx_be", RX, as_first },
	{ "ravb", "<dev>:ch<n>:rx_nc", RX, as_second },
	{ "ravb", "<dev>:ch<n>:tx_be", TX, as_first },
	{ "ravb", "<dev>:ch<n>:tx_nc", TX, as_second },
	{ "ravb", "<dev>:<x>", CONTROL, NULL },
	{ "ravb", "<dev>", BOTH, as_only },
	/* apm/xgene/xgene_enet_main.c:xgene_enet_set_irq_name; socionext/netsec.c:netsec_netdev_open */
	{ "xgene-enet", "<nic>-rx-<n>", RX, as_numbered },
	{ "xgene-enet", "<nic>-txc-<n>", TX, as_numbered },
	{ "xgene-enet", "<nic>-rx-txc", BOTH, as_only },
	{ "netsec", "netsec", BOTH, as_only },
	/* xilinx/xilinx_axienet_main.c:axienet_open; microchip/lan743x_main.c:lan743x_intr_register_isr, one name for all vectors */
	{ "xilinx_axienet axienet", "<nic>", UNKNOWN, as_axienet_rows },
	{ "lan743x", "lan743x", BOTH, as_bare },
	/* ibm/emac/mal.c:mal_probe: shared by all ports */
	{ "emac", "MAL TX EOB", TX, NULL },
	{ "emac", "MAL RX EOB", RX, NULL },
	{ "emac", "MAL <x>", CONTROL, NULL },

	/* ---- drivers without a row: forms that many share, if the numbers leave no doubt ---- */
	{ NULL, "<nic>-TxRx-<n>", BOTH, as_consecutive },
	{ NULL, "<nic>-Tx-Rx-<n>", BOTH, as_consecutive },
	{ NULL, "<nic>-rxtx-<n>", BOTH, as_consecutive },
	{ NULL, "<nic>-txrx-<n>", BOTH, as_consecutive },
	{ NULL, "<nic>-fp-<n>", BOTH, as_consecutive },
	{ NULL, "<nic>-rx-<n>", RX, as_consecutive },
	{ NULL, "<nic>-tx-<n>", TX, as_consecutive },
	{ NULL, "<nic>:rx-<n>", RX, as_consecutive },
	{ NULL, "<nic>:tx-<n>", TX, as_consecutive },
	{ NULL, "<nic>-<x>", UNKNOWN, NULL },
	{ NULL, "<nic>:<x>", UNKNOWN, NULL },
	{ NULL, "<dev>", BOTH, as_bare_general },
};
/* clang-format on */

const size_t n_irq_rules = COUNT_OF(irq_rules);

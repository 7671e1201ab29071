/* Puts the VLAN tag of its network on each frame that an endpoint sends, and takes it off behind the router: the host's
 * kernel may lack 802.1q. Compiled with the three interface indexes; attached by tc to the ingress of each. */
#define __section(name) __attribute__((section(name), used))

/* linux/bpf.h, of which a machine without kernel headers has nothing: numbers of helpers, and the head of the context
 */
static long (*const skb_vlan_push)(void *skb, unsigned short protocol, unsigned short vid) = (void *)18;
static long (*const skb_vlan_pop)(void *skb) = (void *)19;
static long (*const redirect)(unsigned ifindex, unsigned long long flags) = (void *)23;

struct context { /* struct __sk_buff */
	unsigned len, pkt_type, mark, queue_mapping, protocol, vlan_present, vlan_tci;
};

enum { DROP = 2, VLAN_ID = 0xfff, BIG_ENDIAN_8021Q = 0x0081 };

static int tagged(struct context *skb, unsigned short vid)
{
	return skb_vlan_push(skb, BIG_ENDIAN_8021Q, vid) ? DROP : (int)redirect(ROUTER, 0);
}

__section("lan") int from_lan(struct context *skb)
{
	return tagged(skb, 1);
}

__section("wan") int from_wan(struct context *skb)
{
	return tagged(skb, 2);
}

__section("router") int from_router(struct context *skb)
{
	unsigned vid = skb->vlan_tci & VLAN_ID;

	if (!skb->vlan_present || skb_vlan_pop(skb))
		return DROP;
	return (int)redirect(vid == 1 ? LAN : WAN, 0);
}

/* Sends netlink requests and waits for their answers, with errno and text as the kernel gave them; knows nothing of
 * what they mean. */
#include "netlink.h"

#include <errno.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include <steer/cleanup.h>

#include "private.h"

enum {
	ANSWER_SECONDS = 5, /* the kernel does what is asked while it is sent: an answer waits already, or is lost */
	BUFFER_SIZE = 64 << 10, /* the features of a device are the longest message: 12 KiB */
};

struct netlink {
	struct nl_sock *socket;
	struct nl_cb *callbacks;

	/* the request under way */
	uint32_t sequence;
	bool dump, done, interrupted;
	int error;
	char *said;
	netlink_take *take;
	void *context;
};

/* ---- what comes back ------------------------------------------------------------------------------------------- */

/* An answer to a request that was given up comes late: it is none to this one. */
static int on_sequence(struct nl_msg *message, void *arg)
{
	const struct netlink *netlink = arg;

	return nlmsg_hdr(message)->nlmsg_seq == netlink->sequence ? NL_OK : NL_SKIP;
}

/* The parts of a dump do not always say so: those of the netdev family lack NLM_F_MULTI. */
static int on_answer(struct nl_msg *message, void *arg)
{
	struct netlink *netlink = arg;

	if (netlink->take)
		netlink->take(nlmsg_hdr(message), netlink->context);
	netlink->done = !netlink->dump;
	return NL_OK;
}

/* The explanation stands behind the echoed request, or at once behind the error where the request is capped. */
static void keep_said(struct netlink *netlink, struct nlmsghdr *header)
{
	struct nlmsgerr *error = nlmsg_data(header);
	size_t before = sizeof *error;
	struct nlattr *text;

	if (!(header->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(header->nlmsg_flags & NLM_F_CAPPED))
		before += NLMSG_ALIGN(error->msg.nlmsg_len) - NLMSG_HDRLEN;
	if (NLMSG_HDRLEN + before > header->nlmsg_len)
		return;
	text = nlmsg_find_attr(header, (int)before, NLMSGERR_ATTR_MSG);
	if (!text || nla_len(text) <= 0)
		return;
	free(netlink->said);
	netlink->said = text_format("%.*s", nla_len(text), (const char *)nla_data(text));
}

static int on_ack(struct nl_msg *message, void *arg)
{
	struct netlink *netlink = arg;

	keep_said(netlink, nlmsg_hdr(message));
	netlink->done = true;
	return NL_OK;
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *error, void *arg)
{
	struct netlink *netlink = arg;

	(void)from;
	netlink->error = error->error;
	keep_said(netlink, (struct nlmsghdr *)(void *)((char *)error - NLMSG_HDRLEN));
	netlink->done = true;
	return NL_STOP;
}

/* A dump ends by a message that holds its result. */
static int on_finish(struct nl_msg *message, void *arg)
{
	struct netlink *netlink = arg;
	struct nlmsghdr *header = nlmsg_hdr(message);

	if (nlmsg_datalen(header) >= (int)sizeof(int)) {
		int result;

		memcpy(&result, nlmsg_data(header), sizeof result);
		if (result < 0)
			netlink->error = result;
	}
	netlink->done = true;
	return NL_OK;
}

static int on_interrupted(struct nl_msg *message, void *arg)
{
	struct netlink *netlink = arg;

	(void)message;
	netlink->interrupted = true;
	return NL_OK;
}

/* ---- sockets --------------------------------------------------------------------------------------------------- */

static int set_callbacks(struct netlink *netlink)
{
	netlink->callbacks = nl_cb_alloc(NL_CB_CUSTOM);
	if (!netlink->callbacks)
		return -ENOMEM;
	nl_cb_set(netlink->callbacks, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, on_sequence, netlink);
	nl_cb_set(netlink->callbacks, NL_CB_VALID, NL_CB_CUSTOM, on_answer, netlink);
	nl_cb_set(netlink->callbacks, NL_CB_ACK, NL_CB_CUSTOM, on_ack, netlink);
	nl_cb_set(netlink->callbacks, NL_CB_FINISH, NL_CB_CUSTOM, on_finish, netlink);
	nl_cb_set(netlink->callbacks, NL_CB_DUMP_INTR, NL_CB_CUSTOM, on_interrupted, netlink);
	nl_cb_err(netlink->callbacks, NL_CB_CUSTOM, on_error, netlink);
	return 0;
}

static void netlink_closep(struct netlink **netlink)
{
	netlink_close(*netlink);
	*netlink = NULL;
}

int netlink_open(int protocol, struct netlink **ret)
{
	CLEANUP(netlink_closep) struct netlink *netlink = alloc_zero(1, sizeof *netlink);
	const struct timeval limit = { .tv_sec = ANSWER_SECONDS };
	int r, fd, yes = 1;

	netlink->socket = nl_socket_alloc();
	if (!netlink->socket)
		return -ENOMEM;
	r = set_callbacks(netlink);
	if (r < 0)
		return r;
	nl_socket_disable_auto_ack(netlink->socket); /* an answer is confirmation enough, and one message less */
	nl_socket_disable_msg_peek(netlink->socket);
	errno = 0;
	r = nl_connect(netlink->socket, protocol);
	if (r < 0)
		return errno ? -errno : -EIO;
	nl_socket_set_msg_buf_size(netlink->socket, BUFFER_SIZE);
	fd = nl_socket_get_fd(netlink->socket);
	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) < 0)
		return -errno;
	/* kernels before 4.12 and 4.3 lack these: there is no explanation then, and nothing else is lost */
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &yes, sizeof yes);
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &yes, sizeof yes);
	*ret = TAKE(netlink);
	return 0;
}

void netlink_close(struct netlink *netlink)
{
	if (!netlink)
		return;
	nl_cb_put(netlink->callbacks);
	nl_socket_free(netlink->socket);
	free(netlink->said);
	free(netlink);
}

static int open_once(int protocol, struct netlink **socket, struct netlink **ret)
{
	int r = *socket ? 0 : netlink_open(protocol, socket);

	if (r == 0)
		*ret = *socket;
	return r;
}

int netlink_route(struct host *host, struct netlink **ret)
{
	return open_once(NETLINK_ROUTE, &host->route, ret);
}

int netlink_generic(struct host *host, struct netlink **ret)
{
	return open_once(NETLINK_GENERIC, &host->generic, ret);
}

/* ---- requests -------------------------------------------------------------------------------------------------- */

static void begin(struct netlink *netlink, struct nl_msg *message, netlink_take *take, void *context)
{
	netlink->dump = (nlmsg_hdr(message)->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	netlink->done = netlink->interrupted = false;
	netlink->error = 0;
	netlink->take = take;
	netlink->context = context;
	free_string(&netlink->said);
}

static int receive(struct netlink *netlink)
{
	while (!netlink->done) {
		int r;

		errno = 0;
		r = nl_recvmsgs(netlink->socket, netlink->callbacks);
		if (netlink->done)
			break;
		if (r == -NLE_AGAIN)
			return -ETIMEDOUT;
		if (r < 0)
			return errno ? -errno : -EIO;
	}
	if (netlink->error)
		return netlink->error;
	return netlink->interrupted ? -EINTR : 0;
}

int netlink_request(struct netlink *netlink, struct nl_msg *message, netlink_take *take, void *context, char **ret_said)
{
	int r;

	begin(netlink, message, take, context);
	nl_complete_msg(netlink->socket, message);
	netlink->sequence = nlmsg_hdr(message)->nlmsg_seq;
	errno = 0;
	if (nl_send(netlink->socket, message) < 0)
		return errno ? -errno : -EIO;
	r = receive(netlink);
	if (ret_said)
		*ret_said = TAKE(netlink->said);
	return r;
}

void free_message(struct nl_msg **message)
{
	nlmsg_free(*message);
	*message = NULL;
}

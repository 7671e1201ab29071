/* Generic netlink above the socket, which is this file: an inconsistent dump is asked for again, a family once. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <steer/cleanup.h>

#include "host/genl.h"

/* ---- the socket ------------------------------------------------------------------------------------------------ */

struct nl_msg *nlmsg_alloc(void); /* netlink/msg.h, which tests do not see */
void nlmsg_free(struct nl_msg *message);

static unsigned requests;
static int answers[8]; /* to the first request, the second, ... */

int netlink_request(struct netlink *netlink, struct nl_msg *message, netlink_take *take, void *context, char **ret_said)
{
	(void)netlink;
	(void)take;
	(void)context;
	(void)ret_said;
	assert_non_null(message);
	return answers[requests++];
}

void free_message(struct nl_msg **message)
{
	nlmsg_free(*message);
	*message = NULL;
}

static int quiet(void **state)
{
	(void)state;
	requests = 0;
	for (size_t i = 0; i < COUNT_OF(answers); i++)
		answers[i] = 0;
	return 0;
}

/* ---- dumps ----------------------------------------------------------------------------------------------------- */

static void count(void *context)
{
	++*(unsigned *)context;
}

static int dump(unsigned *ret_forgotten)
{
	CLEANUP(free_message) struct nl_msg *message = nlmsg_alloc();

	*ret_forgotten = 0;
	return genl_dump(NULL, message, NULL, count, ret_forgotten);
}

static void consistent(void **state)
{
	unsigned forgotten;

	(void)state;
	assert_int_equal(dump(&forgotten), 0);
	assert_int_equal(requests, 1);
	assert_int_equal(forgotten, 0);
}

static void inconsistent_at_first(void **state)
{
	unsigned forgotten;

	(void)state;
	answers[0] = answers[1] = answers[2] = -EINTR;
	assert_int_equal(dump(&forgotten), 0);
	assert_int_equal(requests, 4);
	assert_int_equal(forgotten, 3); /* what each attempt had told */
}

static void never_consistent(void **state)
{
	unsigned forgotten;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(answers); i++)
		answers[i] = -EINTR;
	assert_int_equal(dump(&forgotten), -EINTR);
	assert_int_equal(requests, 5);
}

static void refused(void **state)
{
	unsigned forgotten;

	(void)state;
	answers[0] = -EOPNOTSUPP;
	assert_int_equal(dump(&forgotten), -EOPNOTSUPP);
	assert_int_equal(requests, 1);
}

/* ---- families -------------------------------------------------------------------------------------------------- */

static void no_such_family(void **state)
{
	uint16_t known = 0;

	(void)state;
	answers[0] = -ENOENT;
	assert_int_equal(genl_family(NULL, "netdev", &known), -EOPNOTSUPP);
	assert_int_equal(genl_family(NULL, "netdev", &known), -EOPNOTSUPP); /* an answer without a number */
	answers[2] = -ETIMEDOUT;
	assert_int_equal(genl_family(NULL, "netdev", &known), -ETIMEDOUT);
	assert_int_equal(known, 0);
}

static void known_family(void **state)
{
	uint16_t known = 21;

	(void)state;
	assert_int_equal(genl_family(NULL, "netdev", &known), 0);
	assert_int_equal(requests, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(consistent, quiet),       cmocka_unit_test_setup(inconsistent_at_first, quiet),
		cmocka_unit_test_setup(never_consistent, quiet), cmocka_unit_test_setup(refused, quiet),
		cmocka_unit_test_setup(no_such_family, quiet),   cmocka_unit_test_setup(known_family, quiet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

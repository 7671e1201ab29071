/* Who is let in to the control socket, and whose turn it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "control/turns.h"

enum { ROOT = 0, ANNA = 1000, BERT = 1001 };

struct crowd {
	struct client_state clients[CLIENTS_ALL];
	size_t n;
};

static void join(struct crowd *crowd, uid_t user, bool idle, uint64_t active, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		crowd->clients[crowd->n++] = (struct client_state){ .user = user, .idle = idle, .active = active };
}

static enum admission admit(const struct crowd *crowd, uid_t user, size_t *ret)
{
	return turns_admit(crowd->clients, crowd->n, user, ret);
}

/* ---- letting in ------------------------------------------------------------------------------------------------- */

static void lets_a_user_in_so_often(void **state)
{
	struct crowd crowd = { 0 };
	size_t instead = 99;

	(void)state;
	join(&crowd, ANNA, false, 1, CLIENTS_EACH_USER - 1);
	assert_int_equal(admit(&crowd, ANNA, &instead), ADMIT);
	join(&crowd, ANNA, false, 1, 1);
	assert_int_equal(admit(&crowd, ANNA, &instead), ADMIT_NOT);
	assert_int_equal(admit(&crowd, BERT, &instead), ADMIT);
	assert_int_equal(admit(&crowd, ROOT, &instead), ADMIT);
	assert_int_equal(instead, 99);
}

static void the_longest_idle_makes_room(void **state)
{
	struct crowd crowd = { 0 };
	size_t instead = 0;

	(void)state;
	join(&crowd, BERT, true, 0, 1);
	join(&crowd, ANNA, false, 1, CLIENTS_EACH_USER - 3);
	join(&crowd, ANNA, true, 7, 1);
	join(&crowd, ANNA, true, 5, 1);
	join(&crowd, ANNA, true, 6, 1);
	assert_int_equal(admit(&crowd, ANNA, &instead), ADMIT_INSTEAD);
	assert_int_equal(crowd.clients[instead].active, 5);
	join(&crowd, ANNA, true, 0, 1); /* one that never said anything goes before those that did */
	assert_int_equal(admit(&crowd, ANNA, &instead), ADMIT_INSTEAD);
	assert_int_equal(instead, crowd.n - 1);
}

static void the_slow_make_room_when_nobody_is_idle(void **state)
{
	struct crowd crowd = { 0 };
	size_t instead = 0;

	(void)state;
	join(&crowd, ANNA, false, 1, CLIENTS_EACH_USER);
	crowd.clients[4].slow = crowd.clients[7].slow = true;
	crowd.clients[4].active = 9;
	crowd.clients[7].active = 8;
	assert_int_equal(admit(&crowd, ANNA, &instead), ADMIT_INSTEAD);
	assert_int_equal(instead, 7);
	crowd.clients[2].idle = true;
	crowd.clients[2].active = 10;
	assert_int_equal(admit(&crowd, ANNA, &instead), ADMIT_INSTEAD);
	assert_int_equal(instead, 2);
}

static void the_eager_make_room_when_nobody_else_does(void **state)
{
	struct crowd crowd = { 0 };
	size_t instead = 0;

	(void)state;
	join(&crowd, ANNA, false, 1, CLIENTS_EACH_USER);
	for (size_t i = 0; i < crowd.n; i++) {
		crowd.clients[i].waits = true;
		crowd.clients[i].queued = QUEUED_MANY;
	}
	assert_int_equal(admit(&crowd, ANNA, &instead), ADMIT_NOT);
	crowd.clients[3].queued = QUEUED_MANY + 1;
	crowd.clients[5].queued = QUEUED_MANY + 2;
	assert_int_equal(admit(&crowd, ANNA, &instead), ADMIT_INSTEAD);
	assert_int_equal(instead, 5);
	crowd.clients[9].slow = true;
	assert_int_equal(admit(&crowd, ANNA, &instead), ADMIT_INSTEAD);
	assert_int_equal(instead, 9);
}

static void root_has_places_of_its_own(void **state)
{
	struct crowd crowd = { 0 };
	size_t instead;

	(void)state;
	for (uid_t user = ANNA; crowd.n < CLIENTS_ALL - CLIENTS_ROOT; user++)
		join(&crowd, user, true, 1, CLIENTS_EACH_USER);
	assert_int_equal(crowd.n, CLIENTS_ALL - CLIENTS_ROOT);
	assert_int_equal(admit(&crowd, 4000, &instead), ADMIT_NOT); /* nobody else's connection is ended for it */
	assert_int_equal(admit(&crowd, ROOT, &instead), ADMIT);
	assert_int_equal(admit(&crowd, ANNA, &instead), ADMIT_INSTEAD);
	assert_int_equal(crowd.clients[instead].user, ANNA);
}

/* ---- turns ------------------------------------------------------------------------------------------------------ */

static void nobody_waits(void **state)
{
	struct crowd crowd = { 0 };

	(void)state;
	assert_int_equal(turns_next(crowd.clients, 0), 0);
	join(&crowd, ANNA, true, 1, 3);
	assert_int_equal(turns_next(crowd.clients, crowd.n), 3);
}

/* Serves whoever is next, as the socket does: its user was served now. */
static uid_t serve(struct crowd *crowd, uint64_t turn)
{
	size_t next = turns_next(crowd->clients, crowd->n);
	uid_t user = crowd->clients[next].user;

	assert_true(next < crowd->n);
	crowd->clients[next].waits = false;
	for (size_t i = 0; i < crowd->n; i++)
		if (crowd->clients[i].user == user)
			crowd->clients[i].served = turn;
	return user;
}

static void users_take_turns(void **state)
{
	struct crowd crowd = { 0 };
	unsigned anna = 0;

	(void)state;
	join(&crowd, ANNA, false, 1, CLIENTS_EACH_USER);
	join(&crowd, BERT, false, 50, 2);
	for (size_t i = 0; i < crowd.n; i++)
		crowd.clients[i].waits = true;
	for (uint64_t turn = 100; turn < 104; turn++)
		anna += serve(&crowd, turn) == ANNA;
	assert_int_equal(anna, 2); /* many connections are no more than two */
	for (uint64_t turn = 104; turn < 104 + CLIENTS_EACH_USER - 2; turn++)
		assert_int_equal(serve(&crowd, turn), ANNA);
	assert_int_equal(turns_next(crowd.clients, crowd.n), crowd.n);
}

static void first_come_first_served_within_a_user(void **state)
{
	struct crowd crowd = { 0 };

	(void)state;
	join(&crowd, ANNA, false, 3, 1);
	join(&crowd, ANNA, false, 1, 1);
	join(&crowd, ANNA, false, 2, 1);
	for (size_t i = 0; i < crowd.n; i++)
		crowd.clients[i].waits = true;
	assert_int_equal(turns_next(crowd.clients, crowd.n), 1);
	crowd.clients[1].waits = false;
	assert_int_equal(turns_next(crowd.clients, crowd.n), 2);
}

static void most_of_the_time_is_for_something_else(void **state)
{
	(void)state;
	assert_true(turns_rest(0) >= 1);
	for (uint64_t took = 1; took < 100000; took *= 3)
		assert_true((uint64_t)turns_rest(took) >= 2 * took);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lets_a_user_in_so_often),
		cmocka_unit_test(the_longest_idle_makes_room),
		cmocka_unit_test(the_slow_make_room_when_nobody_is_idle),
		cmocka_unit_test(the_eager_make_room_when_nobody_else_does),
		cmocka_unit_test(root_has_places_of_its_own),
		cmocka_unit_test(nobody_waits),
		cmocka_unit_test(users_take_turns),
		cmocka_unit_test(first_come_first_served_within_a_user),
		cmocka_unit_test(most_of_the_time_is_for_something_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Cuts what comes in over a stream into messages. Never looks into a message. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/wire.h>

enum { ROOM_LEAST = 4096 };

void inbox_clear(struct inbox *inbox)
{
	free(inbox->bytes);
	*inbox = (struct inbox){ 0 };
}

static void make_room(struct inbox *inbox, size_t n)
{
	size_t room = inbox->room ? inbox->room : ROOM_LEAST;
	char *bytes;

	while (room - inbox->n < n)
		room *= 2;
	if (room == inbox->room)
		return;
	bytes = realloc(inbox->bytes, room);
	if (!bytes)
		abort();
	inbox->bytes = bytes;
	inbox->room = room;
}

int inbox_add(struct inbox *inbox, const char *bytes, size_t n, size_t most)
{
	if (n == 0)
		return 0;
	make_room(inbox, n);
	memcpy(inbox->bytes + inbox->n, bytes, n);
	inbox->n += n;
	(void)inbox_has(inbox);
	return inbox->seen > most ? -EMSGSIZE : 0;
}

bool inbox_has(struct inbox *inbox)
{
	const char *end =
		inbox->n > inbox->seen ? memchr(inbox->bytes + inbox->seen, '\0', inbox->n - inbox->seen) : NULL;

	inbox->seen = end ? (size_t)(end - inbox->bytes) : inbox->n;
	return end;
}

char *inbox_take(struct inbox *inbox)
{
	size_t length;
	char *message;

	if (!inbox_has(inbox))
		return NULL;
	length = inbox->seen + 1;
	message = alloc_zero(length, 1);
	memcpy(message, inbox->bytes, length);
	inbox->n -= length;
	inbox->seen = 0;
	if (inbox->n == 0)
		inbox_clear(inbox); /* who is idle costs nothing */
	else
		memmove(inbox->bytes, inbox->bytes + length, inbox->n);
	return message;
}

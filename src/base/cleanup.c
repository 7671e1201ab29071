/* Allocation that ends the process instead of failing, and the functions for CLEANUP(). */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <steer/cleanup.h>

static void *or_end(void *memory)
{
	if (!memory) {
		fputs("steerd: out of memory\n", stderr);
		abort();
	}
	return memory;
}

void *alloc_zero(size_t n, size_t size)
{
	return or_end(calloc(n ? n : 1, size ? size : 1));
}

/* Room is doubled: it is full whenever n is 0 or a power of two. */
void *alloc_more(void *array, size_t n, size_t size)
{
	if ((n & (n - 1)) == 0)
		array = or_end(reallocarray(array, n ? 2 * n : 1, size));
	memset((char *)array + n * size, 0, size);
	return array;
}

char *alloc_string(const char *text)
{
	return text ? or_end(strdup(text)) : NULL;
}

void free_string(char **text)
{
	free(*text);
	*text = NULL;
}

void close_fd(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	errno = saved;
}

/* stub */
#include <errno.h>
#include <steer/capture.h>
int capture(struct host *host, const char *directory, struct notes *notes)
{
	(void)host;
	(void)directory;
	(void)notes;
	return -ENOSYS;
}

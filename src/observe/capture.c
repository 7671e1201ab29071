/* stub */
#include <steer/capture.h>
#include <errno.h>
int capture(struct host *host, const char *directory, struct notes *notes){(void)host;(void)directory;(void)notes;return -ENOSYS;}

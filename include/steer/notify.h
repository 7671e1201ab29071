/* What a service manager hears, and says: datagrams to $NOTIFY_SOCKET (sd_notify(3)), the watchdog, and signals. */
#pragma once

#include <steer/daemon.h>

/* Sends lines like "READY=1" or "STATUS=...". 0 also without a service manager; -errno. */
int notify(const char *lines);

struct service;

/* From now on SIGTERM, SIGINT and SIGHUP wait for the loop, and the watchdog is fed if there is one. */
int service_open(struct loop *loop, struct service **ret);
void service_close(struct service *service);
void service_closep(struct service **service); /* for CLEANUP */

/* The daemon is ready: says so, and lets SIGHUP reload it. SIGTERM and SIGINT stop the loop. */
int service_ready(struct service *service, struct daemon *daemon);

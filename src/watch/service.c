/* The daemon as a service: its signals, its watchdog, and that it is ready. Decides nothing. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/log.h>
#include <steer/notify.h>
#include <steer/text.h>

struct service {
	struct loop *loop;
	struct daemon *daemon; /* NULL: not ready yet */
	struct loop_source *source;
	struct loop_timer *watchdog;
	int64_t period; /* of the watchdog, in ms */
	int signals;
};

/* ---- watchdog --------------------------------------------------------------------------------------------------- */

/* Half of what the service manager allows; LOOP_NEVER: it does not care. */
static int64_t watchdog_period(void)
{
	const char *period = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
	uint32_t microseconds, number;

	if (!period || text_u32(period, &microseconds) < 0 || microseconds < 2000)
		return LOOP_NEVER;
	if (pid && (text_u32(pid, &number) < 0 || number != (uint32_t)getpid()))
		return LOOP_NEVER;
	return microseconds / 1000 / 2;
}

static int on_watchdog(void *context, unsigned events)
{
	struct service *service = context;

	(void)events;
	(void)notify("WATCHDOG=1");
	loop_timer_set(service->watchdog, service->period);
	return 0;
}

/* ---- signals ---------------------------------------------------------------------------------------------------- */

static void reload(struct service *service)
{
	CLEANUP(free_string) char *begin = text_format("RELOADING=1\nMONOTONIC_USEC=%" PRIu64, loop_now() * 1000);

	(void)notify(begin);
	(void)daemon_reload(service->daemon);
	(void)notify("READY=1");
}

static int on_signal(void *context, unsigned events)
{
	struct service *service = context;
	struct signalfd_siginfo signal;

	(void)events;
	if (read(service->signals, &signal, sizeof signal) != (ssize_t)sizeof signal)
		return 0;
	if (signal.ssi_signo == SIGHUP) {
		reload(service);
		return 0;
	}
	log_info("told to stop");
	(void)notify("STOPPING=1");
	loop_stop(service->loop);
	return 0;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

/* A reader of the log or of the control socket that goes away is no reason to die. */
static int take_signals(struct service *service)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0 || signal(SIGPIPE, SIG_IGN) == SIG_ERR)
		return -errno;
	service->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return service->signals < 0 ? -errno : 0;
}

int service_open(struct loop *loop, struct service **ret)
{
	CLEANUP(service_closep) struct service *service = alloc_zero(1, sizeof *service);
	int r;

	service->loop = loop;
	service->signals = -1;
	if ((r = take_signals(service)) < 0)
		return r;
	service->period = watchdog_period();
	service->watchdog = loop_timer_add(loop, on_watchdog, service);
	loop_timer_set(service->watchdog, service->period);
	*ret = TAKE(service);
	return 0;
}

int service_ready(struct service *service, struct daemon *daemon)
{
	int r = loop_add(service->loop, service->signals, LOOP_READ, on_signal, service, &service->source);

	service->daemon = daemon;
	if (r == 0)
		(void)notify("READY=1");
	return r;
}

void service_close(struct service *service)
{
	if (!service)
		return;
	loop_remove(service->source);
	loop_timer_remove(service->watchdog);
	close_fd(&service->signals);
	free(service);
}

void service_closep(struct service **service)
{
	service_close(*service);
	*service = NULL;
}

/* Waits for descriptors by epoll(7) and for deadlines by its timeout, and calls whoever asked. Never looks at what a
 * descriptor holds. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/loop.h>

enum { AT_ONCE = 16 }; /* descriptors that are served between two waits */

struct loop_source {
	struct loop *loop;
	int fd;
	loop_ready *ready; /* NULL: removed, and freed when nothing can point to it any more */
	void *context;
};

struct loop_timer {
	uint64_t due;
	bool set;
	loop_ready *fired; /* NULL: removed */
	void *context;
};

struct loop {
	int fd;
	struct loop_source **sources;
	size_t nsources;
	struct loop_timer **timers;
	size_t ntimers;
	bool stopped;
};

int loop_new(struct loop **ret)
{
	struct loop *loop = alloc_zero(1, sizeof *loop);

	loop->fd = epoll_create1(EPOLL_CLOEXEC);
	if (loop->fd < 0) {
		int r = -errno;

		free(loop);
		return r;
	}
	*ret = loop;
	return 0;
}

void loop_free(struct loop *loop)
{
	if (!loop)
		return;
	for (size_t i = 0; i < loop->nsources; i++)
		free(loop->sources[i]);
	for (size_t i = 0; i < loop->ntimers; i++)
		free(loop->timers[i]);
	free(loop->sources);
	free(loop->timers);
	close_fd(&loop->fd);
	free(loop);
}

void loop_freep(struct loop **loop)
{
	loop_free(*loop);
	*loop = NULL;
}

/* ---- descriptors ------------------------------------------------------------------------------------------------ */

static struct epoll_event wanted(struct loop_source *source, unsigned events)
{
	return (struct epoll_event){
		.events = (events & LOOP_READ ? EPOLLIN : 0u) | (events & LOOP_WRITE ? EPOLLOUT : 0u),
		.data.ptr = source,
	};
}

int loop_add(struct loop *loop, int fd, unsigned events, loop_ready *ready, void *context, struct loop_source **ret)
{
	struct loop_source *source = alloc_zero(1, sizeof *source);
	struct epoll_event event = wanted(source, events);

	*source = (struct loop_source){ .loop = loop, .fd = fd, .ready = ready, .context = context };
	if (epoll_ctl(loop->fd, EPOLL_CTL_ADD, fd, &event) < 0) {
		int r = -errno;

		free(source);
		return r;
	}
	loop->sources = alloc_more(loop->sources, loop->nsources, sizeof(struct loop_source *));
	loop->sources[loop->nsources++] = source;
	*ret = source;
	return 0;
}

int loop_change(struct loop_source *source, unsigned events)
{
	struct epoll_event event = wanted(source, events);

	return epoll_ctl(source->loop->fd, EPOLL_CTL_MOD, source->fd, &event) < 0 ? -errno : 0;
}

void loop_remove(struct loop_source *source)
{
	if (!source)
		return;
	epoll_ctl(source->loop->fd, EPOLL_CTL_DEL, source->fd, NULL);
	source->ready = NULL;
}

static unsigned seen(uint32_t events)
{
	return (events & EPOLLIN ? LOOP_READ : 0u) | (events & EPOLLOUT ? LOOP_WRITE : 0u) |
	       (events & (EPOLLHUP | EPOLLERR) ? LOOP_HANGUP : 0u);
}

/* ---- deadlines -------------------------------------------------------------------------------------------------- */

uint64_t loop_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

struct loop_timer *loop_timer_add(struct loop *loop, loop_ready *fired, void *context)
{
	struct loop_timer *timer = alloc_zero(1, sizeof *timer);

	*timer = (struct loop_timer){ .fired = fired, .context = context };
	loop->timers = alloc_more(loop->timers, loop->ntimers, sizeof(struct loop_timer *));
	loop->timers[loop->ntimers++] = timer;
	return timer;
}

void loop_timer_set(struct loop_timer *timer, int64_t milliseconds)
{
	timer->set = milliseconds >= 0;
	if (timer->set)
		timer->due = loop_now() + (uint64_t)milliseconds;
}

void loop_timer_remove(struct loop_timer *timer)
{
	if (!timer)
		return;
	timer->fired = NULL;
	timer->set = false;
}

/* Milliseconds for epoll_wait: -1 without a deadline. */
static int until_due(const struct loop *loop)
{
	const struct loop_timer *first = NULL;
	uint64_t now;

	for (size_t i = 0; i < loop->ntimers; i++)
		if (loop->timers[i]->set && (!first || loop->timers[i]->due < first->due))
			first = loop->timers[i];
	if (!first)
		return -1;
	now = loop_now();
	if (first->due <= now)
		return 0;
	return first->due - now < INT_MAX ? (int)(first->due - now) : INT_MAX;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

static int serve(const struct epoll_event *events, int n)
{
	int r = 0;

	for (int i = 0; i < n && r >= 0; i++) {
		struct loop_source *source = events[i].data.ptr;

		if (source->ready)
			r = source->ready(source->context, seen(events[i].events));
	}
	return r;
}

static int fire(struct loop *loop)
{
	uint64_t now = loop_now();
	int r = 0;

	for (size_t i = 0; i < loop->ntimers && r >= 0; i++) {
		struct loop_timer *timer = loop->timers[i];

		if (!timer->set || timer->due > now)
			continue;
		timer->set = false;
		r = timer->fired(timer->context, 0);
	}
	return r;
}

/* Nothing that epoll has handed out points to what was removed any more. */
static void bury(struct loop *loop)
{
	size_t kept = 0;

	for (size_t i = 0; i < loop->nsources; i++) {
		if (loop->sources[i]->ready)
			loop->sources[kept++] = loop->sources[i];
		else
			free(loop->sources[i]);
	}
	loop->nsources = kept;
	kept = 0;
	for (size_t i = 0; i < loop->ntimers; i++) {
		if (loop->timers[i]->fired)
			loop->timers[kept++] = loop->timers[i];
		else
			free(loop->timers[i]);
	}
	loop->ntimers = kept;
}

int loop_run(struct loop *loop)
{
	struct epoll_event events[AT_ONCE];
	int r = 0;

	loop->stopped = false;
	while (!loop->stopped && r >= 0) {
		int n = epoll_wait(loop->fd, events, AT_ONCE, until_due(loop));

		if (n < 0 && errno != EINTR)
			return -errno;
		r = serve(events, n);
		if (r >= 0)
			r = fire(loop);
		bury(loop);
	}
	return r < 0 ? r : 0;
}

void loop_stop(struct loop *loop)
{
	loop->stopped = true;
}

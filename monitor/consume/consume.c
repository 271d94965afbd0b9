/* SPDX-License-Identifier: MIT */
/*
 * memmon-consume: the process that consumes a program's events, and writes the
 * results of its modules.  libmemmon-access starts it with the shared memory as
 * descriptor 3, and the directory of its parts as argument.  Each worker, a
 * thread, goes through the buffers of all of the program's threads.
 */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "monitor/base/internal.h"
#include "monitor/events/driver.h"

static struct stream_head *h;
static struct driver driver;
static pthread_rwlock_t known = PTHREAD_RWLOCK_INITIALIZER;
static int over; /* atomic: no more buffers will be handed over */

static void
sleep_on(const uint32_t *p, uint32_t v, long ns)
{
	struct timespec ts = { 0, ns };

	syscall(SYS_futex, p, FUTEX_WAIT, v, &ts, 0, 0);
}

static void
wake(const uint32_t *p)
{
	syscall(SYS_futex, p, FUTEX_WAKE, INT32_MAX, 0, 0, 0);
}

/* Update the driver while no other thread is in it. */
static void
update(void)
{
	pthread_rwlock_wrlock(&known);
	if (mmi_driver_behind(&driver))
		mmi_driver_update(&driver);
	pthread_rwlock_unlock(&known);
}

static void
consume(unsigned worker, uint32_t thread, const uint64_t *from,
	const uint64_t *end)
{
	if (mmi_driver_behind(&driver))
		update();
	pthread_rwlock_rdlock(&known);
	mmi_driver_batch(&driver, worker, thread, from, end);
	pthread_rwlock_unlock(&known);
}

/*
 * If a ring's thread has ended and all workers have consumed all, free the
 * ring.
 */
static void
release(struct stream_ring *r)
{
	uint32_t ended = STREAM_ENDED;

	for (unsigned w = 0; w < driver.workers; w++)
		if (LOAD_ACQ(&r->taken[w]) != LOAD_ACQ(&r->given))
			return;
	CAS(&r->state, &ended, STREAM_FREE);
}

/* The ring whose next buffer was handed over before all others, or -1. */
static int
first(unsigned worker)
{
	uint64_t least = UINT64_MAX;
	int is = -1;

	for (uint32_t i = 0; i < STREAM_RINGS && i < LOAD(&h->threads); i++) {
		struct stream_ring *r = &h->ring[i];
		uint64_t taken = r->taken[worker];

		if (taken < LOAD_ACQ(&r->given)) {
			uint64_t turn = r->turn[taken % h->buffers];

			is = turn < least ? (int)i : is;
			least = turn < least ? turn : least;
		} else if (LOAD_ACQ(&r->state) == STREAM_ENDED) {
			release(r);
		}
	}
	return is;
}

/* Consume the next buffer that was handed over.  False: there is none. */
static bool
look(unsigned worker)
{
	int i = first(worker);
	struct stream_ring *r = &h->ring[i];
	const uint64_t *words;
	uint64_t taken;
	uint32_t n;

	if (i < 0)
		return false;
	taken = r->taken[worker];
	words = stream_buffer(h, (uint32_t)i, taken);
	n = r->words[taken % h->buffers];
	consume(worker, r->thread, words,
		words + (n < h->words ? n : h->words));
	STORE_REL(&r->taken[worker], taken + 1);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (LOAD(&r->waits)) {
		FETCH_ADD(&r->turns, 1);
		wake(&r->turns);
	}
	return true;
}

/* Consume the buffers that weren't handed over, after the program's end. */
static void
look_partial(unsigned worker)
{
	for (uint32_t i = 0; i < STREAM_RINGS; i++) {
		struct stream_ring *r = &h->ring[i];
		uint64_t *words = stream_buffer(h, i, r->given);

		if (r->state != STREAM_FREE && LOAD_ACQ(&r->fills))
			consume(worker, r->thread, words,
				mmi_driver_partial(&driver, words,
						   words + h->words));
	}
}

static void *
work(void *arg)
{
	unsigned worker = (unsigned)(uintptr_t)arg;
	bool last = false;

	for (;;) {
		uint32_t seen = LOAD_ACQ(&h->work);

		if (look(worker))
			continue;
		if (last)
			break;
		last = LOAD_ACQ(&over);
		if (last)
			continue;
		FETCH_ADD(&h->sleepers, 1);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		if (LOAD(&h->work) == seen)
			sleep_on(&h->work, seen, 100000000);
		FETCH_ADD(&h->sleepers, -1);
	}
	return NULL;
}

/* Set `ending' when the program dies, in case it didn't set it itself. */
static void *
watch(void *arg)
{
	struct pollfd f = { .events = POLLIN };

	(void)arg;
	f.fd = (int)syscall(SYS_pidfd_open, h->pid, 0);
	if (f.fd >= 0)
		while (poll(&f, 1, -1) < 0 && errno == EINTR)
			;
	else if (errno != ESRCH)
		while (kill((pid_t)h->pid, 0) == 0 || errno == EPERM)
			usleep(100000);
	__sync_val_compare_and_swap(&h->ending, STREAM_GOES_ON, STREAM_FINISH);
	wake(&h->ending);
	return NULL;
}

static void
wait_for_end(void)
{
	pthread_t watcher;

	if (pthread_create(&watcher, NULL, watch, NULL) != 0)
		watch(NULL);
	while (LOAD_ACQ(&h->ending) == STREAM_GOES_ON)
		sleep_on(&h->ending, STREAM_GOES_ON, 999999999);
}

/* Ignore signals and limits that would end this process early. */
static void
settle(void)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE,
				       SIGTERM, SIGXCPU, SIGXFSZ, SIGUSR1,
				       SIGUSR2, SIGALRM };
	struct rlimit all;

	for (unsigned i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	if (getrlimit(RLIMIT_AS, &all) == 0) {
		all.rlim_cur = all.rlim_max;
		setrlimit(RLIMIT_AS, &all);
	}
}

int
main(int argc, char **argv)
{
	pthread_t thread[STREAM_WORKERS];
	struct stat st;

	settle();
	if (argc != 2 || fstat(3, &st) != 0)
		return 2;
	h = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		 3, 0);
	if (h == MAP_FAILED || h->magic != STREAM_MAGIC ||
	    h->size != (uint64_t)st.st_size)
		return 2;
	close(3);
	if (!mmi_driver_open(&driver, h, argv[1]))
		goto failed;
	update();
	for (unsigned w = 0; w < driver.workers; w++)
		if (pthread_create(&thread[w], NULL, work,
				   (void *)(uintptr_t)w) != 0)
			goto failed;
	wait_for_end();
	if (LOAD_ACQ(&h->ending) == STREAM_DROP)
		_exit(0);
	STORE_REL(&over, 1);
	FETCH_ADD(&h->work, 1);
	wake(&h->work);
	for (unsigned w = 0; w < driver.workers; w++)
		pthread_join(thread[w], NULL); /* NOLINT: all were made */
	for (unsigned w = 0; w < driver.workers; w++)
		look_partial(w);
	mmi_driver_finish(&driver);
	STORE_REL(&h->done, 1);
	wake(&h->done);
	_exit(0);
failed:
	STORE_REL(&h->failed, 1);
	wake(&h->done);
	_exit(1);
}

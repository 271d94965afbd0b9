/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libprobe.c's account of costs, to compare with the monitor's. */
#ifndef MEMMON_TESTS_LIBPROBE_H
#define MEMMON_TESTS_LIBPROBE_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "monitor/monout.h"

#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"

#define SMALL 4096u
#ifdef BUMP
#define LARGE ((size_t)1 << 30) /* the threshold */
#else
#define LARGE (SMALL + 1)
#endif

enum { MMAP, MUNMAP, MADVISE, OTHER, KINDS };
static const char *const kinds[] = { "mmap", "munmap", "madvise", "other" };

struct sum {
	uint64_t n, bytes, most;
};

/* The operation that is running. */
static __thread __attribute__((tls_model("initial-exec"))) struct {
	int begun; /* it isn't the thread's first */
	unsigned owner;
	uint64_t locks;
	struct sum kernel[KINDS];
} now;

static char busy; /* what follows is being changed */
static struct sum calls[256], kernel[KINDS][256], classes[SMALL / 16 + 1];
static uint64_t locks[256], watched;
static struct state {
	uint64_t usable, requested, unused, blowup;
	uint64_t live[SMALL / 16 + 1], free[SMALL / 16 + 1];
} is, peak, at_begin;
static int begun, users;

static void
add(struct sum *s, uint64_t n, uint64_t bytes, uint64_t most)
{
	s->n += n;
	s->bytes += bytes;
	if (most > s->most)
		s->most = most;
}

static void
enter(void)
{
	while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
		__builtin_ia32_pause();
}

static void
leave(void)
{
	__atomic_clear(&busy, __ATOMIC_RELEASE);
}

static void
call(int kind, size_t bytes)
{
	add(&now.kernel[kind], 1, bytes, bytes);
}

/* An operation is over. */
static void
end(unsigned of, size_t size)
{
	enter();
	if (!now.begun) {
		of = (of & 7) | MONOUT_OP_FIRST;
		now.begun = 1;
		users++;
	} else if (users > 1) {
		of |= MONOUT_OP_PARALLEL;
	}
	add(&calls[of], 1, size, size);
	if (begun) {
		watched++;
		locks[of] += now.locks;
		for (int i = 0; i < KINDS; i++)
			add(&kernel[i][of], now.kernel[i].n,
			    now.kernel[i].bytes, now.kernel[i].most);
	}
	memset(now.kernel, 0, sizeof(now.kernel));
	now.locks = 0;
	leave();
}

static void
born(size_t usable, size_t size)
{
	unsigned k = (unsigned)(usable / 16);

	enter();
	is.usable += usable;
	is.requested += size;
	if (usable <= SMALL) {
		add(&classes[k], 1, size, size);
		is.live[k]++;
		if (is.free[k]) {
			is.free[k]--;
			is.blowup -= usable;
		}
	}
	leave();
}

static void
dead(size_t usable, size_t size)
{
	unsigned k = (unsigned)(usable / 16);

	enter();
	if (is.usable > peak.usable)
		peak = is;
	is.usable -= usable;
	is.requested -= size;
	if (usable <= SMALL) {
		is.live[k]--;
		is.free[k]++;
		is.blowup += usable;
	}
	leave();
}

void
probe_begin(void)
{
	begun = 1;
	at_begin = is;
}

void
probe_ended(void)
{
	users--;
}

/* Prints without stdio, which allocates. */
__attribute__((format(printf, 1, 2))) static void
say(const char *format, ...)
{
	char line[128];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	if (write(1, line, (size_t)n) != n)
		__builtin_trap();
}

static void
say_operations(unsigned of)
{
	if (calls[of].n)
		say("calls %u %lu %lu %lu\n", of, calls[of].n, calls[of].bytes,
		    calls[of].most);
	if (locks[of])
		say("lock %u %lu\n", of, locks[of]);
	for (int k = 0; k < KINDS; k++)
		if (kernel[k][of].n)
			say("%s %u %lu %lu %lu\n", kinds[k], of,
			    kernel[k][of].n, kernel[k][of].bytes,
			    kernel[k][of].most);
}

void
probe_account(void)
{
	if (is.usable > peak.usable)
		peak = is;
	for (unsigned i = 0; i < 256; i++)
		say_operations(i);
	for (unsigned i = 0; i <= SMALL / 16; i++) {
		if (classes[i].n)
			say("class %u %lu %lu %lu\n", i * 16, classes[i].n,
			    classes[i].bytes, classes[i].most);
		if (peak.live[i])
			say("class-live %u %lu\n", i * 16, peak.live[i]);
		if (peak.free[i])
			say("class-free %u %lu\n", i * 16, peak.free[i]);
	}
	say("watched %lu\nusable %lu\nrequested %lu\nunused %lu\nblowup %lu\n"
	    "begun-usable %lu\nbegun-requested %lu\n",
	    watched, peak.usable, peak.requested, peak.unused, peak.blowup,
	    at_begin.usable, at_begin.requested);
}

#endif

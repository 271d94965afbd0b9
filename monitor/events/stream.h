/* SPDX-License-Identifier: MIT */
/*
 * The memory that a program with events and its consumer share: a head, the
 * threads' buffers, and what was registered.  It is one file in memory, mapped
 * by both processes; all offsets are from its beginning.  The comment of each
 * member says which process writes it; members that both write are accessed by
 * atomic operations.
 */
#ifndef MEMMON_STREAM_H
#define MEMMON_STREAM_H

#include <limits.h>
#include <stdint.h>

#include "monitor/events.h"

#define STREAM_MAGIC 0x3153564d454d454dull /* MEMEMVS1 */
#define STREAM_RINGS 512u
#define STREAM_BUFFERS 8u /* of a ring, at most */
#define STREAM_WORKERS 8u
#define STREAM_LISTS 4096u
#define STREAM_CALLERS (1u << 18) /* a power of two; a quarter is used */
#define STREAM_TEXT 4096u

/* Words kept free after a buffer, as modules may read them. */
#define STREAM_SPARE 4u

enum stream_state {
	STREAM_FREE,
	STREAM_USED,
	STREAM_ENDED /* its thread has ended; free when all is consumed */
};

enum stream_ending {
	STREAM_GOES_ON,
	STREAM_FINISH, /* the program has ended: write the results */
	STREAM_DROP    /* no results are wanted */
};

/*
 * A thread's buffers.  `given' counts those that were handed over.  The buffer
 * being filled, if any, is number given % buffers.  Each worker counts in
 * `taken' the buffers that it has consumed.  The buffers of all threads are
 * consumed in the order in which they were handed over.
 */
struct stream_ring {
	uint32_t state;	  /* enum stream_state */
	uint32_t thread;  /* from 0; set when it is taken */
	uint32_t tid;
	uint32_t waits;	  /* producer: it sleeps until `turns' changes */
	uint32_t turns;	  /* consumer: a buffer is free again */
	uint32_t fills;	  /* producer: a buffer is being filled */
	uint64_t given;	  /* producer */
	uint64_t taken[STREAM_WORKERS];
	uint32_t words[STREAM_BUFFERS]; /* words in each one handed over, and */
	uint64_t turn[STREAM_BUFFERS];	/* how many were before it */
} __attribute__((aligned(64)));

struct stream_list {
	/* Offset of a copy of the struct memmon_places; addresses follow it. */
	uint64_t at;
	uint32_t first, n; /* n: how many numbers it takes */
};

struct stream_head {
	uint64_t magic, size;
	/* Producer, before there is a consumer. */
	uint32_t pid, workers, buffers, words; /* words of a buffer */
	uint64_t rings_at; /* buffers of ring 0 */
	uint64_t lists_at, lists_size;
	uint64_t callers_at;
	uint64_t started; /* CLOCK_MONOTONIC, ns */
	uint64_t run; /* start of the process, as in its data file */
	char modules[STREAM_TEXT];
	/* Producer. */
	char path[PATH_MAX];	/* of the data file; "": none is written */
	uint32_t nlists;	/* published last */
	uint32_t threads;	/* rings given out so far */
	uint64_t lists_used;
	uint64_t gives;	 /* buffers handed over so far, of all threads */
	uint32_t work;	 /* changes when there is new work */
	uint32_t sleepers; /* workers that wait for `work' to change */
	uint32_t ending; /* enum stream_ending */
	uint32_t unregistered; /* lists that found no room */
	/* Words thrown away, and since when; ns. */
	uint64_t lost_words, lost_at;
	uint32_t places;  /* numbers given out, including 0 */
	uint32_t callers; /* how many are known */
	/* Consumer. */
	uint32_t consumer; /* its pid; 0: not started yet */
	uint32_t failed;   /* it couldn't be started, or has no module */
	uint32_t done;	   /* results are written */
	struct stream_ring ring[STREAM_RINGS];
	struct stream_list list[STREAM_LISTS];
};

static inline uint64_t *
stream_buffer(const struct stream_head *h, uint32_t ring, uint64_t number)
{
	uint64_t of_ring = (uint64_t)h->buffers * h->words;

	return (uint64_t *)((uintptr_t)h + h->rings_at) + ring * of_ring +
	       number % h->buffers * h->words;
}

#endif

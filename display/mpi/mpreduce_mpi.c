/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpreduce-mpi: each process of a job reads a part of the data files and sums
 * it up.  The sums are merged along a tree, and the first process writes the
 * final sum.
 */
#include "display/cli/options.h"
#include "reduce/base/clean.h"
#include "reduce/profile/profile.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The most bytes to send at once (MPI counts in int); the message tag. */
enum { MOST = 1 << 30, TAG = 1 };

/* A process has a sum, or an error. */
struct mine {
	struct summing *sum; /* NULL: e says why */
	struct err e;
};

static void
fail(struct mine *m, const struct err *e)
{
	summing_free(m->sum);
	m->sum = NULL;
	m->e = *e;
}

static void
send(const void *bytes, uint64_t n, int to)
{
	const char *p = bytes;

	MPI_Send(&n, 1, MPI_UINT64_T, to, TAG, MPI_COMM_WORLD);
	for (; n > 0; n -= n < MOST ? n : MOST, p += MOST)
		MPI_Send(p, n < MOST ? (int)n : MOST, MPI_BYTE, to, TAG,
			 MPI_COMM_WORLD);
}

/* Receive *n bytes, from malloc().  NULL: out of memory. */
static unsigned char *
receive(uint64_t *n, int from)
{
	unsigned char *bytes, *p;
	uint64_t left;

	MPI_Recv(n, 1, MPI_UINT64_T, from, TAG, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	p = bytes = malloc(*n + 1);
	if (!p)
		return NULL;
	for (left = *n; left > 0; left -= left < MOST ? left : MOST, p += MOST)
		MPI_Recv(p, left < MOST ? (int)left : MOST, MPI_BYTE, from, TAG,
			 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return bytes;
}

/* The first byte tells whether a sum or an error follows. */
static void
hand_on(struct mine *m, int to)
{
	unsigned char *bytes = NULL, good = 1;
	size_t n = 0;

	if (m->sum) {
		bytes = summing_bytes(m->sum, &n);
		if (!bytes)
			snprintf(m->e.text, sizeof m->e.text, "out of memory");
	}
	good = bytes != NULL;
	MPI_Send(&good, 1, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
	if (good)
		send(bytes, n, to);
	else
		send(m->e.text, strlen(m->e.text), to);
	free(bytes);
}

static void
mpreduce_mpi_take(struct mine *m, int from)
{
	struct err e = { "out of memory" };
	unsigned char *bytes, good;
	uint64_t n;

	MPI_Recv(&good, 1, MPI_BYTE, from, TAG, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	bytes = receive(&n, from);
	if (!bytes)
		MPI_Abort(MPI_COMM_WORLD, 1);
	if (!good) {
		snprintf(e.text, sizeof e.text, "%.*s", (int)n,
			 (const char *)bytes);
		fail(m, &e);
	} else if (m->sum && summing_add(m->sum, bytes, n, &e)) {
		fail(m, &e);
	}
	free(bytes);
}

/* At the first process: write the final sum.  Returns the exit status. */
static int
mpreduce_mpi_finish(struct mine *m, const char *path)
{
	struct profile p;
	int status;

	if (m->sum && summing_write(m->sum, &p, path, &m->e)) {
		summing_free(m->sum);
		m->sum = NULL;
	}
	if (!m->sum) {
		clean_say("mpreduce-mpi", "%s", m->e.text);
		return 1;
	}
	for (size_t i = 0; i < p.nwarnings; i++)
		clean_say("mpreduce-mpi", "%s", p.warnings[i]);
	status = p.nunread ? 1 : p.incomplete ? 4 : 0;
	profile_fini(&p);
	return status;
}

/* Read, merge and write.  All processes return the same exit status. */
static int
reduce(const struct options *o, int rank, int size)
{
	struct mine m = { NULL, { "" } };
	int status = 0;

	m.sum = summing_new(&o->read, (size_t)rank, (size_t)size, &m.e);
	for (int step = 1; step < size; step *= 2) {
		if (rank % (2 * step)) {
			hand_on(&m, rank - step);
			break;
		}
		if (rank + step < size)
			mpreduce_mpi_take(&m, rank + step);
	}
	if (!rank)
		status = mpreduce_mpi_finish(&m,
					     o->output ? o->output : "mon.sum");
	summing_free(m.sum);
	MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return status;
}

/* Only the options for writing the sum are allowed. */
static int
mpreduce_mpi_check(const struct options *o)
{
	bool more = o->chosen || o->json || o->nlimits || o->list || o->html ||
		    o->format;

	for (size_t i = 0; i < o->files.n; i++)
		more |= !strcmp(o->files.item[i], "-");
	if (o->sum && !more)
		return 0;
	fputs("mpreduce-mpi: only writes the sum of files (-s -o FILE); print "
	      "the sum with mpreduce\n",
	      stderr);
	return -1;
}

static int messages = -1; /* stderr of a process that prints no messages */

/* If one process is out of memory, end all. */
static void
mpreduce_mpi_exit(void)
{
	int done;

	if (MPI_Finalized(&done) || done)
		return;
	if (messages >= 0)
		dprintf(messages, "mpreduce-mpi: a process ended early; it may "
				  "be out of memory\n");
	MPI_Abort(MPI_COMM_WORLD, 1);
}

int
main(int argc, char **argv)
{
	struct options o;
	int rank, size, status = 2;

	if (MPI_Init(&argc, &argv))
		return 1;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	/* Only the first process prints messages. */
	if (rank)
		messages = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (rank && !freopen("/dev/null", "w", stderr))
		MPI_Abort(MPI_COMM_WORLD, 1);
	heap_program = "mpreduce-mpi";
	atexit(mpreduce_mpi_exit);
	switch (options_parse(&o, argc, argv)) {
	case OPTIONS_GO:
		if (!o.read.jobs)
			o.read.jobs = 1;
		if (!mpreduce_mpi_check(&o))
			status = reduce(&o, rank, size);
		break;
	case OPTIONS_DONE:
		status = 0;
		break;
	case OPTIONS_USAGE:
		break;
	case OPTIONS_FAILED:
		status = 1;
		break;
	}
	options_fini(&o);
	MPI_Finalize();
	return status;
}

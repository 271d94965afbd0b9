/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters of seccomp(2): which system calls are safe under them. */
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

#include "monitor/process/seccomp.c"

/* What seccomp.c needs from other files. */
struct mmi_process mmi_process;

void
mmi_image_ahead(void)
{
}

struct mmi_file *
mmi_image_its_file(void)
{
	static struct mmi_file none;

	return &none;
}

int
mmi_end(int end, int sig)
{
	return end + sig;
}

void
mmi_kernel_stop(void)
{
}

void
mmi_process_clock_stop(bool stop)
{
	(void)stop;
}

int
mmi_exec_syscall(long n, long a, long b, long c, long d, long e)
{
	(void)n;
	(void)a;
	(void)b;
	(void)c;
	(void)d;
	(void)e;
	return -1;
}

void
mmi_signals_init(void)
{
}

void
mmi_signals_leave(void)
{
}

void *
mmi_arena_reserve(size_t size)
{
	return calloc(1, size);
}

void
mmi_arena_unreserve(void *p, size_t size)
{
	(void)size;
	free(p);
}

#define LOAD_NR BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0)
#define LOAD_ARCH BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4)
#define LOAD_ARG BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 16)
#define IF(op, k, t, f) BPF_JUMP(BPF_JMP | BPF_##op | BPF_K, k, t, f)
#define RET(action) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_##action)

static uint64_t refused[MMI_SECCOMP_CALLS / 64];

/* How many calls below 100 are refused? */
static unsigned
count(const struct sock_filter *f, unsigned n)
{
	struct mmi_seccomp_state room[64];
	unsigned found = 0;

	memset(refused, 0, sizeof(refused));
	mmi_seccomp_judge(f, n, room, refused);
	for (unsigned i = 0; i < 100; i++)
		found += is_refused(refused, i);
	return found;
}
#define COUNT(f) count(f, sizeof(f) / sizeof(*f))

static void
actions(void)
{
	static const struct {
		uint32_t action;
		unsigned refused;
	} all[] = {
		{ SECCOMP_RET_ALLOW, 0 },
		{ SECCOMP_RET_LOG, 0 },
		{ SECCOMP_RET_ERRNO | 1, 0 },
		{ SECCOMP_RET_TRACE, 100 },
		{ SECCOMP_RET_TRAP | 7, 100 },
		{ SECCOMP_RET_USER_NOTIF, 100 },
		{ SECCOMP_RET_KILL_THREAD, 100 },
		{ SECCOMP_RET_KILL_PROCESS, 100 },
		{ 0x12340000, 100 },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct sock_filter f[] = { BPF_STMT(BPF_RET | BPF_K,
						    all[i].action) };

		is_int(COUNT(f), all[i].refused, "action %#x", all[i].action);
		is_int(is_refused(refused, SYS_openat), i > 1,
		       "... no file but when all may be called");
	}
}

static void
lists(void)
{
	struct sock_filter allow[] = {
		LOAD_ARCH,
		IF(JEQ, AUDIT_ARCH_X86_64, 1, 0),
		RET(KILL_PROCESS),
		LOAD_NR,
		IF(JGE, 0x40000000, 0, 1),
		RET(KILL_PROCESS),
		IF(JEQ, SYS_read, 2, 0),
		IF(JGT, SYS_munmap, 2, 0),
		IF(JGE, SYS_mmap, 0, 1),
		RET(ALLOW),
		RET(KILL_PROCESS),
	};
	/* write to file 1 only; a bit of the number; the index register. */
	struct sock_filter arg[] = {
		LOAD_NR,	   IF(JEQ, SYS_write, 1, 0), RET(ALLOW),
		LOAD_ARG,	   IF(JEQ, 1, 0, 1),	     RET(ALLOW),
		RET(KILL_PROCESS),
	};
	struct sock_filter odd[] = {
		LOAD_NR,
		IF(JSET, 1, 0, 1),
		RET(TRAP),
		BPF_STMT(BPF_MISC | BPF_TAX, 0),
		BPF_STMT(BPF_ALU | BPF_SUB | BPF_K, 10),
		BPF_STMT(BPF_ALU | BPF_ADD | BPF_X, 0),
		IF(JEQ, 14, 0, 1),
		RET(KILL_THREAD),
		RET(ALLOW),
	};
	struct sock_filter returns_a[] = { LOAD_NR,
					   BPF_STMT(BPF_RET | BPF_A, 0) };

	/* read, mmap .. munmap stay: 0, 9, 10, 11. */
	is_int(COUNT(allow), 100 - 4, "an allow-list");
	ok(!is_refused(refused, 0) && !is_refused(refused, 9) &&
		   !is_refused(refused, 10) && !is_refused(refused, 11) &&
		   is_refused(refused, 12),
	   "... with these in it");
	is_int(COUNT(arg), 1, "an argument is asked for");
	ok(is_refused(refused, SYS_write), "... so it may be any");
	/* All odd ones, and 2 n - 10 = 14: 12. */
	is_int(COUNT(odd), 51, "sums and bits");
	ok(is_refused(refused, 12) && !is_refused(refused, 14), "... of 12");
	is_int(COUNT(returns_a), 100, "an action that is computed");
}

int
main(void)
{
	actions();
	lists();
	return done_testing();
}

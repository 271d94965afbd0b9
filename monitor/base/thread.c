/* SPDX-License-Identifier: MIT */
/* The structs of all threads, and the calling thread's. */
#include "monitor/base/thread.h"

#include <string.h>
#include <sys/prctl.h>

#include "monitor/base/mask.h"
#include "monitor/base/shared.h"

TLS struct mmi_thread *mmi_thread_me;
TLS struct mmi_sample *mmi_sample_mine;
TLS int mmi_thread_own_doing;
struct mmi_thread mmi_thread_ended;
const int *mmi_thread_alone;

static struct mmi_thread *all; /* atomic: every struct, newest first */
static bool off;	       /* no event is recorded */

/* The program's signals, while they are blocked. */
static TLS struct mmi_mask blocked;

/* The same while the thread holds a flag; and how many it holds. */
static TLS struct mmi_mask flag_mask;
static TLS unsigned flags_held;

void
mmi_thread_internal_begin(void)
{
	if (!mmi_thread_internal())
		mmi_mask_block(&blocked, MMI_MASK_STEPS);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	mmi_thread_own_doing++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	mmi_sample_mine = NULL;
}

void
mmi_thread_internal_end(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	mmi_thread_own_doing--;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (!mmi_thread_internal())
		mmi_mask_restore(&blocked);
}

bool
mmi_thread_hold(int *flag)
{
	struct mmi_mask mask;
	int none = 0;

	mmi_mask_block(&mask, MMI_MASK_STEPS);
	if (!LIKELY(CAS(flag, &none, 1))) {
		mmi_mask_restore(&mask);
		return false;
	}
	/* While flags_held isn't 0, no handler changes `flag_mask'. */
	if (!flags_held++) {
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		flag_mask = mask;
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return true;
}

void
mmi_thread_release(int *flag)
{
	struct mmi_mask mask = flag_mask;

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	STORE_REL(flag, 0);
	if (!--flags_held)
		mmi_mask_restore(&mask);
}

void
mmi_thread_stop(void)
{
	off = true;
	mmi_thread_me = NULL;
	mmi_sample_mine = NULL;
}

bool
mmi_thread_stopped(void)
{
	return off;
}

/* The loader's name for threads, and their name without a loader. */
static char loader_name[16], program_name[16];

void
mmi_thread_names(const char *program)
{
	const char *slash = strrchr(program, '/');

	program = slash ? slash + 1 : program;
	for (size_t i = 0; i < sizeof(program_name) - 1 && program[i]; i++)
		program_name[i] = program[i];
	ARCH_SYS(SYS_prctl, PR_GET_NAME, loader_name, 0, 0, 0, 0);
}

void
mmi_thread_rename(char name[16])
{
	if (loader_name[0] && !strcmp(name, loader_name))
		memcpy(name, program_name, sizeof(program_name));
}

void
mmi_thread_name(struct mmi_thread *t)
{
	ARCH_SYS(SYS_prctl, PR_GET_NAME, t->pub->name, 0, 0, 0, 0);
	mmi_thread_rename(t->pub->name);
}

void
mmi_thread_add(struct mmi_thread *t)
{
	struct mmi_thread *head = LOAD_ACQ(&all);

	do
		t->next = head;
	while (!CAS(&all, &head, t));
}

const struct mmi_thread *
mmi_thread_next(const struct mmi_thread *t)
{
	return t ? t->next : LOAD_ACQ(&all);
}

const struct mmi_thread *
mmi_thread_next_now(const struct mmi_thread *t)
{
	uint32_t epoch = LOAD_ACQ(&mmi_shared.control.epoch);

	do
		t = mmi_thread_next(t);
	while (t && LOAD_ACQ(&t->pub->epoch) != epoch);
	return t;
}

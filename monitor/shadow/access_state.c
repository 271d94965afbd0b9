/* SPDX-License-Identifier: MIT */
/* The state that instrumented code sees of its thread. */
#include "monitor/shadow/access_state.h"

uint32_t mmi_clock_now = 1;
bool mmi_state_zeros;

#define TAGS ((1u << MEMMON_TAG_BITS) - 1)

/* For accesses that aren't recorded, while `now' is 0, as these words are. */
static uint64_t dummy[1 + MMI_STATE_DUMMIES + MEMMON_BESIDE] = {
	MMI_STATE_DUMMIES - 1,
};
struct memmon_access_state mmi_state_nobody = { .cells = dummy + 1,
						.skip = MEMMON_SKIP_NONE,
						.limit = UINT64_MAX };
static struct memmon_access_state quiet = { .cells = dummy + 1,
					    .skip = MEMMON_SKIP_NONE,
					    .limit = UINT64_MAX };

EXPORT __thread struct memmon_access_state *__link_with_lmemmon_access_v6
	__attribute__((tls_model("initial-exec"))) = &mmi_state_nobody;
#define STATE __link_with_lmemmon_access_v6

/* The upper half of words that aren't counted: see abi.h. */
static uint64_t
skip_now(void)
{
	return mmi_state_skips() ? 0 : MEMMON_SKIP_NONE;
}

void
mmi_state_limit_to(uint64_t address)
{
	const struct mmi_thread *t = NULL;

	STORE(&mmi_state_nobody.limit, address);
	while ((t = mmi_thread_next(t)))
		STORE(&((struct mmi_thread *)t)->access_state.limit, address);
}

void
mmi_state_zeros_end(void)
{
	const struct mmi_thread *t = NULL;

	STORE(&mmi_state_zeros, false);
	STORE(&mmi_state_nobody.skip, skip_now());
	while ((t = mmi_thread_next(t)))
		STORE(&((struct mmi_thread *)t)->access_state.skip, skip_now());
}

void
mmi_state_open(uint64_t *cells)
{
	STORE(&mmi_state_nobody.skip, skip_now());
	STORE_REL(&mmi_state_nobody.cells, cells);
	if (mmi_thread_self())
		mmi_state_enter(mmi_thread_me);
}

void
mmi_state_close(void)
{
	const struct mmi_thread *t = NULL;

	mmi_state_nobody.cells = dummy + 1;
	while ((t = mmi_thread_next(t)))
		((struct mmi_thread *)t)->access_state = mmi_state_nobody;
}

struct memmon_access_state *
mmi_state_quiet(void)
{
	struct memmon_access_state *was = STATE;

	STATE = &quiet;
	return was;
}

void
mmi_state_loud(struct memmon_access_state *was)
{
	STATE = was;
}

static uint64_t
now_of(const struct mmi_thread *t, uint32_t epoch)
{
	uint64_t tag = t->ordinal ? 1 + (t->ordinal - 1) % TAGS : 0;

	return tag << MEMMON_TAG_SHIFT | (uint64_t)epoch << MEMMON_STAMP_SHIFT;
}

void
mmi_state_enter(struct mmi_thread *t)
{
	t->access_state = mmi_state_nobody;
	t->renewed_before = t->access_state.renewed;
	t->in_range = 0;
	if (!mmi_state_is_open(&t->access_state))
		return;
	STORE(&t->access_state.now, now_of(t, mmi_clock_epoch()));
	STORE(&t->access_state.skip, skip_now());
	if (!t->nested)
		STATE = &t->access_state;
}

void
mmi_state_leave(void)
{
	STATE = &mmi_state_nobody;
}

void
mmi_state_tick(uint32_t epoch)
{
	const struct mmi_thread *next = NULL;
	struct mmi_thread *t;

	while ((next = mmi_thread_next(next))) {
		t = (struct mmi_thread *)next;
		if (!mmi_state_is_open(&t->access_state))
			continue;
		STORE(&t->access_state.now, now_of(t, epoch));
		STORE(&t->access_state.skip, skip_now());
		STORE(&t->access_state.limit, mmi_state_limit());
	}
}

uint64_t
mmi_state_renewed(void)
{
	const struct mmi_thread *next = NULL;
	struct mmi_thread *t;
	int64_t n, most = 0;
	uint64_t now;

	while ((next = mmi_thread_next(next))) {
		t = (struct mmi_thread *)next;
		now = LOAD(&t->access_state.renewed);
		/* It is below 0 if another thread has just got the struct. */
		n = (int64_t)(now - t->renewed_before);
		t->renewed_before = now;
		most = n > most ? n : most;
	}
	return (uint64_t)most;
}

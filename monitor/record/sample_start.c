/* SPDX-License-Identifier: MIT */
/* Switches sampling on. */
#include "monitor/record/sample.h"

#include <string.h>
#include <sys/auxv.h>

#include "monitor/base/process.h"
#include "monitor/base/real.h"
#include "monitor/record/record.h"

static bool fixed; /* the user set the seed */

/* Uses the seed that the user set; else the process's own random bytes. */
static void
begin(uint64_t rate)
{
	const void *bytes = (const void *)mmi_real_auxval(AT_RANDOM);
	unsigned long n;
	uint64_t random = 0;

	if (mmi_process_number("MEMMON_SAMPLE_SEED", &n)) {
		random = n;
		fixed = true;
	} else if (bytes) {
		memcpy(&random, bytes, sizeof(random));
	}
	mmi_sample_seed(random);
	/* All recorded blocks are timed: see mmi_record_slow(). */
	mmi_record_timing(1);
	mmi_sample_rate = rate < MMI_SAMPLE_MAX ? rate : MMI_SAMPLE_MAX;
}

bool
mmi_sample_init(void)
{
	unsigned long n;

	if (mmi_sample_rate)
		return true;
	if (!mmi_process_number("MEMMON_SAMPLE", &n) || !n)
		return false;
	begin(n);
	return true;
}

bool
mmi_sample_begin(void)
{
	struct mmi_thread *t = mmi_thread_self();

	if (mmi_sample_rate || !mmi_sample_init())
		return false;
	if (t)
		t->countdown = t->until = 1;
	mmi_sample_pause(false);
	return true;
}

void
mmi_sample_end(void)
{
	mmi_sample_rate = 0;
	mmi_sample_pause(true);
}

void
mmi_sample_pause(bool off)
{
	if (LOAD(&mmi_next_ready))
		STORE_REL(&mmi_next_ready, off || !mmi_sample_rate
						   ? MMI_NEXT_PLAIN
						   : MMI_NEXT_SAMPLED);
}

void
mmi_sample_fork(void)
{
	struct mmi_thread *t = mmi_thread_self();

	mmi_sample_reset();
	if (t && !fixed)
		t->sample.random ^= (uint64_t)mmi_process.pid << 32;
}

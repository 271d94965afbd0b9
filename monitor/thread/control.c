/* SPDX-License-Identifier: MIT */
/* How long recording was off. */
#include "monitor/thread/control.h"

#include "monitor/base/process.h"

void
mmi_control_times_begin(uint64_t now)
{
	uint64_t since = LOAD_ACQ(&mmi_shared.control.off);

	STORE(&mmi_shared.off_total, 0);
	while (since && !CAS(&mmi_shared.control.off, &since, now))
		;
}

void
mmi_control_times(struct mmi_control_times *t)
{
	uint64_t now = mmi_process_clock(CLOCK_MONOTONIC);
	uint64_t since = LOAD_ACQ(&mmi_shared.control.off),
		 at = LOAD(&mmi_shared.reset_at);

	t->off = LOAD(&mmi_shared.off_total);
	if (since && now > since)
		t->off += now - since;
	t->reset = at > mmi_process.mono ? at - mmi_process.mono : 0;
}

void
mmi_control_fork(void)
{
	mmi_shared.control.waits = 0;
	mmi_shared.reset_at = 0;
	mmi_control_times_begin(mmi_process.mono);
}

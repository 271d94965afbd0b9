/* SPDX-License-Identifier: MIT */
/* No signal handler of the program runs meanwhile. */
#ifndef MEMMON_SIGNAL_MASK_H
#define MEMMON_SIGNAL_MASK_H

#include "monitor/base/mask.h"

/*
 * _block: block all signals except the one that mmi_image_fault() needs.
 * _unblock: restore the mask.  If a file grows too large, or no process reads a
 * pipe, the monitor itself causes a signal: _unblock removes this signal.
 * False: signals can't be blocked, so don't call _unblock.  ctx: slow, exit.
 */
struct mmi_signal_mask {
	struct mmi_mask mask;
	uint64_t pending;
};
bool mmi_signal_mask_block(struct mmi_signal_mask *m);
void mmi_signal_mask_unblock(const struct mmi_signal_mask *m);

#endif

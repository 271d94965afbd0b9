/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of places on threads' stacks. */
#ifndef MEMMON_REDUCE_LINKS_FRAMES_H
#define MEMMON_REDUCE_LINKS_FRAMES_H

#include "reduce/model/stages.h"

/*
 * The place of a word on a stack: "in run(), variable queue", or "in run()".
 * module: number; pc: code address in the module's file; below: bytes below the
 * frame's CFA, or LINK_FAR.  "" if the module is 0.  NULL: out of memory.
 */
const char *links_frame(struct profile *p, uint64_t module, uint64_t pc,
			uint64_t below);

#endif

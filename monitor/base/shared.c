/* SPDX-License-Identifier: MIT */
/* Counts of the process, until its image is mapped over them. */
#include "monitor/base/shared.h"

struct mmi_shared mmi_shared;
struct mmi_memory mmi_memory;

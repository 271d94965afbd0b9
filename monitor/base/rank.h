/* SPDX-License-Identifier: MIT */
/*
 * Which process of a parallel job this is: the launchers' environment
 * variables, the most specific first.
 */
#ifndef MEMMON_RANK_H
#define MEMMON_RANK_H

#include <stddef.h>
#include <stdint.h>

/* X(variable) */
#define MMI_RANK_VARIABLES(X) \
	X(OMPI_COMM_WORLD_RANK) \
	X(PMIX_RANK) \
	X(PMI_RANK) \
	X(SLURM_PROCID)
#define MMI_JOB_VARIABLES(X) \
	X(SLURM_JOB_ID) \
	X(PBS_JOBID) \
	X(LSB_JOBID) \
	X(PMIX_NAMESPACE) \
	X(PMI_JOBID)

/* The first variable with a value, by get(name); NULL: none.  ctx: init. */
static inline const char *
mmi_rank_find(const char *const *name, const char *(*get)(const char *name))
{
	for (; *name; name++) {
		const char *v = get(*name);

		if (v && *v)
			return v;
	}
	return NULL;
}

static inline const char *
mmi_rank_variable(const char *(*get)(const char *name))
{
#define X(variable) #variable,
	static const char *const name[] = { MMI_RANK_VARIABLES(X) NULL };
#undef X
	const char *v = mmi_rank_find(name, get);

	return v && *v >= '0' && *v <= '9' ? v : NULL;
}

static inline const char *
mmi_job_variable(const char *(*get)(const char *name))
{
#define X(variable) #variable,
	static const char *const name[] = { MMI_JOB_VARIABLES(X) NULL };
#undef X

	return mmi_rank_find(name, get);
}

/* The number at the start of a rank.  ctx: any. */
static inline uint64_t
mmi_rank_number(const char *s)
{
	uint64_t n = 0;

	for (; *s >= '0' && *s <= '9'; s++)
		n = n * 10 + (uint64_t)(*s - '0');
	return n;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file says about its run, as text. */
#define _GNU_SOURCE
#include "reduce/monout/run.h"
#include "reduce/base/clean.h"
#include "reduce/base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the run ended. */
static const char *
run_end(struct arena *a, const struct mon *m)
{
	uint64_t signal = m->run[MONOUT_R_SIGNAL].number;
	const char *what;

	switch (m->run[MONOUT_R_END].number) {
	case MONOUT_E_EXIT:
		return "exit";
	case MONOUT_E__EXIT:
		return "_exit";
	case MONOUT_E_QUICK:
		return "quick_exit";
	case MONOUT_E_SIGNAL:
		what = signal < 128 ? sigdescr_np((int)signal) : NULL;
		return what ? arena_print(a, "signal %d (%s)", (int)signal,
					  what)
			    : arena_print(a, "signal %llu",
					  (unsigned long long)signal);
	case MONOUT_E_EXEC:
		return "exec";
	case MONOUT_E_DUMP:
		return "still running";
	case MONOUT_E_SUM:
		return "sum of several runs";
	case MONOUT_E_CUT:
		if (!m->run[MONOUT_R_RUNNING].set)
			return "unknown or still running";
		return m->run[MONOUT_R_RUNNING].number
			       ? "still running"
			       : "SIGKILL or exit_group";
	default:
		return "unknown";
	}
}

/*
 * The value of an environment variable in the run; `otherwise' if it isn't set.
 */
static const char *
run_setting(const struct mon *m, const char *name, const char *otherwise)
{
	const struct mon_setting *s = m->settings;

	for (size_t i = 0; i < m->nsettings; i++)
		if (!strcmp(s[i].name, name))
			return s[i].value;
	return otherwise;
}

/* Set the host, job, rank, root and names. */
static void
run_place(struct run *r, struct arena *a, const struct mon *m)
{
	const char *host = m->run[MONOUT_R_HOST].text;
	const char *job = m->run[MONOUT_R_JOB].text;

	r->host = clean_name(a, host ? host : "");
	r->job = clean_name(a, job ? job : "");
	r->rank = m->run[MONOUT_R_RANK].number;
	r->rank_known = m->run[MONOUT_R_RANK].set;
	r->root = strtoull(run_setting(m, "MEMMON_ROOT", "0"), NULL, 10);
	r->pattern = arena_print(a, "%s", run_setting(m, "MEMMON_OUT", ""));
}

static struct run_leak_limits
run_leak_limits(const struct mon_value *v)
{
	return (struct run_leak_limits){
		.blind = v[MONOUT_R_LEAK_BLIND].number,
		.unread = v[MONOUT_R_LEAK_UNREAD].number,
		.places = v[MONOUT_R_LEAK_PLACES].number,
		.odd = v[MONOUT_R_LEAK_ODD].number,
		.tagged = v[MONOUT_R_LEAK_TAGGED].number,
		.unknown = v[MONOUT_R_LEAK_UNKNOWN].number,
		.held = v[MONOUT_R_LEAK_HELD].number,
		.held_bytes = v[MONOUT_R_LEAK_HELD_BYTES].number,
	};
}

/* Was a leak check requested for when the file was written? */
static bool
run_leak_asked(const struct mon *m)
{
	return strcmp(run_setting(m, "MEMMON_LEAKCHECK", "0"), "0") != 0;
}

/* Copy how many items were found. */
static void
run_tally(struct run *r, const struct mon *m)
{
	r->nmodules = m->tally[MON_MODULES].items;
	r->nnodes = m->tally[MON_NODES].items;
	r->nsites = m->tally[MON_SITES].items;
	r->nbins = m->tally[MON_BINS].items;
}

void
run_fill(struct run *r, struct arena *a, const struct mon *m)
{
	const struct mon_value *v = m->run;
	const struct mon_value *command = &v[MONOUT_R_COMMAND];
	const char *program = v[MONOUT_R_PROGRAM].text;
	const char *version = v[MONOUT_R_VERSION].text;
	const char *cut_why = v[MONOUT_R_CUT_WHY].text;
	const char *leak = v[MONOUT_R_LEAK_WHY].text;

	*r = (struct run){
		.path = clean_name(a, m->path),
		.program = clean_name(a, program ? program : ""),
		.command = str_quote(a, command->text, command->length),
		.end = run_end(a, m),
		.version = clean_name(a, version ? version : ""),
		.cut_why = cut_why && *cut_why ? clean_name(a, cut_why) : NULL,
		.leak_why = leak && *leak ? clean_name(a, leak) : NULL,
		.pid = v[MONOUT_R_PID].number,
		.ppid = v[MONOUT_R_PPID].number,
		.start = v[MONOUT_R_START].number,
		.length = v[MONOUT_R_LENGTH].number,
		.forked = v[MONOUT_R_FORKED].number != 0,
		.killed = v[MONOUT_R_END].number == MONOUT_E_CUT,
		.running = v[MONOUT_R_RUNNING].number != 0,
		.running_known = v[MONOUT_R_RUNNING].set,
		.seen = v[MONOUT_R_SEEN].number,
		.seen_known = v[MONOUT_R_SEEN].set,
		.alive = v[MONOUT_R_END].number == MONOUT_E_DUMP,
		.signal = v[MONOUT_R_END].number == MONOUT_E_SIGNAL,
		.executed = v[MONOUT_R_END].number == MONOUT_E_EXEC,
		.image = m->image != NULL,
		.own = (unsigned)v[MONOUT_R_OWN].number,
		.attached = v[MONOUT_R_ATTACHED].number != 0,
		.off = v[MONOUT_R_OFF].number != 0,
		.off_time = v[MONOUT_R_OFF_TIME].number,
		.reset = v[MONOUT_R_RESET].number,
		.was_reset = v[MONOUT_R_RESET].set,
		.leak_check = v[MONOUT_R_LEAKCHECK].number,
		.leak_limits = run_leak_limits(v),
		.leak_asked = run_leak_asked(m),
		.memory_known = m->nmemories > 0,
		.mapped_known = m->total_set[MONOUT_T_MAPPINGS] && !m->image,
		.endings_known = m->total_set[MONOUT_T_ENDINGS] && !m->image,
		.leaks_known = m->leaks_known,
		.leaks_all = m->leaks_all,
		.allocs = m->sums.allocs,
		.bytes = m->sums.bytes,
		.live_blocks = m->sums.allocs - m->sums.frees,
		.live = m->sums.bytes - m->sums.freed,
		.peak = mon_peak(m),
		.peak_known = m->total_set[MONOUT_T_PEAK] || !m->incomplete,
		.cut = m->incomplete,
		.sum = mon_is_sum(m),
		.size = m->size,
	};
	run_tally(r, m);
	run_place(r, a, m);
}

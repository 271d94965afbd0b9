/* SPDX-License-Identifier: MIT */
/* The result of the last leak check, and its records in the file. */
#include <string.h>

#include "monitor/base/put.h"
#include "monitor/leak/leak.h"
#include "monitor/leak/leak_graph.h"

static struct mmi_leak_result *old; /* a writer may still read it */
static struct mmi_leak_result *result; /* atomic */
static struct mmi_graph *kept; /* made when exit() began */
static const char *why;		       /* atomic; NULL: no check failed */

/* Guarded by the same lock as the file. */
static struct mmi_emit out = MMI_EMIT_FULL;
static struct mmi_emit holds_out = MMI_EMIT_FULL;
static const struct mmi_leak_result *shown;

static void
result_free(struct mmi_leak_result *r)
{
	mmi_graph_free(r->graph);
	mmi_leak_unmap(r, r->size);
}

/*
 * Store a new result and free the one before the last, which isn't used any
 * more.  A graph stays until a later check makes another.
 */
void
mmi_leak_publish(struct mmi_leak_result *r)
{
	if (old)
		result_free(old);
	old = result;
	if (old && !r->graph) {
		r->graph = old->graph;
		old->graph = NULL;
	}
	STORE_REL(&result, r);
	STORE_REL(&why, NULL);
}

void
mmi_leak_failed(const char *text)
{
	STORE_REL(&why, text);
}

const char *
mmi_leak_why(void)
{
	return LOAD_ACQ(&why);
}

const struct mmi_leak_result *
mmi_leak_last(void)
{
	return LOAD_ACQ(&result);
}

void
mmi_leak_graph_keep(void)
{
	kept = result ? result->graph : NULL;
	if (kept)
		result->graph = NULL;
}

bool
mmi_leak_graph_kept(void)
{
	return kept != NULL;
}

/* The graph that the file gets. */
static const struct mmi_graph *
shown_graph(void)
{
	return kept ? kept : shown ? shown->graph : NULL;
}

void
mmi_leak_forget(void)
{
	if (!result && !why)
		return;
	if (old)
		result_free(old);
	old = result;
	STORE_REL(&result, NULL);
	STORE_REL(&why, NULL);
}

void
mmi_leak_result_fork(void)
{
	result = old = NULL;
	kept = NULL;
	why = NULL;
}

static void
put_run(struct mmi_emit *o, const struct mmi_leak_result *r)
{
	const struct {
		unsigned key;
		uint64_t n;
	} rows[] = {
		{ MONOUT_R_LEAK_BLIND, r->blind },
		{ MONOUT_R_LEAK_UNREAD, r->unread },
		{ MONOUT_R_LEAK_PLACES, r->places },
		{ MONOUT_R_LEAK_ODD, r->odd },
		{ MONOUT_R_LEAK_TAGGED, r->tagged },
		{ MONOUT_R_LEAK_UNKNOWN, r->unknown },
		{ MONOUT_R_LEAK_HELD, r->held },
		{ MONOUT_R_LEAK_HELD_BYTES, r->held_bytes },
	};

	mmi_emit_key_number(o, MONOUT_R_LEAKCHECK, r->time);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].n)
			mmi_emit_key_number(o, rows[i].key, rows[i].n);
}

void
mmi_leak_run(struct mmi_emit *o)
{
	const char *w = LOAD_ACQ(&why);

	/* The whole file uses one result. */
	shown = LOAD_ACQ(&result);
	if (shown)
		put_run(o, shown);
	mmi_graph_run(o, shown_graph());
	if (w)
		mmi_emit_key_bytes(o, MONOUT_R_LEAK_WHY, w, strlen(w));
}

void
mmi_leak_begin(struct mmi_emit *o)
{
	mmi_emit_table_after(&out, o, MONOUT_LEAKS);
	mmi_emit_table_after(&holds_out, &out, MONOUT_HOLDS);
	mmi_graph_begin(&holds_out, shown_graph());
}

void
mmi_leak_site(uint64_t number, uint32_t node)
{
	struct monrec_leak x = { .site = number };
	const struct mmi_leak_site *s;

	mmi_graph_site(number, node);
	if (!shown || node >= shown->nodes)
		return;
	s = &shown->site[node];
	for (unsigned i = 0; i < MONOUT_NLEAK; i++) {
		x.mask |= s->blocks[i] ? 1u << i : 0;
		x.kind[i].blocks = s->blocks[i];
		x.kind[i].bytes = s->bytes[i];
	}
	if (x.mask)
		mmi_put_leak(&out, &x);
	if (s->holds.blocks)
		mmi_put_hold(&holds_out,
			     &(struct monrec_hold){ .site = number,
						    .blocks = s->holds.blocks,
						    .bytes = s->holds.bytes });
}

void
mmi_leak_tables(uint64_t *leaks, uint64_t *holds, uint64_t *links)
{
	*leaks = mmi_emit_end(&out);
	*holds = mmi_emit_end(&holds_out);
	*links = mmi_graph_table();
}

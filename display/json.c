/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile as JSON: see json.h. */
#include "display/json.h"

#include "display/amount.h"
#include "display/options.h"
#include "display/sort.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { SCHEMA = 1 };

/* place[]: of the node with that number, where it is in its array. */
struct json {
	const struct profile *p;
	FILE *out;
	struct sort sort;
	size_t *place;
	bool first;		/* no comma before the next value */
};

/* The length of the UTF-8 sequence at s, 0 if there is none that is valid. */
static unsigned
sequence(const unsigned char *s)
{
	static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned n = *s < 0x80	 ? 1
		     : *s < 0xc0 ? 0
		     : *s < 0xe0 ? 2
		     : *s < 0xf0 ? 3
		     : *s < 0xf8 ? 4
				 : 0;
	uint32_t c = n < 2 ? *s : *s & (0x7fu >> n);

	for (unsigned i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (n > 1 &&
	    (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)))
		return 0;
	return n;
}

/* A string; what isn't UTF-8 becomes U+FFFD, byte by byte. */
static void
string(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	putc('"', out);
	while (*s) {
		unsigned n = sequence(s);

		if (n == 0)
			fputs("\\ufffd", out);
		else if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s < 0x20 || *s == 0x7f)
			fprintf(out, "\\u%04x", *s);
		else
			fwrite(s, 1, n, out);
		s += n ? n : 1;
	}
	putc('"', out);
}

/* Begin a value: a comma if there was one before, and its name if any. */
static void
begin(struct json *j, const char *name)
{
	if (!j->first)
		putc(',', j->out);
	j->first = false;
	if (name)
		fprintf(j->out, "\"%s\":", name);
}

static void
enter(struct json *j, const char *name, char bracket)
{
	begin(j, name);
	putc(bracket, j->out);
	j->first = true;
}

static void
leave(struct json *j, char bracket)
{
	putc(bracket, j->out);
	j->first = false;
}

/* An object or array that begins a line of the output. */
static void
line(struct json *j, const char *name, char bracket)
{
	if (!j->first)
		putc(',', j->out);
	j->first = true;
	putc('\n', j->out);
	enter(j, name, bracket);
}

static void
number(struct json *j, const char *name, uint64_t n)
{
	begin(j, name);
	fprintf(j->out, "%" PRIu64, n);
}

static void
text(struct json *j, const char *name, const char *value)
{
	begin(j, name);
	string(j->out, value);
}

static void
truth(struct json *j, const char *name, bool value)
{
	begin(j, name);
	fputs(value ? "true" : "false", j->out);
}

static void
classes(struct json *j, const char *name, const uint64_t v[PROFILE_NCLASS])
{
	enter(j, name, '[');
	for (int i = 0; i < PROFILE_NCLASS; i++)
		number(j, NULL, v[i]);
	leave(j, ']');
}

static void
counts(struct json *j, const char *name, const struct counts *c)
{
	uint64_t kept[PROFILE_NCLASS];

	amount_kept_by_class(c, kept);
	enter(j, name, '{');
	classes(j, "allocs", c->allocs);
	classes(j, "bytes", c->bytes);
	classes(j, "frees", c->frees);
	classes(j, "freed", c->freed);
	classes(j, "kept", kept);
	leave(j, '}');
}

/* Where a function is in the array of functions. */
static size_t
place(const struct json *j, const struct func *f)
{
	return j->place[sort_number(&j->sort, f)];
}

static void
runs(struct json *j)
{
	line(j, "runs", '[');
	for (size_t i = 0; i < j->p->nruns; i++) {
		const struct run *r = &j->p->runs[i];

		line(j, NULL, '{');
		text(j, "path", r->path);
		text(j, "program", r->program);
		text(j, "command", r->command);
		text(j, "end", r->end);
		text(j, "version", r->version);
		number(j, "pid", r->pid);
		number(j, "ppid", r->ppid);
		number(j, "start_ns", r->start);
		number(j, "length_ns", r->length);
		truth(j, "forked", r->forked);
		truth(j, "cut", r->cut);
		truth(j, "sum", r->sum);
		number(j, "size", r->size);
		number(j, "modules", r->nmodules);
		number(j, "nodes", r->nnodes);
		number(j, "sites", r->nsites);
		number(j, "bins", r->nbins);
		leave(j, '}');
	}
	leave(j, ']');
}

static void
totals(struct json *j)
{
	const struct profile *p = j->p;

	line(j, "totals", '{');
	number(j, "allocs", amount_allocs(&p->total));
	number(j, "bytes", amount_bytes(&p->total));
	number(j, "frees", amount_frees(&p->total));
	number(j, "freed", amount_freed(&p->total));
	number(j, "kept", amount_kept(&p->total));
	number(j, "reallocs", p->reallocs);
	number(j, "peak", p->peak);
	number(j, "peak_at_ns", p->peak_at);
	number(j, "threads", p->threads);
	number(j, "frames", p->frames);
	number(j, "same", p->same);
	number(j, "deepest", p->deepest);
	number(j, "cut", p->cut);
	number(j, "stopped", p->stopped);
	number(j, "lost", p->lost);
	number(j, "lost_bytes", p->lost_bytes);
	number(j, "unseen", p->unseen);
	number(j, "inherited", p->inherited);
	number(j, "reused", p->reused);
	number(j, "failed", p->failed);
	number(j, "monitor", p->own);
	truth(j, "incomplete", p->incomplete);
	counts(j, "classes", &p->total);
	leave(j, '}');
}

static void
functions(struct json *j)
{
	line(j, "functions", '[');
	for (size_t i = 0; i < j->sort.nnodes; i++) {
		const struct node *node = &j->sort.nodes[i];
		const struct func *f = node->func;

		if (!f)
			continue;
		line(j, NULL, '{');
		text(j, "name", f->name);
		text(j, "module", f->module);
		text(j, "file", f->file);
		number(j, "line", f->line);
		number(j, "address", f->addr);
		truth(j, "ambiguous", f->ambiguous);
		number(j, "graph", i);
		number(j, "cycle", f->cycle);
		counts(j, "self", &f->self);
		counts(j, "total", &f->total);
		number(j, "calls", f->calls);
		number(j, "recursive", f->recursive);
		number(j, "outcalls", f->outcalls);
		leave(j, '}');
	}
	leave(j, ']');
}

static void
links(struct json *j, const char *name, const struct carc *c, size_t n)
{
	enter(j, name, '[');
	for (size_t i = 0; i < n; i++) {
		enter(j, NULL, '{');
		number(j, "function", place(j, c[i].other));
		number(j, "calls", c[i].calls);
		counts(j, "count", &c[i].count);
		leave(j, '}');
	}
	leave(j, ']');
}

static void
cycles(struct json *j)
{
	line(j, "cycles", '[');
	for (size_t i = 0; i < j->p->ncycles; i++) {
		const struct cycle *c = &j->p->cycles[i];

		line(j, NULL, '{');
		number(j, "number", c->number);
		number(j, "graph", sort_number(&j->sort, c));
		enter(j, "members", '[');
		for (size_t k = 0; k < c->nmembers; k++)
			number(j, NULL, place(j, c->members[k]));
		leave(j, ']');
		counts(j, "self", &c->self);
		counts(j, "total", &c->total);
		number(j, "calls", c->calls);
		number(j, "internal", c->internal);
		links(j, "callers", c->callers, c->ncallers);
		links(j, "callees", c->callees, c->ncallees);
		leave(j, '}');
	}
	leave(j, ']');
}

/* The arcs, by caller, then by bytes. */
static int
arcs(struct json *j)
{
	struct link *link;
	size_t most = 1;

	for (size_t i = 0; i < j->p->nfuncs; i++)
		if (most < j->p->funcs[i]->ncallees)
			most = j->p->funcs[i]->ncallees;
	link = calloc(most, sizeof *link);
	if (!link)
		return -1;
	line(j, "arcs", '[');
	for (size_t i = 0; i < j->sort.nnodes; i++) {
		const struct func *f = j->sort.nodes[i].func;
		size_t n = f ? f->ncallees : 0;

		for (size_t k = 0; k < n; k++) {
			const struct arc *a = f->callees[k];

			link[k] = (struct link){ a->callee, &a->count,
						 amount_bytes(&a->count),
						 a->calls };
		}
		sort_children(link, n);
		for (size_t k = 0; k < n; k++) {
			line(j, NULL, '{');
			number(j, "caller", j->place[i]);
			number(j, "callee", place(j, link[k].other));
			number(j, "calls", link[k].calls);
			counts(j, "count", link[k].count);
			leave(j, '}');
		}
	}
	leave(j, ']');
	free(link);
	return 0;
}

static const char *
start_of(const struct frame *tip)
{
	switch (tip ? tip->start : ~0u) {
	case PROFILE_START_MAIN:
		return "main";
	case PROFILE_START_OTHER:
		return "other";
	case PROFILE_START_CUT:
		return "cut";
	case PROFILE_START_STOPPED:
		return "stopped";
	default:
		return "unknown";
	}
}

/* A chain, its n frames outermost first: frames[] has room for them. */
static void
chain(struct json *j, const struct frame *tip, size_t n,
      const struct frame **frames)
{
	const struct frame *f = tip;
	bool sites = false;

	for (size_t i = n; i-- > 0; f = f->parent) {
		frames[i] = f;
		sites |= f->site != NULL;
	}
	enter(j, "chain", '[');
	for (size_t i = 0; i < n; i++)
		number(j, NULL, place(j, frames[i]->func));
	leave(j, ']');
	if (!sites)
		return;
	enter(j, "sites", '[');
	for (size_t i = 0; i < n; i++)
		text(j, NULL, frames[i]->site ? frames[i]->site : "");
	leave(j, ']');
}

static size_t
length(const struct frame *tip)
{
	size_t n = 0;

	for (; tip; tip = tip->parent)
		n++;
	return n;
}

static int
sites(struct json *j)
{
	const struct frame **frames;
	size_t most = 1;

	for (size_t i = 0; i < j->p->nsites; i++) {
		size_t n = length(j->p->sites[i].tip);

		if (most < n)
			most = n;
	}
	frames = calloc(most, sizeof(const struct frame *));
	if (!frames)
		return -1;
	line(j, "sites", '[');
	for (size_t i = 0; i < j->p->nsites; i++) {
		const struct site *s = &j->p->sites[i];

		line(j, NULL, '{');
		chain(j, s->tip, length(s->tip), frames);
		text(j, "start", start_of(s->tip));
		counts(j, "count", &s->count);
		number(j, "reallocs", s->reallocs);
		leave(j, '}');
	}
	leave(j, ']');
	free(frames);
	return 0;
}

static void
bins(struct json *j)
{
	const struct profile *p = j->p;

	line(j, "bins", '[');
	for (size_t i = 0; i < p->nbins; i++) {
		const struct bin *b = &p->bins[i];

		line(j, NULL, '{');
		number(j, "size", b->size);
		number(j, "allocs", b->allocs);
		number(j, "bytes", amount_mul(b->size, b->allocs));
		number(j, "frees", b->frees);
		number(j, "kept",
		       amount_mul(b->size, amount_sub(b->allocs, b->frees)));
		enter(j, "types", '[');
		for (size_t k = 0; k < b->ntypes; k++) {
			char mark[2] = { b->types[k].mark, '\0' };

			enter(j, NULL, '{');
			text(j, "name", b->types[k].name);
			text(j, "mark", mark);
			leave(j, '}');
		}
		leave(j, ']');
		leave(j, '}');
	}
	leave(j, ']');
	line(j, "big", '{');
	number(j, "allocs", p->big.allocs);
	number(j, "bytes", p->big.bytes);
	number(j, "frees", p->big.frees);
	number(j, "freed", p->big.freed);
	number(j, "kept", amount_sub(p->big.bytes, p->big.freed));
	leave(j, '}');
}

static int
everything(struct json *j)
{
	enter(j, NULL, '{');
	number(j, "schema", SCHEMA);
	text(j, "generator", "mpreduce " MEMMON_VERSION);
	runs(j);
	totals(j);
	functions(j);
	if (arcs(j))
		return -1;
	cycles(j);
	if (sites(j))
		return -1;
	bins(j);
	line(j, "warnings", '[');
	for (size_t i = 0; i < j->p->nwarnings; i++)
		text(j, NULL, j->p->warnings[i]);
	leave(j, ']');
	leave(j, '}');
	putc('\n', j->out);
	return 0;
}

int
json_print(const struct profile *p, FILE *out)
{
	struct json j = { .p = p, .out = out, .first = true };
	size_t functions = 0;
	int status = -1;

	if (sort_init(&j.sort, p, 0) == 0 &&
	    (j.place = calloc(j.sort.nnodes + 1, sizeof *j.place))) {
		for (size_t i = 0; i < j.sort.nnodes; i++)
			if (j.sort.nodes[i].func)
				j.place[i] = functions++;
		status = everything(&j);
	}
	free(j.place);
	sort_fini(&j.sort);
	return status;
}

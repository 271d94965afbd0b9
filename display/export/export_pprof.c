/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --export=pprof: profile.proto, gzipped.  The numbers of fields are those of
 * github.com/google/pprof/proto/profile.proto.
 */
#include "display/export/samples.h"

struct pprof {
	struct samples s;
	struct gzip *gzip;
	/* Scratch: the profile, a message in it, and a message in that. */
	struct proto top, part, inner;
};

/* Write the message in w->part as a field of the profile. */
static void
done(struct pprof *w, unsigned field)
{
	proto_message(&w->top, field, &w->part);
	gzip_write(w->gzip, &w->top);
}

static void
export_pprof_value_type(struct pprof *w, unsigned field, const char *type,
			const char *unit)
{
	proto_number(&w->part, 1, samples_text(&w->s, type));
	proto_number(&w->part, 2, samples_text(&w->s, unit));
	done(w, field);
}

static void
export_pprof_label(struct pprof *w, const char *key, const char *s, uint64_t n)
{
	proto_number(&w->inner, 1, samples_text(&w->s, key));
	if (s) {
		proto_number(&w->inner, 2, samples_text(&w->s, s));
	} else {
		proto_number(&w->inner, 3, n);
		proto_number(&w->inner, 4, samples_text(&w->s, "bytes"));
	}
	proto_message(&w->part, 3, &w->inner);
}

static void
export_pprof_sample(void *arg, const struct sample *a)
{
	struct pprof *w = arg;

	samples_put_path(&w->s, a->leaf, &w->inner);
	proto_message(&w->part, 1, &w->inner);
	for (size_t i = 0; i < w->s.ntypes; i++)
		proto_item(&w->inner, a->value[i]);
	proto_message(&w->part, 2, &w->inner);
	if (a->type)
		export_pprof_label(w, "type", a->type, 0);
	if (a->sized)
		export_pprof_label(w, "bytes", NULL, a->size);
	if (a->thread)
		export_pprof_label(w, "thread", a->thread, 0);
	done(w, 2);
}

/*
 * The tables that samples refer to.  Row i has number i + 1, as some readers
 * expect.  All readers take the first mapping for the program.
 */
static void
export_pprof_tables(struct pprof *w)
{
	struct samples *s = &w->s;

	for (size_t i = 0; i < s->mappings.n; i++) {
		proto_number(&w->part, 1, i + 1);
		samples_put_mapping(s, i, 2, &w->part);
		proto_number(&w->part, 6,
			     samples_text(s, samples_module(s, i)->build_id));
		/* It has functions, files, lines and inlined frames. */
		for (unsigned field = 7; field <= 10; field++)
			proto_number(&w->part, field, 1);
		done(w, 3);
	}
	for (size_t i = 0; i < s->locations.n; i++) {
		proto_number(&w->part, 1, i + 1);
		samples_put_location(s, i, 2, &w->part);
		done(w, 4);
	}
	for (size_t i = 0; i < s->functions.n; i++) {
		proto_number(&w->part, 1, i + 1);
		samples_put_function(s, i, 2, &w->part);
		done(w, 5);
	}
}

/* Time, sampling period, comments and the usual type. */
static void
about(struct pprof *w)
{
	const struct samples_time t = samples_time(w->s.p);

	proto_number(&w->top, 9, t.start);
	proto_number(&w->top, 10, t.length);
	export_pprof_value_type(w, 11, "space", "bytes");
	proto_number(&w->top, 12, t.period);
	if (t.run && *t.run->command)
		proto_number(&w->top, 13, samples_text(&w->s, t.run->command));
	proto_number(&w->top, 13,
		     samples_text(&w->s, "mpreduce " MEMMON_VERSION));
	if (w->s.x->note)
		proto_number(&w->top, 13, samples_text(&w->s, w->s.x->note));
	proto_number(&w->top, 14, samples_text(&w->s, samples_usual->type));
	gzip_write(w->gzip, &w->top);
}

/* Write all tables, and then the strings. */
static void
export_pprof_whole(struct pprof *w)
{
	const struct intern *strings = &w->s.x->strings;

	for (size_t i = 0; i < w->s.ntypes; i++)
		export_pprof_value_type(w, 1, w->s.type[i]->type,
					w->s.type[i]->unit);
	samples_each(&w->s, export_pprof_sample, w);
	export_pprof_tables(w);
	about(w);
	for (size_t i = 0; i < strings->n; i++) {
		proto_text(&w->top, 6, strings->text[i]);
		gzip_write(w->gzip, &w->top);
	}
}

int
export_pprof(struct export *x)
{
	struct pprof w = { .gzip = gzip_open(x->out) };
	int status = samples_init(&w.s, x);

	if (w.gzip && !status)
		export_pprof_whole(&w);
	if (!w.gzip || gzip_close(w.gzip) || w.s.failed)
		status = -1;
	samples_fini(&w.s);
	proto_fini(&w.top);
	proto_fini(&w.part);
	proto_fini(&w.inner);
	return status;
}

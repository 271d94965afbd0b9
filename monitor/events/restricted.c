/* SPDX-License-Identifier: MIT */
/*
 * Names that events are restricted to by --only and --loop, and that no file
 * has: the lists of all files tell (events.h).
 */
#include "monitor/events/restricted.h"

#include "monitor/base/internal.h"

struct text {
	char v[512];
	size_t n;
};

static void
put(struct text *t, const char *s)
{
	for (; *s && t->n < sizeof(t->v) - 1; s++)
		t->v[t->n++] = *s;
	t->v[t->n] = '\0';
}

static void
put_number(struct text *t, uint32_t n)
{
	char digits[12];
	unsigned k = sizeof(digits) - 1;

	digits[k] = '\0';
	do
		digits[--k] = (char)('0' + n % 10);
	while (n /= 10);
	put(t, digits + k);
}

/* How well a file matches its restriction. */
static unsigned
worth(const struct restriction *x)
{
	return x->found ? 2 : *x->file != '\0';
}

/* The first of all lists with this name writes the note. */
static void
look_at(const struct driver *d, struct results *r, uint32_t list,
	const struct restriction *w)
{
	struct restriction best = *w, x;
	struct text t = { .n = 0 };

	for (uint32_t i = 0; i < d->nlists; i++)
		for (uint32_t k = 0; mmi_places_restriction(d, i, k, &x); k++) {
			if (strcmp(x.name, w->name) != 0)
				continue;
			if (i < list)
				return;
			if (worth(&x) > worth(&best))
				best = x;
		}
	if (best.found)
		return;
	put(&t, w->name);
	put(&t, w->name[2] == 'l' ? ": no loop begins there, so its events "
				    "aren't in the tables"
				  : ": no function of that name was compiled, "
				    "so its events aren't in the tables");
	if (*best.file) {
		put(&t, "; is ");
		put(&t, best.file);
		if (best.line) {
			put(&t, ":");
			put_number(&t, best.line);
		}
		put(&t, " meant?");
	}
	mmi_results_note(r, t.v);
}

void
mmi_restricted_note(const struct driver *d, struct results *r)
{
	struct restriction w;

	for (uint32_t i = 0; i < d->nlists; i++)
		for (uint32_t k = 0; mmi_places_restriction(d, i, k, &w); k++)
			look_at(d, r, i, &w);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The index of function names, at the end of the call graph. */
#include "display/grid/table.h"
#include "display/grid/view.h"

#include <stdlib.h>

/* The layout of the index; digits: width of a number with its brackets. */
struct layout {
	size_t n, columns, width, digits;
};

static size_t
index_digits(size_t n)
{
	size_t width = 1;

	for (; n >= 10; n /= 10)
		width++;
	return width;
}

/* Three columns as in gprof, or fewer if the longest name needs more room. */
static struct layout
arrange(const struct tables *t, const bool *seen)
{
	const struct nodes *s = &t->nodes;
	struct layout a = { 0, 3, 0, index_digits(s->n) + 2 };
	size_t longest = 0;

	if (a.digits < 6)
		a.digits = 6;
	for (size_t i = 0; i < s->n; i++) {
		size_t width = line_width(s->v[i].label);

		a.n += seen[i];
		if (seen[i] && longest < width)
			longest = width;
	}
	while (a.columns > 1 &&
	       a.digits + 1 + longest + 1 > t->o->width / a.columns)
		a.columns--;
	a.width = t->o->width / a.columns;
	return a;
}

static void
print_item(struct tables *t, const struct layout *a, size_t number)
{
	char text[32], *name;
	size_t before;

	snprintf(text, sizeof text, "[%zu]", number);
	before = t->line.len;
	line_right(&t->line, a->digits, text);
	line_add(&t->line, " ");
	before = t->line.len - before;
	name = line_shorten(t->nodes.v[number].label,
			    line_left_over(&t->line, 0));
	line_left(&t->line, a->width > before ? a->width - before : 0,
		  name ? name : "");
	t->line.failed |= !name;
	free(name);
}

void
index_print(struct tables *t, const bool *seen)
{
	struct layout a = arrange(t, seen);
	size_t *number, n = 0, rows;

	number = tables_room(t, a.n, sizeof *number);
	for (size_t i = 0; i < t->nodes.n; i++)
		if (seen[t->nodes.names[i]])
			number[n++] = t->nodes.names[i];
	rows = (n + a.columns - 1) / a.columns;
	line_say(&t->line, "Index by function name");
	line_end(&t->line);
	for (size_t row = 0; row < rows; row++) {
		for (size_t i = row; i < n; i += rows)
			print_item(t, &a, number[i]);
		line_end(&t->line);
	}
}

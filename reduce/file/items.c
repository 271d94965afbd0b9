/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The items in the records of mon.out: from bytes to the tables of a mon. */
#include "reduce/file/items.h"

#include <stdlib.h>
#include <string.h>

/* The fewest bytes that an item of the table takes in the file. */
enum { ITEMS_MODULE = 6, ITEMS_NODE = 3 };

enum mon_kind
items_kind(uint32_t tag)
{
	switch (tag) {
	case MONOUT_RUN:
		return MON_RUN;
	case MONOUT_MODULES:
		return MON_MODULES;
	case MONOUT_NODES:
		return MON_NODES;
	case MONOUT_SITES:
		return MON_SITES;
	case MONOUT_BINS:
		return MON_BINS;
	case MONOUT_PEAKS:
		return MON_PEAKS;
	case MONOUT_LIVES:
		return MON_LIVES;
	case MONOUT_THREADS:
		return MON_THREADS;
	case MONOUT_USES:
		return MON_USES;
	case MONOUT_GROUPS:
		return MON_GROUPS;
	case MONOUT_FIELDS:
		return MON_FIELDS;
	case MONOUT_HANDED:
		return MON_HANDED;
	case MONOUT_MARKS:
		return MON_MARKS;
	case MONOUT_LEAKS:
		return MON_LEAKS;
	case MONOUT_TYPES:
		return MON_TYPES;
	case MONOUT_CELLS:
		return MON_CELLS;
	case MONOUT_VTABLES:
		return MON_VTABLES;
	case MONOUT_CHANGES:
		return MON_CHANGES;
	case MONOUT_MOMENTS:
		return MON_MOMENTS;
	case MONOUT_ERRORS:
		return MON_ERRORS;
	case MONOUT_TOTALS:
		return MON_TOTALS;
	default:
		return MON_UNKNOWN;
	}
}

static bool
items_is_text(uint64_t key)
{
	return key == MONOUT_R_PROGRAM || key == MONOUT_R_COMMAND ||
	       key == MONOUT_R_VERSION || key == MONOUT_R_CWD ||
	       key == MONOUT_R_WHY || key == MONOUT_R_CUT_WHY ||
	       key == MONOUT_R_LEAK_WHY || key == MONOUT_R_SAMPLE_WHY ||
	       key == MONOUT_R_LOG;
}

/* The value of a key: a number that fills it. */
static bool
items_value(const unsigned char *p, uint64_t n, uint64_t *v)
{
	struct cursor c = { p, p + n, false };

	*v = cursor_number(&c);
	return !c.bad && c.p == c.end;
}

static int
items_run(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	uint64_t key = cursor_number(c), n = cursor_number(c);
	const unsigned char *p = cursor_bytes(c, n);
	struct mon_value v = { .set = true };

	if (c->bad || key >= MONOUT_R_MAX)
		return 0;
	if (items_is_text(key)) {
		v.text = arena_copy(&m->arena, p, n);
		if (!v.text)
			return -1;
		v.length = n;
	} else if (!items_value(p, n, &v.number)) {
		c->bad = true;
		return 0;
	}
	m->run[key] = v;
	return 0;
}

static int
items_total(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	uint64_t key = cursor_number(c), n = cursor_number(c), v;
	const unsigned char *p = cursor_bytes(c, n);

	if (c->bad || key >= MONOUT_T_MAX)
		return 0;
	if (!items_value(p, n, &v)) {
		c->bad = true;
		return 0;
	}
	m->total[key] = v;
	m->total_set[key] = true;
	return 0;
}

/* Make room up to item n; what wasn't there gets path NULL. */
static int
items_module_room(struct mon *m, size_t n)
{
	struct mon_module *a = m->modules;

	if (n < m->nmodules)
		return 0;
	a = array_grow(a, &m->module_room, n + 1, sizeof(*a));
	if (!a)
		return -1;
	m->modules = a;
	memset(a + m->nmodules, 0, (n + 1 - m->nmodules) * sizeof(*a));
	m->nmodules = n + 1;
	return 0;
}

static int
items_module(struct items *it, struct cursor *c, uint64_t number)
{
	struct mon *m = it->mon;
	struct mon_module o = { 0 };
	const unsigned char *id, *path;
	uint64_t n;

	o.start = cursor_number(c);
	o.end = cursor_number(c);
	o.bias = cursor_number(c);
	o.flags = cursor_number(c);
	o.idlen = cursor_number(c);
	id = cursor_bytes(c, o.idlen);
	n = cursor_number(c);
	path = cursor_bytes(c, n);
	/* No file of this size can have so many. */
	if (number == 0 || number > m->size / ITEMS_MODULE)
		c->bad = true;
	if (c->bad)
		return 0;
	if (items_module_room(m, number))
		return -1;
	if (m->modules[number].path) {
		c->bad = true;
		return 0;
	}
	o.id = (unsigned char *)arena_copy(&m->arena, id, o.idlen);
	o.path = arena_copy(&m->arena, path, n);
	if (!o.id || !o.path)
		return -1;
	m->modules[number] = o;
	return 0;
}

/* Make room up to item n; what wasn't there gets parent MON_MISSING. */
static int
items_node_room(struct mon *m, size_t n)
{
	struct mon_node *a = m->nodes;
	size_t i;

	if (n < m->nnodes)
		return 0;
	a = array_grow(a, &m->node_room, n + 1, sizeof(*a));
	if (!a)
		return -1;
	m->nodes = a;
	for (i = m->nnodes; i <= n; i++)
		a[i] = (struct mon_node){ .parent = MON_MISSING };
	m->nnodes = n + 1;
	return 0;
}

static int
items_node(struct items *it, struct cursor *c, uint64_t number)
{
	struct mon *m = it->mon;
	struct mon_node o = { 0 };
	uint64_t distance = cursor_number(c), module = cursor_number(c);

	o.addr = cursor_number(c);
	if (number == 0 || number > m->size / ITEMS_NODE ||
	    number > MON_NUMBER_MAX)
		c->bad = true;
	if (c->bad)
		return 0;
	if (items_node_room(m, number))
		return -1;
	if (distance == 0 || distance > number ||
	    module > m->size / ITEMS_MODULE ||
	    m->nodes[number].parent != MON_MISSING) {
		it->bad_nodes++;
		return 0;
	}
	o.parent = (uint32_t)(number - distance);
	o.module = (uint32_t)module;
	m->nodes[number] = o;
	return 0;
}

/* Could a monitor have counted this? */
static bool
items_sane(const struct counts *n)
{
	int i;

	for (i = 0; i < PROFILE_NCLASS; i++) {
		if (n->frees[i] > n->allocs[i] || n->freed[i] > n->bytes[i] ||
		    (!n->allocs[i] && n->bytes[i]) ||
		    (!n->frees[i] && n->freed[i]))
			return false;
	}
	return true;
}

static int
items_site(struct items *it, struct cursor *c, uint64_t number)
{
	struct mon *m = it->mon;
	struct mon_site o = { 0 }, *a;
	uint64_t node = cursor_number(c), mask;
	int i;

	o.reallocs = cursor_number(c);
	mask = cursor_number(c);
	if (mask >> PROFILE_NCLASS)
		c->bad = true;
	for (i = 0; i < PROFILE_NCLASS && !c->bad; i++) {
		if (!(mask >> i & 1))
			continue;
		o.count.allocs[i] = cursor_number(c);
		o.count.bytes[i] = cursor_number(c);
		o.count.frees[i] = cursor_number(c);
		o.count.freed[i] = cursor_number(c);
	}
	if (c->bad)
		return 0;
	if (!items_sane(&o.count) ||
	    !sums_add(&m->sums, &o.count, o.reallocs)) {
		it->bad_sites++;
		return 0;
	}
	/* MON_MISSING: items_finish() finds that there is no such node. */
	o.node = node > MON_NUMBER_MAX ? MON_MISSING : (uint32_t)node;
	o.number = number > MON_NUMBER_MAX ? MON_MISSING : (uint32_t)number;
	a = array_grow(m->sites, &m->site_room, m->nsites + 1, sizeof(*a));
	if (!a)
		return -1;
	m->sites = a;
	a[m->nsites++] = o;
	return 0;
}

static int
items_bin(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	struct mon_bin o = { 0 }, *a;
	struct counts n = { 0 };
	bool over;

	o.size = cursor_number(c);
	o.allocs = cursor_number(c);
	o.frees = cursor_number(c);
	if (c->bad)
		return 0;
	n.allocs[0] = o.allocs;
	n.frees[0] = o.frees;
	over = __builtin_mul_overflow(o.size, o.allocs, &n.bytes[0]);
	n.freed[0] = o.size * o.frees;
	if (over || o.frees > o.allocs || !sums_add(&m->bin_sums, &n, 0)) {
		it->bad_bins++;
		return 0;
	}
	a = array_grow(m->bins, &m->bin_room, m->nbins + 1, sizeof(*a));
	if (!a)
		return -1;
	m->bins = a;
	a[m->nbins++] = o;
	return 0;
}

static int
items_one(struct items *it, enum mon_kind kind, struct cursor *c,
	  uint64_t number)
{
	switch (kind) {
	case MON_RUN:
		return items_run(it, c);
	case MON_MODULES:
		return items_module(it, c, number);
	case MON_NODES:
		return items_node(it, c, number);
	case MON_SITES:
		return items_site(it, c, number);
	case MON_BINS:
		return items_bin(it, c);
	case MON_PEAKS:
		return items_peak(it, c);
	case MON_LIVES:
		return items_life(it, c);
	case MON_THREADS:
		return items_thread(it, c, number);
	case MON_USES:
		return items_use(it, c);
	case MON_GROUPS:
		return items_group(it, c);
	case MON_FIELDS:
		return items_field(it, c);
	case MON_HANDED:
		return items_handed(it, c);
	case MON_MARKS:
		return items_mark(it, c);
	case MON_LEAKS:
		return items_leak(it, c);
	case MON_TYPES:
		return items_type(it, c, number);
	case MON_CELLS:
		return items_cell(it, c);
	case MON_VTABLES:
		return items_vtable(it, c);
	case MON_CHANGES:
		return items_change(it, c);
	case MON_MOMENTS:
		return items_moment(it, c);
	case MON_ERRORS:
		return items_error(it, c);
	case MON_TOTALS:
		return items_total(it, c);
	default:
		return 0;
	}
}

int
items_take(struct items *it, const struct monout_record *r,
	   const unsigned char *payload)
{
	enum mon_kind kind = items_kind(r->tag);
	struct cursor c = { payload, payload + r->length, false };
	struct mon_tally *t = &it->mon->tally[kind];
	uint64_t end, left;
	uint32_t i;

	t->records++;
	t->bytes += sizeof(*r) + r->length;
	if (kind == MON_UNKNOWN) {
		t->items += r->count;
		return 0;
	}
	/* A table's record that was there already would count twice. */
	if (__builtin_add_overflow(r->first, r->count, &end) ||
	    r->first < it->next[kind]) {
		it->bad_records++;
		return 0;
	}
	if (kind != MON_RUN && kind != MON_TOTALS)
		it->next[kind] = end;
	it->moment = (struct mon_moment){ 0 };
	for (i = 0; i < r->count && !c.bad; i++) {
		left = items_left_out(it);
		if (items_one(it, kind, &c, r->first + i))
			return -1;
		t->items += !c.bad && items_left_out(it) == left;
	}
	if (c.bad || c.p != c.end)
		it->bad_records++;
	return 0;
}

int
items_finish(struct items *it)
{
	struct mon *m = it->mon;
	struct mon_node *n;
	struct mon_site *s;
	size_t i;

	if (m->nnodes)
		m->nodes[0] = (struct mon_node){ .parent = MON_MISSING };
	for (i = 1; i < m->nnodes; i++) {
		n = &m->nodes[i];
		if (n->parent == MON_MISSING)
			continue;
		if (n->parent && m->nodes[n->parent].parent == MON_MISSING) {
			n->parent = MON_ORPHAN;
			it->lost_nodes++;
		}
		if (n->module && items_module_room(m, n->module))
			return -1;
		if (n->module && !m->modules[n->module].path)
			it->lost_nodes++;
	}
	for (i = 0; i < m->nsites; i++) {
		s = &m->sites[i];
		if (s->node && (s->node >= m->nnodes ||
				m->nodes[s->node].parent == MON_MISSING)) {
			s->node = 0;
			it->lost_sites++;
		}
	}
	return 0;
}

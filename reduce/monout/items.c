/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read the items of records.  Each table has a function, made from its fields
 * in monrec.h, that reads an item and passes it to the function that interprets
 * it.
 */
#include "reduce/monout/items.h"
#include "reduce/base/sort.h"

#include <stdlib.h>
#include <string.h>

const char *
items_name_of(enum mon_kind kind, uint64_t n)
{
	static const char *const names[MON_NKIND][2] = {
#define R(name, item, items, ...) [MON_##name] = { #items, #item },
		MONREC_RECORDS(R)
#undef R
			[MON_UNKNOWN] = { "unknown", "unknown" },
	};

	return names[kind][n == 1];
}

const char *
items_name(enum mon_kind kind)
{
	return items_name_of(kind, 0);
}

enum monout_total
items_claim(enum mon_kind kind)
{
	static const enum monout_total claims[MON_NKIND] = {
#define R(name, item, ...) [MON_##name] = MONOUT_T_##name,
		MONREC_TABLES(R)
#undef R
	};

	return claims[kind];
}

static enum mon_kind
items_kind(uint32_t tag)
{
	switch (tag) {
#define R(name, item, ...) \
	case MONOUT_##name: \
		return MON_##name;
		MONREC_RECORDS(R)
#undef R
	default:
		return MON_UNKNOWN;
	}
}

/* ------------------------------------------------------ keys and values -- */

static bool
items_is_text(uint64_t key)
{
	enum { NUMBER, TEXT };
	static const bool is[MONOUT_R_MAX] = {
#define K(name, kind, how) [MONOUT_R_##name] = kind,
		MONREC_RUN_KEYS(K)
#undef K
	};

	return is[key];
}

/* The value of a key: a number that takes all n bytes. */
static bool
items_value(const unsigned char *p, uint64_t n, uint64_t *v)
{
	struct cursor c = { p, p + n, false };

	*v = cursor_number(&c);
	return !c.bad && c.p == c.end;
}

static enum items_end
items_run(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	uint64_t key = cursor_number(c), n = cursor_number(c);
	const unsigned char *p = cursor_bytes(c, n);
	struct mon_value v = { .set = true };

	if (c->bad)
		return ITEMS_BROKEN;
	if (key >= MONOUT_R_MAX)
		return ITEMS_TAKEN;
	if (items_is_text(key)) {
		v.text = arena_copy(&m->arena, p, n);
		v.length = n;
	} else if (!items_value(p, n, &v.number)) {
		return ITEMS_BROKEN;
	}
	m->run[key] = v;
	return ITEMS_TAKEN;
}

static enum items_end
items_total(struct items *it, struct cursor *c)
{
	struct mon *m = it->mon;
	uint64_t key = cursor_number(c), n = cursor_number(c), v;
	const unsigned char *p = cursor_bytes(c, n);

	if (c->bad)
		return ITEMS_BROKEN;
	if (key >= MONOUT_T_MAX)
		return ITEMS_TAKEN;
	if (!items_value(p, n, &v))
		return ITEMS_BROKEN;
	m->total[key] = v;
	m->total_set[key] = true;
	return ITEMS_TAKEN;
}

/* --------------------------------------------------------------- fields -- */

/*
 * The place of the site with that number in the file.  Sets it->lost if there
 * is none.
 */
static uint32_t
items_place(struct items *it, uint64_t number)
{
	const struct mon *m = it->mon;
	size_t at = number;

	/* Usually no site before it is missing. */
	if (number >= m->nsites || m->sites[number].number != number)
		at = SORT_PLACE(i, m->nsites, m->sites[i].number < number);
	if (at < m->nsites && number <= MON_NUMBER_MAX &&
	    m->sites[at].number == number)
		return (uint32_t)at;
	it->lost = true;
	return MON_MISSING;
}

/*
 * A copy of the next n bytes.  NULL if they are missing.
 */
static const char *
items_bytes(struct items *it, struct cursor *c, uint64_t n)
{
	const unsigned char *p = cursor_bytes(c, n);
	const char *copy = p ? arena_copy(&it->mon->arena, p, n) : NULL;

	return copy;
}

/*
 * Room for n parts of `size' bytes each.  Each part takes at least one byte of
 * the file.
 */
static void *
items_list(struct items *it, struct cursor *c, uint64_t n, size_t size)
{
	if (c->bad || n > (uint64_t)(c->end - c->p)) {
		c->bad = true;
		return NULL;
	}
	it->list = array_grow(it->list, &it->list_room, n * size + 1, 1);
	return memset(it->list, 0, n * size);
}

#define READ_FIELD(kind, sum, name) READ_##kind(name)
#define READ_NUMBER(name) p->name = cursor_number(c);
#define READ_ZIGZAG(name) p->name = cursor_zigzag(c);
#define READ_SIGNED(name) p->name = (int64_t)cursor_zigzag(c);
#define READ_SITE(name) p->name = items_place(it, cursor_number(c));
#define READ_MODULE(name) p->name = items_small(cursor_number(c));
#define READ_NODE(name) p->name = items_small(cursor_number(c));
#define READ_CELL(name) p->name = cursor_number(c);
#define READ_SNAPSHOT(name) p->name = cursor_number(c);
#define READ_THREAD(name) p->name = items_small(cursor_number(c));
#define READ_SIZE(name) \
	p->name = cursor_number(c); \
	p->any = p->name & 1; \
	p->name >>= 1;
#define READ_TEXT(name) \
	it->length = cursor_number(c); \
	p->name = items_bytes(it, c, it->length);
#define READ_BYTES(name) \
	p->name##len = cursor_number(c); \
	p->name = (const void *)items_bytes(it, c, p->name##len);
#define READ_IF(name, ...) \
	if (x->name) { \
		__VA_ARGS__ \
	}
#define READ_PARTS(n, when, name, ...) \
	for (uint64_t i_ = 0; i_ < (n) && !c->bad; i_++) { \
		__typeof__(&x->name[0]) p = &x->name[i_]; \
		if (when) { \
			__VA_ARGS__ \
		} \
	}
#define READ_BITS(n, name, ...) \
	x->mask = cursor_number(c); \
	c->bad |= x->mask >> (n) != 0; \
	READ_PARTS(n, x->mask >> i_ & 1, name, __VA_ARGS__)
#define READ_EACH(n, name, ...) READ_PARTS(n, true, name, __VA_ARGS__)
#define READ_LIST(name, ...) \
	x->n = cursor_number(c); \
	x->name = items_list(it, c, x->n, sizeof(*x->name)); \
	READ_PARTS(x->n, true, name, __VA_ARGS__)

#define P(table, item, list) \
	enum items_end items_##item(struct items *it, \
				    const struct mon_##item *x) \
	{ \
		if (!*x->name) \
			return ITEMS_BAD; \
		mon_add_##item(it->mon, x); \
		return ITEMS_TAKEN; \
	}
MONREC_TABLES(MONREC_PLAIN)
#undef P

#define R(name, item, list, form, ...) \
	static enum items_end items_read_##item(struct items *it, \
						struct cursor *c) \
	{ \
		ITEMS_##form(item) v = { 0 }, *x = &v, *p = x; \
\
		MONREC_##name(READ) if (c->bad) return ITEMS_BROKEN; \
		if (it->lost) \
			return ITEMS_LOST; \
		return items_##item(it, x); \
	}
MONREC_TABLES(R)
#undef R

/* -------------------------------------------------------------- records -- */

static enum items_end
items_one(struct items *it, enum mon_kind kind, struct cursor *c)
{
	it->lost = false;
	switch (kind) {
	case MON_RUN:
		return items_run(it, c);
	case MON_TOTALS:
		return items_total(it, c);
#define R(name, item, ...) \
	case MON_##name: \
		return items_read_##item(it, c);
		MONREC_TABLES(R)
#undef R
	default:
		return ITEMS_BROKEN;
	}
}

/*
 * Read n items of a kind; the first one has the number `first'.
 */
static void
items_all(struct items *it, enum mon_kind kind, struct cursor *c,
	  uint64_t first, uint32_t n)
{
	uint32_t i;

	it->snapshot = (struct mon_snapshot){ 0 };
	for (i = 0; i < n && !c->bad; i++) {
		it->number = first + i;
		switch (items_one(it, kind, c)) {
		case ITEMS_TAKEN:
			it->mon->tally[kind].items++;
			break;
		case ITEMS_BAD:
			it->bad[kind]++;
			it->left_out++;
			break;
		case ITEMS_LOST:
			it->lost_rows++;
			it->left_out++;
			break;
		case ITEMS_BROKEN:
			c->bad = true;
			break;
		}
	}
}

void
items_take(struct items *it, const struct monout_record *r,
	   const unsigned char *payload, size_t stored)
{
	enum mon_kind kind = items_kind(r->tag);
	struct cursor c = { payload, payload + r->length, false };
	struct mon_tally *t = &it->mon->tally[kind];
	uint64_t end;

	t->records++;
	t->bytes += stored;
	if (kind == MON_UNKNOWN) {
		t->items += r->count;
		return;
	}
	/* A record of a table that was read before would count twice. */
	if (__builtin_add_overflow(r->first, r->count, &end) ||
	    r->first < it->next[kind]) {
		it->bad_records++;
		return;
	}
	if (kind != MON_RUN && kind != MON_TOTALS)
		it->next[kind] = end;
	items_all(it, kind, &c, r->first, r->count);
	if (c.bad || c.p != c.end)
		it->bad_records++;
}

void
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
		if (n->module)
			items_module_room(m, n->module);
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
}

void
items_fini(struct items *it)
{
	free(it->list);
	it->list = NULL;
	it->list_room = 0;
}

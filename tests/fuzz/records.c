/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changing mon.out(5) files by records and numbers. */
#include "tests/fuzz/records.h"
#include "monitor/monout.h"
#include "reduce/base/crc32.h"

#include <string.h>

#define HEAD sizeof(struct monout_record)

/* A file that is being changed. */
struct file {
	uint8_t *p;
	size_t size, most;
	uint64_t seed;
	size_t (*raw)(uint8_t *p, size_t size, size_t most);
};

static uint32_t
below(struct file *f, uint32_t n)
{
	f->seed = f->seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(((f->seed >> 33) * n) >> 31);
}

/* Reads the head of the record at `at'; 0: the record isn't complete. */
static int
head_at(const uint8_t *p, size_t size, size_t at, struct monout_record *r)
{
	if (at > size || size - at < sizeof(*r))
		return 0;
	memcpy(r, p + at, sizeof(*r));
	return r->length <= size - at - sizeof(*r);
}

void
records_repair(uint8_t *p, size_t size)
{
	struct monout_header h;
	struct monout_record r;
	size_t at = sizeof(h);

	if (size < sizeof(h))
		return;
	memcpy(&h, p, sizeof(h));
	memcpy(h.magic, MONOUT_MAGIC, sizeof(h.magic));
	h.major = MONOUT_MAJOR;
	h.order = MONOUT_ORDER;
	memcpy(p, &h, sizeof(h));
	h.crc = crc32_add(0, p, offsetof(struct monout_header, crc));
	memcpy(p, &h, sizeof(h));
	for (; head_at(p, size, at, &r); at += HEAD + r.length) {
		r.crc = crc32_add(0, p + at,
				  offsetof(struct monout_record, crc));
		r.crc = crc32_add(r.crc, p + at + HEAD, r.length);
		memcpy(p + at, &r, sizeof(r));
	}
}

/* Picks a record: its place and head.  0 if there are none. */
static int
pick(struct file *f, size_t *at, struct monout_record *r)
{
	size_t i = sizeof(struct monout_header);
	uint32_t n = 0;

	for (; head_at(f->p, f->size, i, r); i += HEAD + r->length)
		n++;
	if (!n)
		return 0;
	n = below(f, n);
	*at = sizeof(struct monout_header);
	while (head_at(f->p, f->size, *at, r) && n--)
		*at += HEAD + r->length;
	return 1;
}

/* Gives the n bytes at `at' the length m, and moves the rest; 0: no room. */
static int
resize(struct file *f, size_t at, size_t n, size_t m)
{
	if (f->size - n + m > f->most)
		return 0;
	memmove(f->p + at + m, f->p + at + n, f->size - at - n);
	f->size = f->size - n + m;
	return 1;
}

/* Change the bytes of a record's payload, and its length. */
static void
change_payload(struct file *f)
{
	uint8_t new[4096];
	struct monout_record r;
	size_t at, n;

	if (!pick(f, &at, &r) || !r.length || r.length > sizeof(new))
		return;
	memcpy(new, f->p + at + HEAD, r.length);
	n = f->raw(new, r.length, sizeof(new));
	if (!resize(f, at + HEAD, r.length, n))
		return;
	memcpy(f->p + at + HEAD, new, n);
	r.length = (uint32_t)n;
	memcpy(f->p + at, &r, sizeof(r));
}

/* A number to replace v. */
static uint64_t
odd_number(struct file *f, uint64_t v)
{
	static const uint64_t odd[] = { 0,	    1,		2,
					127,	    128,	255,
					256,	    1024,	1025,
					65535,	    65536,	UINT32_MAX - 2,
					UINT32_MAX, 1ull << 32, INT64_MAX,
					1ull << 63, UINT64_MAX };

	return below(f, 4) ? odd[below(f, sizeof(odd) / sizeof(odd[0]))]
			   : v + below(f, 5) - 2u;
}

/* Replace a number in a record's payload. */
static void
change_number(struct file *f)
{
	struct monout_record r;
	size_t at, from, end, n = 0;
	uint8_t new[10];
	uint64_t v;

	if (!pick(f, &at, &r) || !r.length)
		return;
	from = at + HEAD + below(f, r.length);
	while (from > at + HEAD && f->p[from - 1] & 0x80)
		from--;
	for (end = from; end < at + HEAD + r.length && f->p[end] & 0x80;)
		end++;
	end += end < at + HEAD + r.length;
	v = odd_number(f, f->p[from]);
	do {
		new[n++] = (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
		v >>= 7;
	} while (v);
	if (!resize(f, from, end - from, n))
		return;
	memcpy(f->p + from, new, n);
	r.length += (uint32_t)n - (uint32_t)(end - from);
	memcpy(f->p + at, &r, sizeof(r));
}

/*
 * Writes the items of a record again, with one of their numbers changed.  The
 * numbers after it are read and written as the rows of monitor/monrec.h say, so
 * the record is complete, but has another content.
 */
struct walk {
	struct file *f;
	const uint8_t *at, *end;
	uint8_t *to, *most;
	uint32_t left; /* numbers before the one to change */
};

static void
walk_varint(struct walk *w, uint64_t v)
{
	if (w->most - w->to < 10)
		return;
	for (; v > 0x7f; v >>= 7)
		*w->to++ = (uint8_t)(v | 0x80);
	*w->to++ = (uint8_t)v;
}

/* Writes the next number, or another in its place; returns it. */
static uint64_t
walk_number(struct walk *w)
{
	uint64_t v = 0;

	for (unsigned shift = 0; w->at < w->end; shift += 7) {
		v |= shift < 64 ? (uint64_t)(*w->at & 127) << shift : 0;
		if (!(*w->at++ & 128))
			break;
	}
	if (!w->left--)
		v = odd_number(w->f, v);
	walk_varint(w, v);
	return v;
}

static void
walk_bytes(struct walk *w)
{
	uint64_t n = walk_number(w);

	for (; n > 0 && w->at < w->end && w->to < w->most; n--)
		*w->to++ = *w->at++;
}

#define WALK_FIELD(kind, sum, name) WALK_##kind(name)
#define WALK_NUMBER(name) p->name = walk_number(w);
#define WALK_ZIGZAG(name) walk_number(w);
#define WALK_SIGNED(name) walk_number(w);
#define WALK_SIZE(name) p->any = walk_number(w) & 1;
#define WALK_SITE(name) walk_number(w);
#define WALK_MODULE(name) walk_number(w);
#define WALK_NODE(name) walk_number(w);
#define WALK_CELL(name) walk_number(w);
#define WALK_SNAPSHOT(name) walk_number(w);
#define WALK_THREAD(name) walk_number(w);
#define WALK_TEXT(name) walk_bytes(w);
#define WALK_BYTES(name) walk_bytes(w);
#define WALK_IF(name, ...) \
	if (x->name) { \
		__VA_ARGS__ \
	}
#define WALK_PARTS(n, when, name, ...) \
	for (uint64_t i_ = 0; i_ < (n) && w->at < w->end; i_++) { \
		__typeof__(x->name[0]) part, *p = &part; \
		(void)p; \
		if (when) { \
			__VA_ARGS__ \
		} \
	}
#define WALK_BITS(n, name, ...) \
	x->mask = walk_number(w); \
	WALK_PARTS(n, x->mask >> i_ & 1, name, __VA_ARGS__)
#define WALK_EACH(n, name, ...) WALK_PARTS(n, 1, name, __VA_ARGS__)
#define WALK_LIST(name, ...) \
	x->n = walk_number(w); \
	WALK_PARTS(x->n, 1, name, __VA_ARGS__)

static void
walk_items(struct walk *w, uint32_t tag)
{
	switch (tag) {
#define R(name, item, ...) \
	case MONOUT_##name: \
		while (w->at < w->end) { \
			struct monrec_##item item = { 0 }, *x = &item, *p = x; \
\
			(void)p; \
			MONREC_##name(WALK) \
		} \
		break;
		MONREC_TABLES(R)
#undef R
	case MONOUT_RUN:
	case MONOUT_TOTALS:
		while (w->at < w->end) {
			walk_number(w);
			walk_bytes(w);
		}
		break;
	default:
		break;
	}
}

/* Replace a field, and go on as its new value says. */
static void
change_field(struct file *f)
{
	uint8_t new[4096];
	struct monout_record r;
	struct walk w = { .f = f, .to = new, .most = new + sizeof(new) };
	size_t at, n;

	if (!pick(f, &at, &r) || !r.length || r.length > sizeof(new) / 2)
		return;
	w.at = f->p + at + HEAD;
	w.end = w.at + r.length;
	w.left = below(f, r.length);
	walk_items(&w, r.tag);
	n = (size_t)(w.to - new);
	if (!n || !resize(f, at + HEAD, r.length, n))
		return;
	memcpy(f->p + at + HEAD, new, n);
	r.length = (uint32_t)n;
	memcpy(f->p + at, &r, sizeof(r));
}

/* Change a field of a record's head. */
static void
change_head(struct file *f)
{
	struct monout_record r;
	size_t at;

	if (!pick(f, &at, &r))
		return;
	switch (below(f, 4)) {
	case 0:
		r.count += below(f, 5) - 2;
		break;
	case 1:
		r.first += below(f, 5) - 2;
		break;
	case 2:
		r.count = below(f, 2) ? UINT32_MAX : r.length;
		break;
	default:
		r.first = below(f, 2) ? UINT64_MAX - r.count : 0;
	}
	memcpy(f->p + at, &r, sizeof(r));
}

/* Remove a record, or write it twice. */
static void
change_records(struct file *f)
{
	struct monout_record r;
	size_t at, n;

	if (!pick(f, &at, &r))
		return;
	n = HEAD + r.length;
	if (below(f, 2))
		resize(f, at, n, 0);
	else if (resize(f, at, 0, n))
		memcpy(f->p + at, f->p + at + n, n);
}

size_t
records_mutate(uint8_t *p, size_t size, size_t most, unsigned seed,
	       size_t (*raw)(uint8_t *p, size_t size, size_t most))
{
	struct file f = { p, size, most, seed, raw };
	unsigned turns = 1 + below(&f, 4);

	while (turns--) {
		switch (below(&f, 8)) {
		case 0:
			f.size = raw(p, f.size, most);
			break;
		case 1:
			change_head(&f);
			break;
		case 2:
			change_records(&f);
			break;
		case 3:
			change_payload(&f);
			break;
		case 4:
		case 5:
			change_field(&f);
			break;
		default:
			change_number(&f);
		}
	}
	/* One in eight keeps its wrong CRCs. */
	if (below(&f, 8))
		records_repair(p, f.size);
	return f.size;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A server that decodes records from the wire, with malloc and with an arena.
 *
 *	wire [arena]
 *
 * A record has a name, numbers and parts, which also have numbers.  A record's
 * bytes are fields of a tag and a value, with numbers in varints and parts
 * nested, as in protocol buffers.  4,000 records arrive over a connection.  The
 * server decodes each, adds up its numbers, and drops it.
 *
 * Without an arena every name, part and array is a block, which lives as long
 * as the record: read and written in full, but very short-lived.  realloc grows
 * an array as its numbers are read.
 *
 * With the arena they are cut from large blocks, each twice as large as the one
 * before, freed when the connection is closed.  memmon shows the gain and its
 * cost: hardly any allocations, and long lives.  But a part of the last block
 * is never used, and the first blocks are not used any more for most of their
 * lives.
 *
 * Prints the sum of all numbers, which both ways give, and the number of calls
 * of malloc and realloc: 100,000 without an arena, 25 for each record, and 10
 * with it.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 4000, PARTS = 5, NUMBERS = 24, NAME = 600 };

/* Fields, with the kind of their values in the low bits of the tag. */
enum { VARINT, BYTES };
#define TAG(field, kind) ((field) << 3 | (kind))
enum {
	RECORD_NAME = TAG(1, BYTES),
	RECORD_NUMBER = TAG(2, VARINT),
	RECORD_PART = TAG(3, BYTES),
	PART_NUMBER = TAG(1, VARINT)
};

struct numbers {
	uint64_t *v;
	size_t n, room;
};

struct part {
	struct numbers numbers;
	struct part *next;
};

struct record {
	char *name;
	struct numbers numbers;
	struct part *parts;
};

static unsigned long allocations;

static void *
check(void *p)
{
	if (!p) {
		fputs("wire: out of memory\n", stderr);
		exit(1);
	}
	allocations++;
	return p;
}

/* ------------------------------------------------------------ the arena -- */

enum { ARENA_FIRST = 16384, ARENA_BLOCKS = 24 };

struct arena {
	char *block[ARENA_BLOCKS]; /* the current one last */
	int n;
	size_t size, used; /* of the current one */
};

/* Make room for `size' bytes in one block. */
static void
arena_reserve(struct arena *a, size_t size)
{
	if (size <= a->size - a->used)
		return;
	do {
		a->size = a->size ? 2 * a->size : ARENA_FIRST;
	} while (a->size < size);
	a->block[a->n] = check(a->n < ARENA_BLOCKS ? malloc(a->size) : NULL);
	a->n++;
	a->used = 0;
}

static void *
arena_take(struct arena *a, size_t size)
{
	void *p;

	size = (size + 15) & ~(size_t)15;
	arena_reserve(a, size);
	p = a->block[a->n - 1] + a->used;
	a->used += size;
	return p;
}

static void
arena_close(struct arena *a)
{
	while (a->n)
		free(a->block[--a->n]);
	a->size = a->used = 0;
}

/* --------------------------------------------------------- the encoder -- */

/* The input: always the same record. */
static unsigned char wire[8192];

static unsigned char *
put_varint(unsigned char *to, uint64_t v)
{
	for (; v > 127; v >>= 7)
		*to++ = (unsigned char)(v | 128);
	*to++ = (unsigned char)v;
	return to;
}

static unsigned char *
put_bytes(unsigned char *to, unsigned tag, const void *p, size_t n)
{
	to = put_varint(put_varint(to, tag), n);
	memcpy(to, p, n);
	return to + n;
}

static unsigned char *
put_numbers(unsigned char *to, unsigned tag, unsigned seed)
{
	for (unsigned i = 0; i < NUMBERS; i++) {
		to = put_varint(to, tag);
		to = put_varint(to, (uint64_t)seed * 1000 + i * i * 37);
	}
	return to;
}

/* Returns the bytes that the record takes. */
static size_t
encode(void)
{
	unsigned char part[4096], *to = wire;
	char name[NAME];

	for (int i = 0; i < NAME; i++)
		name[i] = (char)('a' + i % 26);
	to = put_bytes(to, RECORD_NAME, name, NAME);
	to = put_numbers(to, RECORD_NUMBER, 1);
	for (unsigned i = 0; i < PARTS; i++)
		to = put_bytes(to, RECORD_PART, part,
			       (size_t)(put_numbers(part, PART_NUMBER, i) -
					part));
	return (size_t)(to - wire);
}

/* --------------------------------------------------------- the decoder -- */

/* Bytes that are still to be read. */
struct input {
	const unsigned char *p, *end;
	struct arena *arena; /* or NULL */
};

static uint64_t
get_varint(struct input *in)
{
	uint64_t v = 0;

	for (int shift = 0; in->p < in->end && shift < 64; shift += 7) {
		v |= (uint64_t)(*in->p & 127) << shift;
		if (*in->p++ < 128)
			break;
	}
	return v;
}

/* The bytes of a field, as input of its own. */
static struct input
get_bytes(struct input *in)
{
	struct input field = *in;
	uint64_t n = get_varint(in);

	if (n > (uint64_t)(in->end - in->p))
		n = (uint64_t)(in->end - in->p);
	field.p = in->p;
	field.end = in->p += n;
	return field;
}

static void
add_number(struct input *in, struct numbers *numbers)
{
	size_t size;
	uint64_t *v;

	if (numbers->n == numbers->room) {
		numbers->room = numbers->room ? 2 * numbers->room : 6;
		size = numbers->room * sizeof(*v);
		if (in->arena) {
			v = arena_take(in->arena, size);
			if (numbers->n)
				memcpy(v, numbers->v, numbers->n * sizeof(*v));
		} else {
			v = check(realloc(numbers->v, size));
		}
		numbers->v = v;
	}
	numbers->v[numbers->n++] = get_varint(in);
}

static struct part *
decode_part(struct input in)
{
	struct part *part = in.arena ? arena_take(in.arena, sizeof(*part))
				     : check(malloc(sizeof(*part)));

	memset(part, 0, sizeof(*part));
	while (in.p < in.end)
		if (get_varint(&in) == PART_NUMBER)
			add_number(&in, &part->numbers);
	return part;
}

static char *
decode_name(struct input in)
{
	size_t n = (size_t)(in.end - in.p);
	char *name =
		in.arena ? arena_take(in.arena, n + 1) : check(malloc(n + 1));

	memcpy(name, in.p, n);
	name[n] = '\0';
	return name;
}

static struct record *
decode(struct input in)
{
	struct record *r = in.arena ? arena_take(in.arena, sizeof(*r))
				    : check(malloc(sizeof(*r)));
	struct part *part;

	memset(r, 0, sizeof(*r));
	while (in.p < in.end)
		switch (get_varint(&in)) {
		case RECORD_NAME:
			r->name = decode_name(get_bytes(&in));
			break;
		case RECORD_NUMBER:
			add_number(&in, &r->numbers);
			break;
		case RECORD_PART:
			part = decode_part(get_bytes(&in));
			part->next = r->parts;
			r->parts = part;
			break;
		default:
			fputs("wire: unknown field\n", stderr);
			exit(1);
		}
	return r;
}

/* Only without an arena. */
static void
drop(struct record *r)
{
	struct part *part, *next;

	for (part = r->parts; part; part = next) {
		next = part->next;
		free(part->numbers.v);
		free(part);
	}
	free(r->numbers.v);
	free(r->name);
	free(r);
}

/* ---------------------------------------------------------- the server -- */

static uint64_t
sum_numbers(const struct numbers *numbers)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < numbers->n; i++)
		sum += numbers->v[i];
	return sum;
}

static uint64_t
handle(const struct record *r)
{
	uint64_t sum = sum_numbers(&r->numbers);

	if (r->name)
		sum += strlen(r->name);
	for (const struct part *p = r->parts; p; p = p->next)
		sum += sum_numbers(&p->numbers);
	return sum;
}

static uint64_t
serve(struct arena *arena, size_t bytes)
{
	uint64_t sum = 0;

	for (int i = 0; i < RECORDS; i++) {
		struct input in = { wire, wire + bytes, arena };
		struct record *r;

		/* Usually enough for all of it. */
		if (arena)
			arena_reserve(arena, 4 * bytes);
		r = decode(in);
		sum += handle(r);
		if (!arena)
			drop(r);
	}
	return sum;
}

int
main(int argc, char **argv)
{
	static char buffer[BUFSIZ];
	bool use_arena = argc > 1 && strcmp(argv[1], "arena") == 0;
	struct arena arena = { 0 };
	uint64_t sum = serve(use_arena ? &arena : NULL, encode());

	/* printf must not allocate. */
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	arena_close(&arena);
	printf("%llu from %d records, %lu allocations\n",
	       (unsigned long long)sum, RECORDS, allocations);
	return 0;
}

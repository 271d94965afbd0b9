/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over the blocks of each allocation. */
#include "tests/access/accesses.h"

struct sums *sums[SIDES];

void
sums_init(void)
{
	for (int s = 0; s < SIDES; s++)
		sums[s] = room(NUMBERED_CODES, sizeof(**sums));
}

#define FIELDS (1u << 20)
static struct fields *fields[FIELDS];
static uint64_t nfields;

struct fields *
fields_of(uint64_t code, uint64_t size)
{
	uint64_t key = code << 13 ^ size, n = counted(size);
	uint32_t i = (uint32_t)(key * 0x9e3779b97f4a7c15 >> 44);

	for (; fields[i]; i = (i + 1) % FIELDS)
		if (fields[i]->code == code && fields[i]->size == size)
			return fields[i];
	if (++nfields > FIELDS / 2)
		die("too many kinds of blocks");
	fields[i] = room(1, sizeof(*fields[i]));
	fields[i]->code = code;
	fields[i]->size = size;
	for (int s = 0; s < SIDES; s++)
		fields[i]->granule[s] = room(n, sizeof(struct granule));
	return fields[i];
}

/* Adds a block's accesses by granule to those of its kind. */
static void
account_fields(const struct block *b)
{
	struct fields *f = fields_of(b->code, b->size);

	f->blocks[MACHINE]++;
	for (uint64_t i = 0; i < counted(b->size); i++) {
		f->granule[MACHINE][i].soon += b->granule[i].soon;
		f->granule[MACHINE][i].exchanged += b->granule[i].exchanged;
		for (int k = 0; k < 2; k++) {
			f->granule[MACHINE][i].n[k] += b->granule[i].n[k];
			if (b->granule[i].n[k])
				f->granule[MACHINE][i].pc[k] =
					b->granule[i].pc[k];
		}
	}
}

void
sums_add(const struct block *b)
{
	struct sums *s = &sums[MACHINE][b->code];
	uint64_t count = granules(b->size), lo = count, hi = 0, cover = 0;
	uint64_t n[2] = { b->cut[0], b->cut[1] }, span;

	if (!count)
		return;
	for (uint64_t i = 0; i < count; i++) {
		const struct granule *g = &b->granule[i];

		n[0] += g->n[0];
		n[1] += g->n[1];
		if (!g->n[0] && !g->n[1])
			continue;
		lo = i < lo ? i : lo;
		hi = i + 1;
		cover += i + 1 < count ? GRANULE : b->size - i * GRANULE;
	}
	span = hi < count ? hi * GRANULE : b->size;
	span = hi ? span - lo * GRANULE : 0;
	s->blocks++;
	s->bytes += b->size;
	s->n[0] += n[0];
	s->n[1] += n[1];
	s->span += span;
	s->cover += cover;
	s->span_used += n[0] && n[1] ? span : 0;
	s->cover_used += n[0] && n[1] ? cover : 0;
	s->flag[MONOUT_UNUSED] += !n[0] && !n[1];
	s->flag[MONOUT_WRITE_ONLY] += !n[0] && n[1];
	s->flag[MONOUT_READ_ONLY] += n[0] && !n[1];
	account_fields(b);
}

void
fields_each(void (*f)(const struct fields *))
{
	for (uint32_t i = 0; i < FIELDS; i++)
		if (fields[i])
			f(fields[i]);
}

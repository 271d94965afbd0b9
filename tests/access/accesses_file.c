/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data file's accesses, read by monitor/monout.h alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tests/access/accesses.h"

#define NAME "/ld-linux-numbered.so"
#define NOBODY UINT64_MAX

static const unsigned char *from, *to;

struct node {
	uint64_t parent, module, address;
};
static struct node *nodes;
static uint64_t nnodes, nsites, module, nmodules;
static uint64_t *sites; /* codes */

static uint64_t
number(void)
{
	uint64_t v = 0;

	for (unsigned shift = 0; from < to; shift += 7) {
		v |= (uint64_t)(*from & 127) << shift;
		if (!(*from++ & 128))
			break;
	}
	return v;
}

static void *
longer(void *p, uint64_t n, size_t size)
{
	if ((n & (n - 1)) != 0)
		return p;
	p = realloc(p, 2 * (n + !n) * size);
	if (!p)
		die("no memory");
	return p;
}

static void
read_module(void)
{
	uint64_t n;

	for (int i = 0; i < 4; i++)
		number();
	n = number();
	from += n;
	n = number();
	nmodules++;
	if (n > strlen(NAME) &&
	    !memcmp(from + n - strlen(NAME), NAME, strlen(NAME)))
		module = nmodules;
	from += n;
}

static void
read_node(void)
{
	uint64_t own = nnodes + 1;

	nodes = longer(nodes, own, sizeof(*nodes));
	nodes[own].parent = own - number();
	nodes[own].module = number();
	nodes[own].address = number();
	nnodes = own;
}

/* The digit whose function has the address. */
static uint64_t
digit(uint64_t address)
{
	uint64_t best = 0, digit = 0;

	for (uint64_t i = 0; i < NUMBERED_RADIX; i++)
		if (log_->digit[i] < address && log_->digit[i] > best) {
			best = log_->digit[i];
			digit = i;
		}
	return digit;
}

/* The allocation of a call path: its digits are above the innermost frame. */
static uint64_t
code_of(uint64_t node)
{
	uint64_t code = 0;

	for (int i = 0; i <= NUMBERED_DIGITS; i++) {
		if (!node || node > nnodes || nodes[node].module != module)
			return NOBODY;
		if (i)
			code |= digit(nodes[node].address)
				<< (i - 1) * NUMBERED_BITS;
		node = nodes[node].parent;
	}
	return code;
}

static void
read_site(void)
{
	uint64_t mask;

	sites = longer(sites, nsites, sizeof(*sites));
	sites[nsites++] = code_of(number());
	number();
	for (mask = number(); mask; mask &= mask - 1)
		for (int i = 0; i < 4; i++)
			number();
}

static void
read_use(void)
{
	uint64_t site = number(), v[10 + 2 * MONOUT_NFLAG];
	struct sums *s;

	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++)
		v[i] = number();
	if (site >= nsites || sites[site] == NOBODY)
		die("a block that ld-linux-numbered.so didn't make");
	s = &sums[FILE_][sites[site]];
	s->blocks += v[0];
	s->bytes += v[1];
	s->n[0] += v[2];
	s->n[1] += v[3];
	s->span += v[4];
	s->cover += v[5];
	s->span_used += v[6];
	s->cover_used += v[7];
	for (int i = 0; i <= MONOUT_READ_ONLY; i++)
		s->flag[i] += v[10 + 2 * i];
}

static void
read_fields(void)
{
	uint64_t site = number(), size = number(), blocks = number();
	uint64_t n = number();
	struct fields *f;

	if (site >= nsites || n > counted(size))
		die("bad fields");
	f = fields_of(sites[site], size);
	f->blocks[FILE_] += blocks;
	for (uint64_t i = 0; i < n; i++)
		for (int k = 0; k < 2; k++)
			f->granule[FILE_][i].n[k] += number();
}

static void
read_handed(void)
{
	uint64_t site = number();

	if (site >= nsites || sites[site] == NOBODY)
		die("a block that ld-linux-numbered.so didn't make is handed "
		    "over");
	sums[FILE_][sites[site]].handed += number();
	number();
}

/* Reads the payload of a record with the head *r, and unpacks both. */
static void
read_payload(FILE *f, struct monout_record *r, unsigned char *payload)
{
	static unsigned char packed[MONOUT_PAYLOAD_MAX];
	unsigned char *to = r->tag == MONOUT_PACKED ? packed : payload;
	size_t n = sizeof(r->tag);

	if (r->length > MONOUT_PAYLOAD_MAX ||
	    fread(to, 1, r->length, f) != r->length)
		die("the data file is cut off");
	if (to == payload)
		return;
	memcpy(&r->tag, packed, n);
	n = ZSTD_decompress(payload, MONOUT_PAYLOAD_MAX, packed + n,
			    r->length - n);
	if (ZSTD_isError(n))
		die("a record that can't be unpacked");
	r->length = (uint32_t)n;
}

void
file_read(const char *name)
{
	static unsigned char payload[MONOUT_PAYLOAD_MAX];
	struct monout_header head;
	struct monout_record r;
	FILE *f = fopen(name, "rb");
	static const struct {
		uint32_t tag;
		void (*read)(void);
	} tables[] = {
		{ MONOUT_MODULES, read_module }, { MONOUT_NODES, read_node },
		{ MONOUT_SITES, read_site },	 { MONOUT_USES, read_use },
		{ MONOUT_FIELDS, read_fields },	 { MONOUT_HANDED, read_handed },
	};

	if (!f || fread(&head, sizeof(head), 1, f) != 1)
		die("no data file");
	while (fread(&r, sizeof(r), 1, f) == 1) {
		read_payload(f, &r, payload);
		for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
			from = payload;
			to = payload + r.length;
			for (uint32_t k = 0;
			     tables[i].tag == r.tag && k < r.count; k++)
				tables[i].read();
		}
	}
	fclose(f);
}

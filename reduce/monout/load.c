/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read a mon.out file into struct mon: header and records. */
#include "reduce/monout/load.h"
#include "reduce/base/crc32.h"
#include "reduce/base/err.h"
#include "reduce/monout/items.h"
#include "reduce/monout/load_check.h"
#include "reduce/monout/mon.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "structs are read as they are in the file");

/* ----------------------------------------------------------- the header -- */

/* Say what a file without the magic bytes is. */
static int
load_stranger(const char *path, const unsigned char *p, size_t size,
	      struct err *e)
{
	size_t n = size < 512 ? size : 512, i;

	if (size >= 4 && !memcmp(p, "gmon", 4))
		return err_set(e,
			       "%s: is a gmon.out file of gprof, not a data "
			       "file; read it with gprof",
			       path);
	if (size >= 4 && !memcmp(p, "\177ELF", 4))
		return err_set(e,
			       "%s: is a program or library, not a data file; "
			       "give the program first: mpreduce PROG mon.out",
			       path);
	for (i = 0; i < n && !p[i]; i++)
		;
	if (i == n && i == 512)
		return err_set(e,
			       "%s: the file has no data yet; its program was "
			       "stopped at once, or has just begun",
			       path);
	for (i = 0; i < n && (isprint(p[i]) || isspace(p[i])); i++)
		;
	if (i == n)
		return err_set(e,
			       "%s: is a text file, not a data file; give the "
			       "mon.out that memmon wrote",
			       path);
	return err_set(
		e,
		"%s: is not a data file of memmon (of prof?); run the program "
		"as \"memmon PROGRAM\", or link it with -lmemmon",
		path);
}

static int
load_header(struct mon *m, const unsigned char *p, size_t size, struct err *e)
{
	size_t have = size < 8 ? size : 8;
	struct monout_header h;

	if (size == 0)
		return err_set(
			e,
			"%s: the file is empty; its program was stopped at "
			"once, or the disk was full: run the program again",
			m->path);
	if (memcmp(p, MONOUT_MAGIC, have) != 0)
		return load_stranger(m->path, p, size, e);
	if (size < sizeof(h))
		return err_set(e,
			       "%s: truncated after %zu bytes, in the header; "
			       "run the program again",
			       m->path, size);
	memcpy(&h, p, sizeof(h));
	if (h.order == __builtin_bswap32(MONOUT_ORDER))
		return err_set(e,
			       "%s: written on a machine with the other byte "
			       "order; run mpreduce on such a machine",
			       m->path);
	if (h.order == MONOUT_ORDER && h.major > MONOUT_MAJOR)
		return err_set(e,
			       "%s: written by a newer memmon (format "
			       "%u.%u, this mpreduce reads %u); use the "
			       "mpreduce of that version",
			       m->path, h.major, h.minor, MONOUT_MAJOR);
	if (h.crc != crc32_add(0, p, offsetof(struct monout_header, crc)) ||
	    h.order != MONOUT_ORDER)
		return err_set(e,
			       "%s: the header is damaged; copy the file "
			       "again, or run the program again",
			       m->path);
	if (h.major < MONOUT_MAJOR)
		return err_set(e,
			       "%s: written by an older memmon (format "
			       "%u.%u, this mpreduce reads %u); use the "
			       "mpreduce of that version",
			       m->path, h.major, h.minor, MONOUT_MAJOR);
	m->major = h.major;
	m->minor = h.minor;
	m->flags = h.flags;
	return 0;
}

/* ---------------------------------------------------------- the records -- */

/*
 * Packed records may unpack to 64 bytes for each byte of the file, plus 8 MB:
 * the nodes of a recursion a million frames deep shrink to a thousandth.
 */
enum { LOAD_RATIO = 64, LOAD_UNPACKED = 8 << 20 };

/* Are n more unpacked bytes too many for a file of this size? */
static bool
load_is_blown_up(const struct items *it, size_t n)
{
	uint64_t size = it->mon->size;

	return it->plain - size + n > size * LOAD_RATIO + LOAD_UNPACKED;
}

/* Read a record at p, whose head is r.  plain: room for an unpacked payload. */
static void
load_record(struct items *it, struct monout_record r, const unsigned char *p,
	    unsigned char *plain)
{
	size_t stored = sizeof(r) + r.length, n;

	if (r.tag != MONOUT_PACKED) {
		items_take(it, &r, p, stored);
		return;
	}
	if (r.length < sizeof(r.tag)) {
		it->bad_records++;
		return;
	}
	n = ZSTD_decompress(plain, MONOUT_PAYLOAD_MAX, p + sizeof(r.tag),
			    r.length - sizeof(r.tag));
	if (ZSTD_isError(n) || load_is_blown_up(it, n)) {
		it->bad_records++;
		return;
	}
	memcpy(&r.tag, p, sizeof(r.tag));
	r.length = (uint32_t)n;
	it->plain += n;
	items_take(it, &r, plain, stored);
}

/*
 * Read one record after the other.  *at gets the offset at which reading ended:
 * behind MONOUT_TOTALS if the file is complete.
 */
static void
load_records(struct items *it, const unsigned char *p, size_t size, size_t *at)
{
	struct monout_record r;
	size_t head = offsetof(struct monout_record, crc);
	unsigned char plain[MONOUT_PAYLOAD_MAX];
	uint32_t crc;

	while (size - *at >= sizeof(r)) {
		memcpy(&r, p + *at, sizeof(r));
		if (r.tag == 0 || r.length > MONOUT_PAYLOAD_MAX ||
		    r.length > size - *at - sizeof(r))
			return;
		crc = crc32_add(0, p + *at, head);
		crc = crc32_add(crc, p + *at + sizeof(r), r.length);
		if (crc != r.crc)
			it->bad_records++;
		else
			load_record(it, r, p + *at + sizeof(r), plain);
		*at += sizeof(r) + r.length;
		if (crc == r.crc && r.tag == MONOUT_TOTALS)
			return;
	}
}

/* -------------------------------------------------------------- reading -- */

int
load_memory(struct mon *m, const char *path, const void *data, size_t size,
	    struct err *e)
{
	struct items it = { .mon = m, .plain = size };
	size_t at = sizeof(struct monout_header);

	*m = (struct mon){ .size = size, .path = path };
	if (load_header(m, data, size, e))
		return -1;
	m->path = arena_copy(&m->arena, path, strlen(path));
	load_records(&it, data, size, &at);
	items_finish(&it);
	load_check(&it, data, at, m->tally[MON_TOTALS].records > 0);
	items_fini(&it);
	return 0;
}

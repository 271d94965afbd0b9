/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a mon.out file to struct mon: header, records, and what is missing. */
#define _GNU_SOURCE
#include "reduce/load.h"
#include "reduce/crc32.h"
#include "reduce/err.h"
#include "reduce/items.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "structs are read as they are in the file");

/* ----------------------------------------------------------- the header -- */

/* What a file is that hasn't the magic. */
static int
load_stranger(const char *path, const unsigned char *p, size_t size,
	      struct err *e)
{
	size_t n = size < 512 ? size : 512, i;

	if (size >= 4 && !memcmp(p, "gmon", 4))
		return err_set(e,
			       "%s: this is a gmon.out file of gprof, not "
			       "memmon data; read it with gprof",
			       path);
	if (size >= 4 && !memcmp(p, "\177ELF", 4))
		return err_set(e,
			       "%s: this is a program or library, not memmon "
			       "data; the program comes first, then the data: "
			       "mpreduce PROGRAM mon.out",
			       path);
	for (i = 0; i < n && (isprint(p[i]) || isspace(p[i])); i++)
		;
	if (i == n)
		return err_set(
			e,
			"%s: this is a text file, not memmon data; "
			"give the mon.out that the program wrote when it "
			"ran with memmon",
			path);
	return err_set(e,
		       "%s: not written by memmon (prof's mon.out has the "
		       "same name); run the program linked with -lmemmon, or "
		       "\"memmon PROGRAM\", to make one",
		       path);
}

static int
load_header(struct mon *m, const unsigned char *p, size_t size, struct err *e)
{
	size_t have = size < 8 ? size : 8;
	struct monout_header h;

	if (size == 0)
		return err_set(e,
			       "%s: the file is empty; the program that "
			       "should have filled it had no room or was "
			       "stopped at once: run it again",
			       m->path);
	if (memcmp(p, MONOUT_MAGIC, have) != 0)
		return load_stranger(m->path, p, size, e);
	if (size < sizeof(h))
		return err_set(e,
			       "%s: cut after %zu bytes, in the header; "
			       "nothing can be read from it: run the program "
			       "again",
			       m->path, size);
	memcpy(&h, p, sizeof(h));
	if (h.order == __builtin_bswap32(MONOUT_ORDER))
		return err_set(e,
			       "%s: written on a machine of the other byte "
			       "order; run mpreduce on that machine",
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
			       "anew or run the program again",
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

/* Are the bytes all zero, as in a file that was made longer beforehand? */
static bool
load_is_blank(const unsigned char *p, size_t n)
{
	return n == 0 || (p[0] == 0 && memcmp(p, p + 1, n - 1) == 0);
}

/*
 * Take one record after another.  *at gets the offset where no more could be
 * read: behind MONOUT_TOTALS when the file is whole.
 */
static int
load_records(struct items *it, const unsigned char *p, size_t size, size_t *at)
{
	struct monout_record r;
	size_t head = offsetof(struct monout_record, crc);
	uint32_t crc;

	while (size - *at >= sizeof(r)) {
		memcpy(&r, p + *at, sizeof(r));
		if (r.tag == 0 || r.length > MONOUT_PAYLOAD_MAX ||
		    r.length > size - *at - sizeof(r))
			return 0;
		crc = crc32_add(0, p + *at, head);
		crc = crc32_add(crc, p + *at + sizeof(r), r.length);
		if (crc != r.crc)
			it->bad_records++;
		else if (items_take(it, &r, p + *at + sizeof(r)))
			return -1;
		*at += sizeof(r) + r.length;
		if (crc == r.crc && r.tag == MONOUT_TOTALS)
			return 0;
	}
	return 0;
}

/* ---------------------------------------------------- what is not right -- */

static __attribute__((format(printf, 2, 3))) int
load_warn(struct mon *m, const char *format, ...)
{
	size_t most = sizeof(m->warning) / sizeof(m->warning[0]) - 1;
	char text[768];
	const char *copy;
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	copy = arena_print(&m->arena, "%s: %s", m->path, text);
	if (!copy)
		return -1;
	if (m->nwarning < most)
		m->warning[m->nwarning++] = copy;
	return 0;
}

/* "N" or, where the file says how many there should be, "N of M". */
static const char *
load_of(const struct mon *m, enum mon_kind kind, enum monout_total claim,
	char text[48])
{
	uint64_t n = m->tally[kind].items;

	if (m->total_set[claim] && m->total[claim] != n)
		snprintf(text, 48, "%" PRIu64 " of %" PRIu64, n,
			 m->total[claim]);
	else
		snprintf(text, 48, "%" PRIu64, n);
	return text;
}

/* Does the file have as much as it says? */
static bool
load_is_all(const struct mon *m)
{
	static const struct {
		enum mon_kind kind;
		enum monout_total claim;
	} tables[] = {
		{ MON_MODULES, MONOUT_T_MODULES },
		{ MON_NODES, MONOUT_T_NODES },
		{ MON_SITES, MONOUT_T_SITES },
		{ MON_BINS, MONOUT_T_BINS },
	};
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (m->total_set[tables[i].claim] &&
		    m->total[tables[i].claim] != m->tally[tables[i].kind].items)
			return false;
	}
	return true;
}

/* Do the sites add up to the sums in the file?  True also when it has none. */
static bool
load_adds_up(const struct mon *m)
{
	const uint64_t have[] = {
		[MONOUT_T_ALLOCS] = m->sums.allocs,
		[MONOUT_T_BYTES] = m->sums.bytes,
		[MONOUT_T_FREES] = m->sums.frees,
		[MONOUT_T_FREED] = m->sums.freed,
		[MONOUT_T_REALLOCS] = m->sums.reallocs,
	};
	int i;

	for (i = MONOUT_T_ALLOCS; i <= MONOUT_T_REALLOCS; i++) {
		if (m->total_set[i] && m->total[i] != have[i])
			return false;
	}
	return true;
}

/* One line on all that is missing. */
static int
load_warn_missing(const struct items *it, size_t at, bool whole)
{
	struct mon *m = it->mon;
	char how[256] = "", a[48], b[48], c[48], d[48];
	int n = 0;

	if (!whole)
		n += snprintf(how, sizeof(how),
			      "cut after %zu of %" PRIu64 " bytes", at,
			      m->size);
	if (it->bad_records)
		n += snprintf(how + n, sizeof(how) - (size_t)n,
			      "%s%" PRIu64 " damaged record%s left out",
			      n ? ", " : "", it->bad_records,
			      it->bad_records > 1 ? "s" : "");
	if (it->bad_sites + it->bad_bins + it->bad_nodes)
		n += snprintf(how + n, sizeof(how) - (size_t)n,
			      "%s%" PRIu64
			      " impossible sites, bins or nodes left out",
			      n ? ", " : "",
			      it->bad_sites + it->bad_bins + it->bad_nodes);
	if (n == 0)
		snprintf(how, sizeof(how), "parts are missing");
	return load_warn(m,
			 "%s; read %s modules, %s nodes, %s sites, %s bins: "
			 "totals are lower bounds",
			 how, load_of(m, MON_MODULES, MONOUT_T_MODULES, a),
			 load_of(m, MON_NODES, MONOUT_T_NODES, b),
			 load_of(m, MON_SITES, MONOUT_T_SITES, c),
			 load_of(m, MON_BINS, MONOUT_T_BINS, d));
}

/* The bins and those sizes that had no bin: the same blocks as the sites'. */
static int
load_check_bins(struct mon *m)
{
	struct counts big = { 0 };
	const struct sums *b = &m->bin_sums, *s = &m->sums;

	big.allocs[0] = m->total[MONOUT_T_BIG_ALLOCS];
	big.bytes[0] = m->total[MONOUT_T_BIG_BYTES];
	big.frees[0] = m->total[MONOUT_T_BIG_FREES];
	big.freed[0] = m->total[MONOUT_T_BIG_FREED];
	if (big.frees[0] > big.allocs[0] || big.freed[0] > big.bytes[0] ||
	    !sums_add(&m->bin_sums, &big, 0)) {
		m->incomplete = true;
		m->total[MONOUT_T_BIG_ALLOCS] = m->total[MONOUT_T_BIG_BYTES] =
			0;
		m->total[MONOUT_T_BIG_FREES] = m->total[MONOUT_T_BIG_FREED] = 0;
		return load_warn(m, "impossible counts of large blocks left "
				    "out; totals are lower bounds");
	}
	if (m->incomplete || (b->allocs == s->allocs && b->bytes == s->bytes &&
			      b->frees == s->frees && b->freed == s->freed))
		return 0;
	return load_warn(m,
			 "the bins have %" PRIu64 " allocations of %" PRIu64
			 " bytes, the sites %" PRIu64 " of %" PRIu64
			 "; the tables won't agree",
			 b->allocs, b->bytes, s->allocs, s->bytes);
}

/* Find out what isn't there.  whole: the last record was read. */
static int
load_check(const struct items *it, const unsigned char *p, size_t at,
	   bool whole)
{
	struct mon *m = it->mon;

	if (!whole || it->bad_records || it->bad_sites || it->bad_bins ||
	    it->bad_nodes || it->lost_nodes || it->lost_sites ||
	    !load_is_all(m)) {
		m->incomplete = true;
		if (load_warn_missing(it, at, whole))
			return -1;
	} else if (!load_adds_up(m)) {
		m->incomplete = true;
		if (load_warn(m,
			      "damaged: the sites add up to %" PRIu64
			      "/%" PRIu64 "/%" PRIu64 "/%" PRIu64
			      " allocations, "
			      "bytes, frees and bytes freed, the totals say "
			      "%" PRIu64 "/%" PRIu64 "/%" PRIu64 "/%" PRIu64,
			      m->sums.allocs, m->sums.bytes, m->sums.frees,
			      m->sums.freed, m->total[MONOUT_T_ALLOCS],
			      m->total[MONOUT_T_BYTES],
			      m->total[MONOUT_T_FREES],
			      m->total[MONOUT_T_FREED]))
			return -1;
	} else if (!m->total_set[MONOUT_T_ALLOCS]) {
		m->incomplete = true;
		if (load_warn(m, load_is_sum(m)
					 ? "summed from files of which some "
					   "were not "
					   "whole; totals are lower bounds"
					 : "no sums in it to check it by"))
			return -1;
	}
	if (whole && !load_is_blank(p + at, m->size - at) &&
	    load_warn(m, "%" PRIu64 " bytes after its end are left out",
		      m->size - at))
		return -1;
	return load_check_bins(m);
}

/* -------------------------------------------------------------- reading -- */

int
load_memory(struct mon *m, const char *path, const void *data, size_t size,
	    struct err *e)
{
	struct items it = { .mon = m };
	size_t at = sizeof(struct monout_header);

	*m = (struct mon){ .size = size, .path = path };
	if (load_header(m, data, size, e))
		return -1;
	m->path = arena_copy(&m->arena, path, strlen(path));
	if (!m->path || load_records(&it, data, size, &at) ||
	    items_finish(&it) ||
	    load_check(&it, data, at, m->tally[MON_TOTALS].records > 0)) {
		load_fini(m);
		return err_memory(e);
	}
	return 0;
}

/* Why a file couldn't be opened or read, from errno. */
static int
load_errno(const char *path, struct err *e)
{
	if (errno == ENOENT)
		return err_set(
			e,
			"%s: no such file; first run the program, "
			"linked with -lmemmon or as \"memmon PROGRAM\": it "
			"writes mon.out where it ran, or where MEMMON_OUT "
			"says",
			path);
	if (errno == EISDIR)
		return err_set(e,
			       "%s: is a directory; give the data file that "
			       "is in it",
			       path);
	if (errno == EACCES)
		return err_set(e,
			       "%s: permission denied; it belongs to the "
			       "user that ran the program",
			       path);
	return err_set(e, "%s: %s; check the name of the data file", path,
		       strerror(errno));
}

/* Read all of fd, of which `size' bytes are expected, into *data. */
static int
load_slurp(int fd, size_t size, unsigned char **data, size_t *length)
{
	size_t room = 0;
	unsigned char *p;
	ssize_t n;

	*data = NULL;
	*length = 0;
	do {
		if (*length == room) {
			/* One more than expected, to see the end at once. */
			p = array_grow(*data, &room,
				       room ? room + 65536 : size + 1, 1);
			if (!p)
				return -1;
			*data = p;
		}
		do
			n = read(fd, *data + *length, room - *length);
		while (n < 0 && errno == EINTR);
		if (n < 0)
			return -1;
		*length += (size_t)n;
		/* Nothing of ours: don't read a device without end. */
		if (*length >= 8 && memcmp(*data, MONOUT_MAGIC, 8) != 0)
			return 0;
	} while (n > 0);
	return 0;
}

int
load_file(struct mon *m, const char *path, struct err *e)
{
	unsigned char *data = NULL;
	size_t length;
	struct stat st;
	int fd, status;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return load_errno(path, e);
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		status = load_errno(path, e);
	} else if (load_slurp(fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0,
			      &data, &length)) {
		status = errno == ENOMEM ? err_memory(e) : load_errno(path, e);
	} else {
		status = load_memory(m, path, data, length, e);
	}
	free(data);
	close(fd);
	return status;
}

void
load_fini(struct mon *m)
{
	free(m->modules);
	free(m->nodes);
	free(m->sites);
	free(m->bins);
	arena_fini(&m->arena);
	*m = (struct mon){ 0 };
}

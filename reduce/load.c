/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a mon.out file to struct mon: header and records. */
#define _GNU_SOURCE
#include "reduce/load.h"
#include "reduce/crc32.h"
#include "reduce/err.h"
#include "reduce/image.h"
#include "reduce/items.h"
#include "reduce/load_check.h"
#include "reduce/spool.h"

#include <ctype.h>
#include <errno.h>
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
	for (i = 0; i < n && !p[i]; i++)
		;
	if (i == n && i == 512)
		return err_set(e,
			       "%s: nothing is in it; the program that should "
			       "have filled it was stopped at once, or has "
			       "only just begun",
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

/* -------------------------------------------------------------- reading -- */

bool
load_is_data(const void *head, size_t n)
{
	return n >= 8 && (!memcmp(head, MONOUT_MAGIC, 8) || image_is(head, n));
}

int
load_memory(struct mon *m, const char *path, const void *data, size_t size,
	    struct err *e)
{
	struct items it = { .mon = m };
	size_t at = sizeof(struct monout_header);

	if (image_is(data, size))
		return image_load_memory(m, path, data, size, e);
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

/* There is no such file, but perhaps something else of that run. */
static int
load_missing(const char *path, struct err *e)
{
	char *live = image_beside(path);

	if (live) {
		err_set(e,
			"%s: no such file, but %s is there, which holds what "
			"a program had counted: give that one",
			path, live);
		free(live);
		return -1;
	}
	errno = ENOENT;
	return 0;
}

/* Why a file couldn't be opened or read, from errno. */
static int
load_errno(const char *path, struct err *e)
{
	if (errno == ENOENT && load_missing(path, e))
		return -1;
	if (errno == ENOENT)
		return err_set(
			e,
			"%s: no such file; first run the program, "
			"linked with -lmemmon or as \"memmon PROGRAM\": it "
			"writes mon.out where it ran, or where MEMMON_OUT "
			"says.  If it ran so and left none: a set-user-ID "
			"program isn't preloaded with memmon, a static one "
			"must be linked with it; and it must be able to "
			"write there (no read-only or full file system, no "
			"chroot without the directory); memmon -o %%e.%%p.mon "
			"gives processes and what they exec files of their "
			"own",
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
		if (*length >= 8 && !load_is_data(*data, *length))
			return 0;
	} while (n > 0);
	return 0;
}

/* Is the file, which can be sought in, an image? */
static bool
load_is_image(int fd)
{
	char magic[8];

	return pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	       image_is(magic, sizeof(magic));
}

int
load_file(struct mon *m, const char *path, struct err *e)
{
	unsigned char *data = NULL;
	size_t length;
	struct stat st;
	int fd, status;

	fd = spool_open(path, true);
	if (fd < 0)
		return load_errno(path, e);
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		status = load_errno(path, e);
	} else if (load_is_image(fd)) {
		status = image_load(m, path, fd, e);
	} else if (load_slurp(fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0,
			      &data, &length)) {
		status = errno == ENOMEM ? err_memory(e) : load_errno(path, e);
	} else {
		status = load_memory(m, path, data, length, e);
	}
	if (!status && image_warn_newer(m)) {
		load_fini(m);
		status = err_memory(e);
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
	life_fini(&m->lives);
	free(m->threads);
	free(m->uses);
	free(m->groups);
	free(m->fields);
	free(m->counts);
	free(m->marks);
	free(m->leaks);
	free(m->cells);
	free(m->vtables);
	free(m->types);
	free(m->moments);
	free(m->changes);
	arena_fini(&m->arena);
	*m = (struct mon){ 0 };
}

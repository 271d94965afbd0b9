/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read a file of any kind into struct mon. */
#define _GNU_SOURCE
#include "reduce/image/open.h"
#include "reduce/base/spool.h"
#include "reduce/monout/load.h"
#include "reduce/monout/mon.h"
#include "reduce/image/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool
open_is_data(const void *head, size_t n)
{
	return n >= 8 && (!memcmp(head, MONOUT_MAGIC, 8) || image_is(head, n));
}

int
open_memory(struct mon *m, const char *path, const void *data, size_t size,
	    struct err *e)
{
	if (image_is(data, size))
		return image_load_memory(m, path, data, size, e);
	return load_memory(m, path, data, size, e);
}

/* The file is missing; perhaps another file of the run exists. */
static int
open_missing(const char *path, struct err *e)
{
	char *live = image_beside(path);

	if (live) {
		err_set(e,
			"%s: no such file; give %s, which has the counts of a "
			"program without a data file",
			path, live);
		free(live);
		return -1;
	}
	errno = ENOENT;
	return 0;
}

/* Write the error for a file that couldn't be opened or read, from errno. */
static int
open_errno(const char *path, struct err *e)
{
	if (errno == ENOENT && open_missing(path, e))
		return -1;
	if (errno == ENOENT && strcmp(path, "mon.out"))
		return err_set(e,
			       "%s: no such file; give the data file that "
			       "memmon wrote",
			       path);
	if (errno == ENOENT)
		return err_set(
			e,
			"%s: no such file; first run the program as \"memmon "
			"PROGRAM\": it writes mon.out where it ran",
			path);
	if (errno == EISDIR)
		return err_set(e,
			       "%s: is a directory; give the data file in it",
			       path);
	if (errno == EACCES)
		return err_set(e,
			       "%s: permission denied; the file belongs to the "
			       "user that ran the program",
			       path);
	return err_set(e, "%s: %s; check the name of the data file", path,
		       strerror(errno));
}

/* Read all of fd, about `size' bytes, into *data. */
static int
open_slurp(int fd, size_t size, unsigned char **data, size_t *length)
{
	size_t room = 0;
	unsigned char *p;
	ssize_t n;

	*data = NULL;
	*length = 0;
	do {
		if (*length == room) {
			/*
			 * One byte more than expected, so that the next read
			 * shows the end.
			 */
			room = room ? room + 65536 : size + 1;
			p = realloc(*data, room);
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
		/*
		 * This isn't memmon's data: don't read a device that has no
		 * end.
		 */
		if (*length >= 8 && !open_is_data(*data, *length))
			return 0;
	} while (n > 0);
	return 0;
}

bool
open_is_image(const void *head, size_t n)
{
	return n >= 8 && image_is(head, n);
}

/* Is the file an image?  pread() must work. */
static bool
open_has_image(int fd)
{
	char magic[8];

	return pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	       image_is(magic, sizeof(magic));
}

int
open_file(struct mon *m, const char *path, struct err *e)
{
	unsigned char *data = NULL;
	size_t length;
	struct stat st;
	int fd, status;

	fd = spool_open(path, open_is_data);
	if (fd < 0)
		return open_errno(path, e);
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		status = open_errno(path, e);
	} else if (open_has_image(fd)) {
		status = image_load(m, path, fd, e);
	} else if (open_slurp(fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0,
			      &data, &length)) {
		status = errno == ENOMEM
				 ? err_set(e,
					   "%s: out of memory for so large "
					   "a file",
					   path)
				 : open_errno(path, e);
	} else {
		status = open_memory(m, path, data, length, e);
	}
	if (!status)
		image_warn_newer(m);
	free(data);
	close(fd);
	return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Let libbfd read files that are already open. */
#include <bfd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reduce/elf/bfdfile.h"
#include "reduce/base/arena.h"

/* The bytes of a file. */
struct image {
	const char *bytes;
	size_t n;
};

static void *
image_open(bfd *b, void *elf)
{
	struct image *image = heap_new(sizeof(*image));

	(void)b;
	image->bytes = elf_rawfile(elf, &image->n);
	if (image->bytes)
		return image;
	free(image);
	return NULL;
}

static int
image_close(bfd *b, void *image)
{
	(void)b;
	free(image);
	return 0;
}

static file_ptr
bfdfile_image_read(bfd *b, void *stream, void *to, file_ptr n, file_ptr at)
{
	const struct image *image = stream;

	(void)b;
	if (at < 0 || n < 0 || (uint64_t)at > image->n)
		return -1;
	if ((uint64_t)n > image->n - (uint64_t)at)
		n = (file_ptr)(image->n - (uint64_t)at);
	memcpy(to, image->bytes + at, (size_t)n);
	return n;
}

static int
image_stat(bfd *b, void *stream, struct stat *st)
{
	const struct image *image = stream;

	(void)b;
	*st = (struct stat){ .st_size = (off_t)image->n };
	return 0;
}

/* memmon itself reports that names or lines are missing. */
static void
say_nothing(const char *format, va_list args)
{
	(void)format;
	(void)args;
}

bfd *
bfdfile_open(Elf *elf)
{
	bfd_init();
	bfd_set_error_handler(say_nothing);
	return bfd_openr_iovec("file", NULL, image_open, elf,
			       bfdfile_image_read, image_close, image_stat);
}

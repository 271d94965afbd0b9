/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places in the source. */
#include "reduce/symbols/lines.h"
#include "reduce/base/str.h"

#include <stdlib.h>
#include <string.h>

/* Append a file; returns its number. */
static uint32_t
lines_add(struct lines *l, const char *path, const char *recorded)
{
	ARRAY_ROOM(l->file, l->file_room, l->nfiles + 1);
	l->file[l->nfiles].path = path;
	l->file[l->nfiles].recorded =
		arena_copy(l->arena, recorded, strlen(recorded));
	return (uint32_t)l->nfiles++;
}

/* Number a file whose spelling is new. */
static uint32_t
lines_file_slow(struct lines *l, const char *recorded)
{
	char *path = arena_alloc(l->arena, strlen(recorded) + 1);
	uint32_t n, try;
	uint64_t h;

	if (l->nfiles >= HASH_NONE - 1)
		heap_out();
	str_plain_path(recorded, path);
	h = hash_bytes(HASH_BYTES, path, strlen(path));
	for (try = 0;; try++) {
		n = hash_intern(&l->files, h, try, 0, (uint32_t)l->nfiles);
		if (n == l->nfiles)
			break;
		if (!strcmp(l->file[n].path, path))
			return n;
	}
	return lines_add(l, path, recorded);
}

static uint32_t
lines_file(struct lines *l, const char *recorded)
{
	uintptr_t key = (uintptr_t)recorded;
	uint32_t n = hash_find(&l->spelled, key, 0, 0);

	if (n != HASH_NONE)
		return n;
	n = lines_file_slow(l, recorded);
	return hash_intern(&l->spelled, key, 0, 0, n);
}

uint32_t
lines_number(struct lines *l, const char *file, unsigned line)
{
	uint32_t n, at;

	if (!file || !*file || !line)
		return LINES_NONE;
	at = lines_file(l, file);
	if (l->n >= HASH_NONE - 2)
		heap_out();
	ARRAY_ROOM(l->place, l->room, l->n + 2);
	l->place[0] = (struct lines_place){ 0, 0 };
	n = hash_intern(&l->places, at, line, 0, (uint32_t)l->n + 1);
	if (n == l->n + 1) {
		l->place[n] = (struct lines_place){ at, line };
		l->n++;
	}
	return n;
}

void
lines_fini(struct lines *l)
{
	free(l->file);
	free(l->place);
	hash_fini(&l->spelled);
	hash_fini(&l->files);
	hash_fini(&l->places);
}

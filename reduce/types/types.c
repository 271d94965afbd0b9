/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types by size, and the best guess among them. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/types/types.h"
#include "reduce/base/guard.h"
#include "reduce/base/sort.h"
#include "reduce/binaries/debugfile.h"
#include "reduce/dwarf/dies.h"
#include "reduce/types/typenames.h"
#include "reduce/types/types_walk.h"

/* Arrays of smaller or of more elements would fit too many sizes. */
#define ELEMENT_MIN 8
#define ELEMENTS_MAX 1000000

/* The most element sizes to try; array names have to be shorter than this. */
#define SIZES_MAX 10000
#define ARRAY_NAME 1024

struct type {
	const char *name; /* interned */
	uint64_t size;	  /* bytes */
	uint64_t rank;	  /* the best guess has the lowest */
	unsigned file;	  /* the first file with the type */
	bool alias;	  /* only another name for one of the other types */
	bool array;	  /* a typedef of an array */
};

/* All types of one size, by index in v. */
struct size {
	uint64_t size;
	size_t first; /* the best guess */
	size_t end;
};

struct types {
	struct progress *progress;
	struct symbols_pool pool;
	struct hash known; /* name, size -> index in v before sorting */
	struct type *v;
	size_t n;
	size_t room;
	struct size *sizes; /* ascending; NULL: must be made again */
	size_t nsizes;
	/* The sizes that will be asked for, ascending; NULL: any. */
	uint64_t *wanted;
	size_t nwanted;
	struct hash fits;    /* size of a type -> does it fit any of them? */
	uint64_t entries;    /* of debug information, read so far */
	unsigned files;	     /* added so far */
	struct hash added;   /* device and inode -> file */
	struct hash file_of; /* module -> file */
	struct hash also;    /* name, size, file: further files with it */
	const uint32_t *allowed; /* modules, see types_allow(); or NULL */
	size_t nallowed;
	struct typenames names; /* of v; empty: must be made again */
};

struct types *
types_new(struct progress *progress)
{
	struct types *t = heap_array(1, sizeof *t);

	t->progress = progress;
	return t;
}

void
types_free(struct types *t)
{
	if (!t)
		return;
	symbols_pool_fini(&t->pool);
	hash_fini(&t->known);
	hash_fini(&t->added);
	hash_fini(&t->file_of);
	hash_fini(&t->also);
	typenames_fini(&t->names);
	free(t->v);
	hash_fini(&t->fits);
	free(t->sizes);
	free(t->wanted);
	free(t);
}

SORT_NUMBERS(by_number, uint64_t)

void
types_want(struct types *t, const uint64_t *sizes, size_t n)
{
	t->wanted = heap_array(n ? n : 1, sizeof *t->wanted);
	if (n)
		memcpy(t->wanted, sizes, n * sizeof *sizes);
	SORT(t->wanted, n, by_number);
	t->nwanted = n;
}

/* Does one of this size fit a wanted size, as one or as an array's element? */
static bool
types_fits(const struct types *t, uint64_t size)
{
	size_t i = t->nwanted;

	if (bsearch(&size, t->wanted, i, sizeof size, by_number))
		return true;
	if (size < ELEMENT_MIN)
		return false;
	/* Among this many sizes, a multiple of this one is almost certain. */
	if (i > SIZES_MAX)
		return size <= t->wanted[i - 1] / 2;
	while (i-- && t->wanted[i] / 2 >= size)
		if (t->wanted[i] % size == 0)
			return true;
	return false;
}

/* Keep types of this size?  Each size is computed once. */
static bool
types_is_wanted(uint64_t size, void *arg)
{
	struct types *t = arg;
	uint32_t is;

	if (!t->wanted)
		return true;
	is = hash_find(&t->fits, size, 0, 0);
	if (is != HASH_NONE)
		return is;
	is = types_fits(t, size);
	/* Without memory it is computed again. */
	(void)hash_intern(&t->fits, size, 0, 0, is);
	return is;
}

/* The user's types first, then by file, place and kind. */
static uint64_t
types_rank_of(const struct types *t, const struct types_found *f)
{
	uint64_t last = f->place <= TYPES_HEADER ? 0 : f->place;

	return last << 40 | (uint64_t)t->files << 8 | (uint64_t)f->place << 1 |
	       (f->is_typedef != 0);
}

static enum types_place
types_place_of(const struct type *type)
{
	return (enum types_place)((type->rank & 0xff) >> 1);
}

/* Is it a typedef of a type with a name of its own? */
static bool
is_alias(const struct types_found *f)
{
	return f->is_typedef && f->die && dies_type_name(f->die);
}

static int
types_type_add(const struct types_found *f, void *arg)
{
	struct types *t = arg;
	uint64_t rank = types_rank_of(t, f);
	bool alias = is_alias(f), array = !f->die;
	uint32_t i;

	if (t->n >= HASH_NONE)
		heap_out();
	ARRAY_ROOM(t->v, t->room, t->n + 1);
	i = hash_intern(&t->known, (uintptr_t)f->name, f->size, 0,
			(uint32_t)t->n);
	if (i == t->n)
		t->v[t->n++] = (struct type){ f->name,	f->size, rank,
					      t->files, alias,	 array };
	else {
		if (t->v[i].file != t->files)
			hash_intern(&t->also, (uintptr_t)f->name, f->size,
				    t->files, 1);
	}
	if (rank < t->v[i].rank)
		t->v[i].rank = rank;
	t->v[i].alias &= alias;
	t->v[i].array &= array;
	return 0;
}

SORT_BY(by_size, struct type, SORT_UP(size) SORT_UP(rank) SORT_TEXT(name))

/* Make `known' again with the indices after sorting. */
static void
reindex(struct types *t)
{
	size_t i;

	free(t->sizes);
	t->sizes = NULL;
	typenames_fini(&t->names);
	hash_fini(&t->known);
	t->known = (struct hash){ 0 };
	for (i = 0; i < t->n; i++)
		hash_intern(&t->known, (uintptr_t)t->v[i].name, t->v[i].size, 0,
			    (uint32_t)i);
}

/* Is module m's file new?  It may have been added by another name. */
static bool
types_is_new(struct types *t, const struct debugfile *f, size_t m)
{
	uint32_t file = hash_intern(&t->added, f->dev, f->ino, 0, t->files);

	return file != HASH_NONE &&
	       hash_intern(&t->file_of, m, 0, 0, file) != HASH_NONE &&
	       file == t->files;
}

void
types_allow(struct types *t, const uint32_t *modules, size_t n)
{
	t->allowed = modules;
	t->nallowed = n;
}

static bool
types_is_allowed(const struct types *t, const struct type *x)
{
	for (size_t i = 0; t->allowed && i < t->nallowed; i++) {
		uint32_t file = hash_find(&t->file_of, t->allowed[i] - 1, 0, 0);

		if (file != HASH_NONE &&
		    (x->file == file || hash_find(&t->also, (uintptr_t)x->name,
						  x->size, file) != HASH_NONE))
			return true;
	}
	return !t->allowed;
}

/* The module to read types from. */
struct wanted {
	struct types *t;
	struct symbols *s;
	size_t m;
};

static int
walk_file(void *arg)
{
	const struct wanted *w = arg;
	struct types *t = w->t;
	struct types_visit visit = { .wants = types_is_wanted,
				     .own = true,
				     .add = types_type_add,
				     .arg = t,
				     .progress = t->progress };
	const struct debugfile *f = symbols_file(w->s, w->m);
	int bad = -1;

	if (f && f->dwarf && types_is_new(t, f, w->m)) {
		progress_start(t->progress, "reading the types of",
			       symbols_path(w->s, w->m));
		bad = types_walk(f->dwarf, &t->pool, &visit);
		t->files++;
		t->entries += visit.entries;
	}
	return bad;
}

int
types_add(struct types *t, struct symbols *s, size_t m)
{
	struct wanted w = { t, s, m };
	int status;

	if (t->sizes)
		reindex(t);
	status = guard_run(symbols_path(s, m), walk_file, &w);
	if (status == GUARD_FAULT)
		symbols_give_up(s, m);
	return status ? -1 : 0;
}

uint64_t
types_entries(const struct types *t)
{
	return t->entries;
}

/* Sort, and note where each size starts. */
static void
types_sort(struct types *t)
{
	struct size *s = NULL;
	size_t i;

	t->sizes = heap_array(t->n ? t->n : 1, sizeof *t->sizes);
	t->nsizes = 0;
	SORT(t->v, t->n, by_size);
	for (i = 0; i < t->n; i++) {
		if (!s || t->v[i].size != s->size) {
			s = &t->sizes[t->nsizes++];
			s->size = t->v[i].size;
			s->first = i;
		}
		s->end = i + 1;
	}
}

/* The number of smaller sizes. */
static size_t
below(const struct types *t, uint64_t size)
{
	return SORT_PLACE(i, t->nsizes, t->sizes[i].size < size);
}

/*
 * Make up to `most' array names "T[n]" for `size', from types T defined in
 * `place'; the largest T first.  names NULL: only count.
 */
static size_t
find_arrays(struct types *t, uint64_t size, enum types_place place,
	    const char **names, size_t most)
{
	size_t n = 0, i, j, left = SIZES_MAX;

	for (i = below(t, size / 2 + 1); i-- && n < most && left--;) {
		const struct size *s = &t->sizes[i];

		if (s->size < ELEMENT_MIN || size / s->size > ELEMENTS_MAX)
			break;
		if (size % s->size != 0)
			continue;
		for (j = s->first; j < s->end && n < most; j++) {
			const char *text = "";

			if (types_place_of(&t->v[j]) != place ||
			    !types_is_allowed(t, &t->v[j]) ||
			    strnlen(t->v[j].name, ARRAY_NAME) == ARRAY_NAME)
				continue;
			if (names)
				text = arena_print(&t->pool.arena,
						   "%s[%" PRIu64 "]",
						   t->v[j].name,
						   size / s->size);
			if (names)
				names[n] = text;
			n += !!text;
		}
	}
	return n;
}

/*
 * Arrays of types in the source file first, then those in the user's headers.
 */
static size_t
find_users_arrays(struct types *t, uint64_t size, const char **names,
		  size_t most)
{
	size_t n = find_arrays(t, size, TYPES_OWN, names, most);

	return n + find_arrays(t, size, TYPES_HEADER, names ? names + n : NULL,
			       most - n);
}

size_t
types_find(struct types *t, uint64_t size, const char **names, size_t most)
{
	size_t n = 0, users = 0, arrays, i;

	if (!t->sizes)
		types_sort(t);
	i = below(t, size);
	if (i < t->nsizes && t->sizes[i].size == size) {
		const struct size *s = &t->sizes[i];

		for (i = s->first; i < s->end && n < most; i++) {
			if (!types_is_allowed(t, &t->v[i]))
				continue;
			users += types_place_of(&t->v[i]) <= TYPES_HEADER;
			names[n++] = t->v[i].name;
		}
	}
	/* Reserve up to half of the room for the user's arrays. */
	arrays = find_users_arrays(t, size, NULL, most / 2);
	if (n > most - arrays)
		n = users > most - arrays ? users : most - arrays;
	return n + find_users_arrays(t, size, names + n, most - n);
}

const char *
types_only(struct types *t, uint64_t size)
{
	const struct type *only = NULL;
	size_t i, n = 0;

	if (!t->sizes)
		types_sort(t);
	i = below(t, size);
	if (i == t->nsizes || t->sizes[i].size != size)
		return NULL;
	for (size_t k = t->sizes[i].first; k < t->sizes[i].end; k++) {
		if (t->v[k].alias || types_place_of(&t->v[k]) > TYPES_NODE)
			continue;
		only = &t->v[k];
		n++;
	}
	return n == 1 && !only->array && types_place_of(only) <= TYPES_HEADER &&
			       types_is_allowed(t, only)
		       ? only->name
		       : NULL;
}

/* The sizes of types with one name. */
struct sized {
	const struct types *t;
	uint64_t size; /* 0: none so far */
	bool several;
};

static bool
take_size(uint32_t i, void *arg)
{
	struct sized *s = arg;
	uint64_t size = s->t->v[i].size;

	s->several |= s->size && s->size != size;
	s->size = size;
	return !s->several;
}

uint64_t
types_size(struct types *t, const char *name)
{
	struct sized s = { .t = t };
	size_t i;

	if (!t->sizes)
		types_sort(t);
	for (i = t->names.n; i < t->n; i++) {
		typenames_add(&t->names, t->v[i].name, (uint32_t)i);
	}
	typenames_each(&t->names, name, take_size, &s);
	return s.several ? 0 : s.size;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turn the image of a process into a struct mon. */
#include "reduce/base/err.h"
#include "reduce/monout/load.h"
#include "reduce/monout/load_check.h"
#include "reduce/monout/mon.h"
#include "reduce/image/image_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

bool
image_is(const void *p, size_t n)
{
	return n >= 8 && !memcmp(p, MONIMG_MAGIC, 8);
}

static void
image_fini(struct image *g)
{
	image_source_fini(&g->from);
	hash_fini(&g->site_hash);
	hash_fini(&g->pair_hash);
	hash_fini(&g->bin_hash);
	emit_fini(&g->out);
	free(g->slots);
	free(g->buffer);
	free(g->cells);
	free(g->global);
	free(g->pubs);
	free(g->sites);
	free(g->pairs);
	free(g->lives);
	free(g->bins);
	free(g->nodes);
	free(g->modules);
	free(g->numbers);
	free(g->snapshots);
	image_free_types(g);
}

/*
 * Convert everything into the records of an ordinary file.  0, or -1 if a
 * record is too long.
 */
static int
image_convert(struct image *g)
{
	struct timespec now;

	g->global = heap_array(1, sizeof(*g->global));
	g->info.running = image_running(&g->h);
	if (g->info.running > 0 && !clock_gettime(CLOCK_MONOTONIC, &now))
		g->now = (uint64_t)now.tv_sec * 1000000000u +
			 (uint64_t)now.tv_nsec;
	/*
	 * Keep this order: items that are read later include all that earlier
	 * items refer to.
	 */
	image_threads(g);
	image_cells(g);
	emit_header(&g->out, 0);
	image_put_run(g);
	image_nodes(g);
	image_put_sites(g);
	image_put_threads(g);
	image_put_types(g);
	image_put_cells(g);
	image_put_times(g);
	image_put_notes(g);
	image_put_moments(g);
	image_put_totals(g);
	return g->out.failed ? -1 : 0;
}

/* Warn if something is missing that the totals don't show. */
static void
image_warn(const struct image *g, struct mon *m)
{
	const struct {
		uint64_t n;
		const char *what;
	} some[] = {
		{ g->h.outside_cells,
		  "counts or fewer had no room in the image" },
		{ g->bad_cells + g->bad_modules,
		  "damaged counts or libraries left out" },
		{ g->lone_frees,
		  "frees of blocks that are not in the image left out" },
		{ g->lost_bytes, "allocations without their bytes" },
	};
	size_t i;

	if (g->from.cut) {
		m->incomplete = true;
		load_warn(m,
			  "truncated after %" PRIu64 " bytes; %" PRIu32
			  " parts of %u bytes were in use; totals are "
			  "lower bounds",
			  m->size, g->h.used, MONIMG_SLOT);
	}
	for (i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		if (!some[i].n)
			continue;
		m->incomplete = true;
		load_warn(m, "%" PRIu64 " %s; totals are lower bounds",
			  some[i].n, some[i].what);
	}
	if (g->lost_chains)
		load_warn(m,
			  "%" PRIu64 " allocations lack some of their callers, "
			  "which are not in the image",
			  g->lost_chains);
}

/* Read the data file that is in the image. */
static int
image_load_kept(struct image *g, struct mon *m, struct err *e)
{
	size_t size = (size_t)g->h.data_size;
	unsigned char *data = malloc(size);
	int status;

	if (!data)
		status = err_set(e, "%s: out of memory for so large a file",
				 g->path);
	else if (image_source_read(&g->from, g->h.data_at, data, size) != size)
		status = err_set(e,
				 "%s: the data of a process, truncated; copy "
				 "the file again, or run the program again",
				 g->path);
	else
		status = load_memory(m, g->path, data, size, e);
	free(data);
	return status;
}

/* Read g->from.  Like image_load(); size: of the file. */
static int
image_load_image_read(struct image *g, struct mon *m, uint64_t size,
		      struct err *e)
{
	if (image_head(g, e))
		return -1;
	if (g->h.data_size && g->h.data_size <= size)
		return image_load_kept(g, m, e);
	if (image_convert(g))
		return err_set(e,
			       "%s: the image of a process, damaged: a record "
			       "is too long; run the program again",
			       g->path);
	if (load_memory(m, g->path, g->out.data, g->out.length, e))
		return -1;
	m->size = size;
	m->image = arena_alloc(&m->arena, sizeof(*m->image));
	*m->image = g->info;
	image_warn(g, m);
	return 0;
}

int
image_load(struct mon *m, const char *path, int fd, struct err *e)
{
	struct image g = { .path = path, .from.fd = fd };
	struct stat st;
	int status;

	if (fstat(fd, &st))
		st.st_size = 0;
	status = image_load_image_read(&g, m, (uint64_t)st.st_size, e);
	image_fini(&g);
	return status;
}

int
image_load_memory(struct mon *m, const char *path, const void *data,
		  size_t size, struct err *e)
{
	struct image g = {
		.path = path,
		.from = { .fd = -1, .data = data, .size = size },
	};
	int status = image_load_image_read(&g, m, size, e);

	image_fini(&g);
	return status;
}

void
image_print(const struct mon *m, FILE *out)
{
	static const char *const names[IMAGE_KINDS] = {
		"not begun", "header",	"totals",    "counts",
		"chains",    "threads", "modules",   "more counts",
		"types",     "notes",	"more notes"
	};
	static const char *const runs[] = { "not known whether it still runs",
					    "has ended", "still runs" };
	const struct image_info *i = m->image;
	const char *comma = ": ";
	int k;

	if (!i)
		return;
	fprintf(out, "  %-10s %s\n", "process", runs[i->running + 1]);
	fprintf(out, "  %-10s %" PRIu32 " of %" PRIu32 " in use", "parts",
		i->used, i->nslots);
	for (k = 0; k < IMAGE_KINDS; k++) {
		if (!i->slots[k])
			continue;
		fprintf(out, "%s%" PRIu64 " %s", comma, i->slots[k], names[k]);
		comma = ", ";
	}
	putc('\n', out);
	fprintf(out, "  %-10s %" PRIu64 "\n", "counts", i->cells);
}

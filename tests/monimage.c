/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * monimage FILE: make the image of a process, as it is in mon.out while a
 * program runs, from a description on standard input.  One directive a line,
 * words split by blanks; # starts a comment; escapes and numbers are as in
 * tests/monmake.c, and a number may be below 0.
 *
 *  slots N		room for N slots (128, at most 512); comes first
 *  text KEY WORD...	program command cwd memmon; of command each word is
 *			ended by NUL
 *  header KEY N	any number of struct monimg_header, by its name
 *  global KEY N	the same for struct monimg_global
 *  window N BASE AT LENGTH
 *  module PATH START END BIAS GEN FLAGS [HEX]
 *  node NUMBER PARENT KEY [GEN]
 *			as the monitor has it: KEY is a return address, or 1 2 3
 *  cell NUMBER THREAD NODE SIZE [KEY N]...
 *			KEY is of struct monimg_cell, monimg_fate or
 *			monimg_extra, or time: a lifetime in ns, timed;
 *			weight: the number of blocks that each following time
 *			counts for.  SIZE may be any0 to any3
 *  bin SIZE ALLOCS FREES [PLACE]
 *			in the bins of cells for all sizes
 *  pub [KEY N]...	KEY is of struct monimg_pub, or allocs bytes frees freed
 *			of_others of its thread's counts; name WORD
 *  row PLACE NAME MAIN THREADS ALLOCS BYTES FREES FREED OF_OTHERS
 *  patch AT HEX	bytes of the file
 *  cut N		write the first N bytes only
 *  length N		of the file: it ends in a hole
 *
 * Slots that are all 0 become holes.
 */
#define _GNU_SOURCE
#include "tests/monimage.h"
#include "tests/monmake_words.h"

#include <fcntl.h>
#include <unistd.h>

static struct monimage f;
static size_t cut = SIZE_MAX;
static uint64_t whole;

/* A field of a struct, by name. */
struct field {
	const char *name;
	size_t at, size;
};
#define FIELD(s, f) \
	{ \
#f, offsetof(struct s, f), sizeof(((struct s *)0)->f) \
	}
#define H(f) FIELD(monimg_header, f)
#define G(f) FIELD(monimg_global, f)
#define C(f) FIELD(monimg_cell, f)
#define F(f) FIELD(monimg_fate, f)
#define X(f) FIELD(monimg_extra, f)
#define P(f) FIELD(monimg_pub, f)
#define D(f) \
	{ \
#f, offsetof(struct monimg_pub, done.f), sizeof(uint64_t) \
	}

static const struct field header_fields[] = {
	H(version),
	H(order),
	H(word),
	H(slot),
	H(global_size),
	H(cell_size),
	H(node_size),
	H(pub_size),
	H(extra_size),
	H(fate_size),
	H(lives_size),
	H(kinds_at),
	H(nslots),
	H(used),
	H(outside_cells),
	H(outside_nodes),
	H(outside_extras),
	H(outside_pubs),
	H(outside_modules),
	H(pid),
	H(ppid),
	H(pid_space),
	H(born),
	H(start),
	H(mono),
	H(depth),
	H(timing),
	H(maxmem),
	H(own),
	H(forked),
	H(access),
	H(end),
	H(sig),
	H(ended),
	H(boot),
	{ 0 },
};
static const struct field global_fields[] = {
	G(live),
	G(peak),
	G(timed),
	G(peak_at),
	G(peaks),
	G(fresh),
	G(spread),
	G(lost_allocs),
	G(lost_bytes),
	G(cells_first),
	G(off),
	G(epoch),
	G(gaps),
	G(off_total),
	G(reset_at),
	{ "nthreads", offsetof(struct monimg_global, nthreads), 8 },
	{ "big_allocs", offsetof(struct monimg_global, bins[0].big_allocs), 8 },
	{ "big_bytes", offsetof(struct monimg_global, bins[0].big_bytes), 8 },
	{ "big_frees", offsetof(struct monimg_global, bins[0].big_frees), 8 },
	{ "big_freed", offsetof(struct monimg_global, bins[0].big_freed), 8 },
	{ 0 },
};
static const struct field cell_fields[] = {
	C(key),	  C(parent), C(allocs), C(frees), C(held), C(epoch),
	C(temps), C(near),   C(fate),	C(extra), { 0 },
};
static const struct field fate_fields[] = {
	F(by_others), F(reallocs), F(moved), F(copied),
	F(longest), F(timed),	 F(lives), { 0 },
};
static const struct field extra_fields[] = {
	X(bytes),
	X(freed),
	X(held_bytes),
	{ 0 },
};
static const struct field pub_fields[] = {
	P(taken),
	P(seq),
	P(seq_first),
	P(delta),
	P(tid),
	P(seen),
#define COUNTER(total, field, how) P(field),
	MONOUT_COUNTERS(COUNTER)
#undef COUNTER
		D(allocs),
	D(bytes),
	D(frees),
	D(freed),
	D(of_others),
	{ 0 },
};

static uint64_t
signed_number(size_t i)
{
	const char *s = word(i);

	return *s == '-' ? -to_number(s + 1) : to_number(s);
}

/* Set the field of that name, if there is one. */
static bool
set(void *p, const struct field *fields, const char *name, uint64_t v)
{
	for (; fields->name; fields++) {
		if (!strcmp(fields->name, name)) {
			memcpy((char *)p + fields->at, &v, fields->size);
			return true;
		}
	}
	return false;
}

static void
do_text(void)
{
	static const char *const keys[] = { NULL, "program", "command", "cwd",
					    "memmon" };
	struct monimg_text *t[] = { NULL, &f.h->program, &f.h->command,
				    &f.h->cwd, &f.h->memmon };
	size_t k = key(keys, 5, word(1)), i, n = 0;
	char text[4096];

	if (!k)
		die("no such text");
	for (i = 2; i < nwords; i++) {
		if (n + strlen(words[i]) + 1 > sizeof(text))
			die("too long");
		strcpy(text + n, words[i]);
		n += strlen(words[i]) + 1;
	}
	monimage_text(&f, t[k], text, k == 2 || !n ? n : n - 1);
}

static void
do_module(void)
{
	struct monimg_module m = {
		.start = number(2),
		.end = number(3),
		.bias = number(4),
		.gen = (uint32_t)number(5),
		.flags = (uint32_t)number(6),
	};
	size_t n = 0;
	char *id = nwords > 7 ? from_hex(word(7), &n) : NULL;

	if (n > sizeof(m.buildid))
		die("a build-id too long");
	if (id)
		memcpy(m.buildid, id, n);
	m.buildid_length = (uint16_t)n;
	monimage_module(&f, m, word(1));
}

/* One lifetime that counts for `weight' blocks. */
static void
add_time(struct monimg_fate *x, uint64_t ns, uint64_t weight)
{
	unsigned b = ns > 1 ? 63 - (unsigned)__builtin_clzll(ns) : 0;
	struct monimg_lives *l;

	if (!x->lives && weight == 1 && x->timed < MONIMG_FEW) {
		x->few[x->timed++] = ns;
		return;
	}
	if (!x->lives && x->timed)
		die("times of weight 1 first, or last");
	l = monimage_lives(&f, x);
	l->bin[b] += weight;
	l->weight += weight;
	l->sum += ns * weight;
	l->min = ns < l->min ? ns : l->min;
	l->max = ns > l->max ? ns : l->max;
	x->timed++;
}

static void
do_cell(void)
{
	struct monimg_cell *c = monimage_cell(&f, (uint32_t)number(1));
	uint64_t size, weight = 1;
	size_t i;

	size = !strncmp(word(4), "any", 3)
		       ? MONIMG_SIZE_ANY + to_number(word(4) + 3)
		       : number(4);
	c->key = number(2) << MONIMG_SIZE_BITS | size;
	c->parent = (uint32_t)number(3);
	for (i = 5; i < nwords; i += 2) {
		if (!strcmp(words[i], "weight"))
			weight = number(i + 1);
		else if (!strcmp(words[i], "time"))
			add_time(monimage_fate(&f, c), number(i + 1), weight);
		else if (!set(c, cell_fields, words[i], signed_number(i + 1)) &&
			 !set(monimage_fate(&f, c), fate_fields, words[i],
			      signed_number(i + 1)) &&
			 !set(monimage_extra(&f, c), extra_fields, words[i],
			      signed_number(i + 1)))
			die("no such key of a cell");
	}
}

static void
do_bin(void)
{
	uint64_t size = number(1);
	size_t place = nwords > 4 ? number(4) : size % MONIMG_BINS;

	if (size <= MONOUT_BIN_MAX) {
		f.global->bins[0].allocs[size] = number(2);
		f.global->bins[0].frees[size] = number(3);
	} else if (place < MONIMG_BINS) {
		f.global->bins[0].other[place] =
			(struct monimg_bin){ size, number(2), number(3) };
	}
}

static void
do_pub(void)
{
	struct monimg_pub *t = monimage_pub(&f);
	size_t i;

	for (i = 1; i < nwords; i += 2) {
		if (!strcmp(words[i], "name"))
			strncpy(t->name, word(i + 1), sizeof(t->name) - 1);
		else if (!set(t, pub_fields, words[i], signed_number(i + 1)))
			die("no such key of a pub");
	}
}

static void
do_row(void)
{
	struct monimg_row *r;

	if (number(1) >= MONIMG_ROWS)
		die("no such row");
	r = &f.global->row[0][number(1)];
	r->state = 2;
	strncpy(r->name, word(2), sizeof(r->name) - 1);
	r->main = (uint8_t)number(3);
	r->threads = number(4);
	r->done = (struct monimg_done){ number(5), number(6), number(7),
					number(8), number(9) };
}

static void
do_patch(void)
{
	size_t n, at = number(1);
	char *p = from_hex(word(2), &n);

	if (at > monimage_size(&f) || n > monimage_size(&f) - at)
		die("not in the file");
	memcpy(f.p + at, p, n);
}

static void
do_line(void)
{
	const char *what = word(0);

	if (!strcmp(what, "slots")) {
		monimage_fini(&f);
		monimage_init(&f, (uint32_t)number(1));
	} else if (!strcmp(what, "text")) {
		do_text();
	} else if (!strcmp(what, "header")) {
		if (!set(f.h, header_fields, word(1), signed_number(2)))
			die("no such key of the header");
	} else if (!strcmp(what, "global")) {
		if (!set(f.global, global_fields, word(1), signed_number(2)))
			die("no such key of global");
	} else if (!strcmp(what, "window")) {
		f.h->window[number(1) % MONIMG_WINDOWS] =
			(struct monimg_window){ number(2), number(3),
						number(4) };
	} else if (!strcmp(what, "module")) {
		do_module();
	} else if (!strcmp(what, "node")) {
		monimage_node(&f, (uint32_t)number(1), (uint32_t)number(2),
			      number(3) | (nwords > 4 ? number(4) : 0)
						  << MONIMG_KEY_BITS);
	} else if (!strcmp(what, "cell")) {
		do_cell();
	} else if (!strcmp(what, "bin")) {
		do_bin();
	} else if (!strcmp(what, "pub")) {
		do_pub();
	} else if (!strcmp(what, "row")) {
		do_row();
	} else if (!strcmp(what, "patch")) {
		do_patch();
	} else if (!strcmp(what, "cut")) {
		cut = number(1);
	} else if (!strcmp(what, "length")) {
		whole = number(1);
	} else {
		die("no such directive");
	}
}

/* Writes the image; slots that are 0 become holes. */
static int
write_file(const char *path, size_t size)
{
	static const unsigned char none[MONIMG_SLOT];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	size_t at, n;

	if (fd < 0)
		return -1;
	for (at = 0; at < size; at += n) {
		n = size - at < MONIMG_SLOT ? size - at : MONIMG_SLOT;
		if (memcmp(f.p + at, none, n) &&
		    pwrite(fd, f.p + at, n, (off_t)at) != (ssize_t)n)
			return -1;
	}
	if (whole < size)
		whole = size;
	if (ftruncate(fd, (off_t)whole))
		return -1;
	return close(fd);
}

int
main(int argc, char **argv)
{
	char *line = NULL;
	size_t room = 0, size;

	if (argc != 2)
		die("usage: monimage FILE <DESCRIPTION");
	monimage_init(&f, 192);
	while (getline(&line, &room, stdin) >= 0) {
		line_number++;
		split(line);
		if (nwords)
			do_line();
	}
	free(line);
	size = (size_t)f.slots * MONIMG_SLOT;
	if (monimage_size(&f) < size)
		size = monimage_size(&f);
	if (write_file(argv[1], cut < size ? cut : size)) {
		perror(argv[1]);
		return 1;
	}
	monimage_fini(&f);
	arena_fini(&arena);
	return 0;
}

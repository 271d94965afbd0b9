/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * monmake: make a mon.out file on standard output from a description on
 * standard input, for tests.  One directive a line, words split by blanks; #
 * starts a comment.  In a word \s is a blank; \t, \n and \\ are as in C.
 * Numbers are decimal, or hexadecimal after 0x.
 *
 * The content of the file:
 *
 *  run KEY VALUE...	program PATH, command ARG..., cwd PATH, version TEXT;
 *			pid ppid start length signal threads depth forked
 *			maxmem timing way step N; why TEXT;
 *			end exit|_exit|quick|signal|exec|dump|sum|cut|N;
 *			seen off off_time reset leakcheck N; cut_why leak_why
 *			TEXT
 *  module NAME PATH [exe] [gone] [id HEX] [at START END BIAS]
 *  node NAME PARENT MODULE ADDR
 *			a call made from return address ADDR; PARENT is the
 *			caller's node, - the root; MODULE - is 0
 *  chain NAME MODULE:ADDR...
 *			the same for a whole call path, outermost call first;
 *			calls of an earlier path are shared
 *  alloc NODE SIZE ALLOCS [FREES [REALLOCS]]
 *			ALLOCS blocks of SIZE bytes, in the site of NODE and in
 *			the bin of SIZE.  NODE - is the root: no call path
 *  site NODE REALLOCS [CLASS ALLOCS BYTES FREES FREED]...
 *			a whole site; CLASS is s m l x
 *  bin SIZE ALLOCS FREES
 *			a whole bin, in addition to those of alloc
 *  peak SITE BLOCKS BYTES
 *			blocks of a site live at the peak.  SITE is a node that
 *			has a site by now, or @N: the number N
 *  life SITE [time NS:BLOCKS[:WEIGHT]]... [KEY N]...
 *			BLOCKS blocks lived for NS, counting for WEIGHT; KEY
 *			is temps near by_others moved copied longest, or, to
 *			change a value that time sets: timed weight sum min max
 *			first n binN (the Nth from `first' on)
 *  thread NAME [KEY N]...
 *			KEY is flags (1 is the main thread) threads allocs bytes
 *			frees freed of_others; NAME - means no name
 *  use SITE [KEY N]... [FLAG BLOCKS:BYTES]...
 *			how a site's blocks were used; KEY is blocks bytes reads
 *			writes span cover span_used cover_used useful (units of
 *			2^-24) life; FLAG is unused write_only read_only brief
 *			early late growing shared low_cover
 *  group SITE FORM [FIRST:LAST:END:BLOCKS:LIFE]...
 *  field SITE SIZE BLOCKS [READS:WRITES]...
 *			numbers may be left out at the end: 0
 *  mark NAME TIME [KEY N]...
 *			KEY is allocs bytes frees freed, up to TIME
 *  leak SITE [KIND BLOCKS:BYTES]...
 *			KIND is lost indirect interior reachable, or a number
 *  type NAME SIZE	its number is that of the line, from 1
 *  cell SITE THREAD SIZE ALLOCS FREES [KEY N]...
 *			THREAD is the number of its line, from 1, or 0; SIZE may
 *			be s m l x: any of the class.  Numbers may be below 0;
 *			KEY is peak bytes freed peak_bytes looked slack
 *  vtable SITE MODULE ADDR BLOCKS BYTES
 *  total KEY N		peak peak_at frames same deepest cut stopped lost
 *			lost_bytes unseen inherited reused failed own big_allocs
 *			big_bytes big_frees big_freed peak_slack short chains
 *			untimed unfolded unplaced ticked off_frees off_freed
 *			off_unseen pool_allocs pool_bytes pool_backing
 *			vtables_more; also, to set a value that isn't right:
 *			allocs bytes frees freed reallocs modules nodes sites
 *			bins peaks lives threads peak_blocks peak_bytes uses
 *			groups fields reads writes marks leaks types cells
 *			vtables
 *
 * The form of the file:
 *
 *  most N		at most N items a record, except totals
 *  flags N, major N, minor N, order N
 *			fields of the header, its CRC made to match
 *  unknown		add keys and a record that no reader knows
 *  no-total KEY	leave out one key of the totals
 *  no-totals		leave out the totals
 *  drop KIND N		leave out the Nth record (from 1) of a kind: run modules
 *			nodes sites bins peaks lives threads uses groups fields
 *			marks leaks types cells vtables totals
 *  bad-crc KIND N	spoil the CRC of that record
 *  bad-header		spoil the CRC of the header
 *  extra HEX		bytes after the end
 *  cut N		write the first N bytes only
 *
 * Any mistake in the description ends it with status 1 and a message.
 */
#define _GNU_SOURCE
#include "tests/monmake.h"
#include "tests/monmake_lives.h"
#include "tests/monmake_use.h"
#include "tests/monmake_marks.h"
#include "tests/monmake_cells.h"
#include "reduce/base/hash.h"

#include <stdio.h>
#include <stdlib.h>

static size_t name_room, module_room, node_room, site_room, bin_room;
static struct hash node_hash;
static char *extra;
static size_t extra_length;
static uint64_t cut = UINT64_MAX;

static const char *const run_keys[MONOUT_R_MAX] = {
#define K(name, kind, how) [MONOUT_R_##name] = #name,
	MONREC_RUN_KEYS(K)
#undef K
};
static const char *const end_keys[] = { NULL,	 "exit",   "_exit",
					"quick", "signal", "exec",
					"dump",	 "sum",	   "cut" };
static const char *const total_keys[MONOUT_T_MAX] = {
#define K(name, how, text) [MONOUT_T_##name] = #name,
	MONREC_TOTAL_KEYS(K)
#undef K
};

/* ----------------------------------------------------------- the tables -- */

static void
do_run(void)
{
	size_t k = key(run_keys, MONOUT_R_MAX, word(1)), i, n;
	FILE *f;

	if (k == MONOUT_R_END && key(end_keys, 9, word(2))) {
		run_number[k].n = key(end_keys, 9, word(2));
		run_number[k].set = true;
	} else if (k == MONOUT_R_PROGRAM || k == MONOUT_R_COMMAND ||
		   k == MONOUT_R_VERSION || k == MONOUT_R_CWD ||
		   k == MONOUT_R_WHY || k == MONOUT_R_CUT_WHY ||
		   k == MONOUT_R_LEAK_WHY) {
		f = open_memstream(&run_text[k].text, &run_text[k].length);
		if (!f)
			die("out of memory");
		for (i = 2; i < nwords; i++) {
			n = strlen(words[i]) + (k == MONOUT_R_COMMAND);
			fwrite(words[i], 1, n, f);
		}
		fclose(f);
		run_text[k].set = true;
	} else if (k) {
		run_number[k].n = number(2);
		run_number[k].set = true;
	} else {
		die("no such key");
	}
}

static void
do_module(void)
{
	struct module m = { .name = word(1), .path = word(2) };
	size_t i;

	for (i = 3; i < nwords; i++) {
		if (!strcmp(words[i], "exe")) {
			m.flags |= MONOUT_M_EXE;
		} else if (!strcmp(words[i], "gone")) {
			m.flags |= MONOUT_M_GONE;
		} else if (!strcmp(words[i], "id")) {
			m.id = from_hex(word(++i), &m.idlen);
		} else if (!strcmp(words[i], "at")) {
			m.start = number(++i);
			m.end = number(++i);
			m.bias = number(++i);
		} else {
			die("no such word for a module");
		}
	}
	modules = grow(modules, &module_room, nmodules + 1, sizeof(m));
	modules[nmodules++] = m;
}

static uint64_t
add_node(uint64_t parent, uint64_t module, uint64_t addr)
{
	nodes = grow(nodes, &node_room, nnodes + 1, sizeof(*nodes));
	nodes[nnodes++] = (struct node){ parent, module, addr };
	return nnodes;
}

static void
add_name(char *name, uint64_t node)
{
	names = grow(names, &name_room, nnames + 1, sizeof(*names));
	names[nnames++] = (struct name){ name, node };
}

static void
do_node(void)
{
	add_name(word(1),
		 add_node(find_node(word(2)), find_module(word(3)), number(4)));
}

static void
do_chain(void)
{
	uint64_t at = 0, module, addr;
	char *colon;
	uint32_t n;
	size_t i;

	for (i = 2; i < nwords; i++) {
		colon = strchr(words[i], ':');
		if (!colon)
			die("MODULE:ADDR expected");
		*colon = '\0';
		module = find_module(words[i]);
		addr = to_number(colon + 1);
		n = hash_intern(&node_hash, at, module, addr,
				(uint32_t)nnodes + 1);
		at = n > nnodes ? add_node(at, module, addr) : n;
	}
	add_name(word(1), at);
}

static struct site *
add_site(uint64_t node)
{
	sites = grow(sites, &site_room, nsites + 1, sizeof(*sites));
	sites[nsites] = (struct site){ .node = node };
	return &sites[nsites++];
}

static void
do_site(void)
{
	static const char classes[] = "smlx";
	struct site *s = add_site(find_node(word(1)));
	const char *c;
	size_t i, k;

	s->reallocs = number(2);
	for (i = 3; i < nwords; i += 5) {
		c = strchr(classes, words[i][0]);
		if (!c || !*c)
			die("no such class");
		for (k = 0; k < 4; k++)
			s->n[c - classes][k] = number(i + 1 + k);
	}
}

static void
add_bin(uint64_t size, uint64_t allocs, uint64_t frees)
{
	size_t i;

	for (i = 0; i < nbins && bins[i].size != size; i++)
		;
	if (i == nbins) {
		bins = grow(bins, &bin_room, nbins + 1, sizeof(*bins));
		bins[nbins++] = (struct bin){ .size = size };
	}
	bins[i].allocs += allocs;
	bins[i].frees += frees;
}

static void
do_alloc(void)
{
	uint64_t node = find_node(word(1)), size = number(2);
	uint64_t allocs = number(3), frees = nwords > 4 ? number(4) : 0, *n;
	size_t i;

	for (i = 0; i < nsites && sites[i].node != node; i++)
		;
	if (i == nsites)
		add_site(node);
	sites[i].reallocs += nwords > 5 ? number(5) : 0;
	n = sites[i].n[size <= MONOUT_SMALL_MAX	   ? MONOUT_SMALL
		       : size <= MONOUT_MEDIUM_MAX ? MONOUT_MEDIUM
		       : size <= MONOUT_LARGE_MAX  ? MONOUT_LARGE
						   : MONOUT_XLARGE];
	n[0] += allocs;
	n[1] += allocs * size;
	n[2] += frees;
	n[3] += frees * size;
	add_bin(size, allocs, frees);
}

static void
do_total(void)
{
	size_t k = key(total_keys, MONOUT_T_MAX, word(1));

	if (!k)
		die("no such key");
	totals[k].left_out = !strcmp(words[0], "no-total");
	if (totals[k].left_out)
		return;
	totals[k].n = number(2);
	totals[k].set = true;
}

static void
do_defect(void)
{
	static const struct {
		const char *name;
		uint32_t tag;
	} kinds[] = {
#define R(name, item, items, ...) { #items, MONOUT_##name },
		MONREC_RECORDS(R)
#undef R
	};
	enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };
	size_t i;

	for (i = 0; i < KINDS && strcmp(kinds[i].name, word(1)); i++)
		;
	if (i == KINDS || ndefects == MOST_DEFECTS)
		die("no such kind of record, or too many defects");
	defects[ndefects++] = (struct defect){ !strcmp(words[0], "drop"),
					       kinds[i].tag, number(2) };
}

static void
do_bin(void)
{
	add_bin(number(1), number(2), number(3));
}

static void
do_switch(void)
{
	const char *s = words[0];

	if (!strcmp(s, "most"))
		most = (uint32_t)number(1);
	else if (!strcmp(s, "flags"))
		header.flags = (uint32_t)number(1);
	else if (!strcmp(s, "major"))
		header.major = (uint16_t)number(1);
	else if (!strcmp(s, "minor"))
		header.minor = (uint16_t)number(1);
	else if (!strcmp(s, "order"))
		header.order = (uint32_t)number(1);
	else if (!strcmp(s, "cut"))
		cut = number(1);
	else if (!strcmp(s, "extra"))
		extra = from_hex(word(1), &extra_length);
	else if (!strcmp(s, "unknown"))
		unknown = true;
	else if (!strcmp(s, "no-totals"))
		no_totals = true;
	else if (!strcmp(s, "bad-header"))
		bad_header = true;
	else
		die("no such directive");
}

/* ---------------------------------------------------------- the reading -- */

static void
do_line(const char *line)
{
	static const struct {
		const char *name;
		void (*act)(void);
	} acts[] = {
		{ "run", do_run },	  { "module", do_module },
		{ "node", do_node },	  { "chain", do_chain },
		{ "alloc", do_alloc },	  { "site", do_site },
		{ "bin", do_bin },	  { "total", do_total },
		{ "no-total", do_total }, { "drop", do_defect },
		{ "bad-crc", do_defect }, { "peak", do_peak },
		{ "life", do_life },	  { "thread", do_thread },
		{ "use", do_use },	  { "group", do_group },
		{ "field", do_field },	  { "mark", do_mark },
		{ "leak", do_leak },	  { "type", do_type },
		{ "cell", do_cell },	  { "vtable", do_vtable },
	};
	size_t i;

	split(line);
	if (!nwords)
		return;
	for (i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		if (!strcmp(acts[i].name, words[0])) {
			acts[i].act();
			return;
		}
	}
	do_switch();
}

int
main(void)
{
	struct emit e = { 0 };
	char *line = NULL;
	size_t room = 0;

	for (line_number = 1; getline(&line, &room, stdin) >= 0; line_number++)
		do_line(line);
	free(line);
	put_file(&e);
	put_cells(&e);
	put_end(&e);
	emit_bytes(&e, extra, extra_length);
	if (e.failed)
		die("out of memory, or an item is too long");
	put_defects(&e);
	fwrite(e.data, 1, cut < e.length ? cut : e.length, stdout);
	if (fclose(stdout))
		die("can't write");
	return 0;
}

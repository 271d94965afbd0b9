/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libFuzzer on programs and their debug information: names, lines, inlined
 * functions, types by size and of calls, exact types, members and holes of
 * types, tables of virtual functions.  The input is an ELF file; or two, a
 * program and its separate debug file, with "\nSPLIT:" and the length of the
 * first in 4 bytes at the end.
 */
#include "reduce/types/calltypes.h"
#include "reduce/binaries/debugfile.h"
#include "reduce/infer/guess.h"
#include "reduce/types/members.h"
#include "reduce/symbols/symbols.h"
#include "reduce/types/types.h"
#include "reduce/types/vtables.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPLIT "\nSPLIT:"
#define TRAILER (sizeof(SPLIT) - 1 + 4)

/* Addresses to look up: in each executable section, and in all. */
#define SECTION_PLACES 24
#define PLACES 96

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
			       unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* The files' names, in memory if there is such a directory. */
static char program[64], debug[64];

static void
clean(void)
{
	unlink(program);
	unlink(debug);
	*strrchr(program, '/') = '\0';
	rmdir(program);
}

static void
begin(void)
{
	char dir[] = "/dev/shm/memmon-elf.XXXXXX", other[] = "/tmp/elf.XXXXXX";
	const char *at = mkdtemp(dir);

	if (!at)
		at = mkdtemp(other);
	if (!at)
		abort();
	snprintf(program, sizeof(program), "%s/prog", at);
	/* The name in the debug link of the inputs in corpus/elf. */
	snprintf(debug, sizeof(debug), "%s/prog.debug", at);
	atexit(clean);
}

static void
put(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

/* Returns the length of the program. */
static size_t
split(const uint8_t *data, size_t *size)
{
	uint32_t n;

	if (*size < TRAILER ||
	    memcmp(data + *size - TRAILER, SPLIT, sizeof(SPLIT) - 1) != 0)
		return *size;
	memcpy(&n, data + *size - 4, 4);
	*size -= TRAILER;
	return n < *size ? n : *size;
}

/* Some addresses in sections that the headers call code. */
static size_t
places(const uint8_t *data, size_t size, uint64_t *to)
{
	Elf64_Ehdr eh;
	Elf64_Shdr sh;
	size_t n = 0, i, k;

	to[n++] = 0;
	to[n++] = UINT64_MAX;
	if (size < sizeof(eh))
		return n;
	memcpy(&eh, data, sizeof(eh));
	to[n++] = eh.e_entry + 1;
	if (eh.e_shoff > size)
		return n;
	for (i = 0; i < eh.e_shnum; i++) {
		if ((size - eh.e_shoff) / sizeof(sh) <= i)
			break;
		memcpy(&sh, data + eh.e_shoff + i * sizeof(sh), sizeof(sh));
		if (!(sh.sh_flags & SHF_EXECINSTR))
			continue;
		for (k = 1; k <= SECTION_PLACES && n < PLACES; k++)
			to[n++] = sh.sh_addr + sh.sh_size / SECTION_PLACES * k;
	}
	return n;
}

static size_t
use(const char *s)
{
	return s ? strlen(s) : 0;
}

/* The types of calls that return to the address. */
static size_t
guess_calls(struct symbols *s, size_t m, uint64_t ra, struct symbols_pool *pool)
{
	static struct symbols_debug at;
	struct guess_call c = { .debug = &at,
				.pool = pool,
				.least = 24,
				.largest = 48,
				.innermost = true };
	struct guess_type t = { 0 };

	symbols_debug(s, m, ra, &at);
	guess_cxx(&c, &t);
	t = (struct guess_type){ 0 };
	return guess_c(&c, &t) == GUESS_FOUND ? use(t.name) : 0;
}

static void
look_up(const uint64_t *place, size_t n)
{
	struct symbols *s = symbols_new(true);
	struct symbols_pool pool = { 0 };
	const struct symbols_frame *f;
	size_t used = 0, m, i, k;
	bool severe;

	m = symbols_add(s, program, NULL, 0);
	for (i = 0; i < n; i++) {
		k = symbols_find(s, m, place[i], &f);
		while (k--)
			used += use(f[k].name) + use(f[k].file) +
				use(f[k].def_file);
		used += guess_calls(s, m, place[i], &pool);
	}
	used += use(symbols_problem(s, m, &severe));
	symbols_pool_fini(&pool);
	symbols_free(s);
	if (used == SIZE_MAX)
		abort();
}

static void
guess_types(void)
{
	static const uint64_t sizes[] = { 8, 16, 24, 32, 48, 4096 };
	struct symbols *s = symbols_new(true);
	struct types *t = types_new(NULL);
	const char *names[8];
	size_t i, n;

	types_add(t, s, symbols_add(s, program, NULL, 0));
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		n = types_find(t, sizes[i], names, 8);
		while (n--) {
			(void)use(names[n]);
			(void)types_size(t, names[n]);
		}
		names[0] = types_only(t, sizes[i]);
		if (names[0])
			(void)use(names[0]);
	}
	types_free(t);
	symbols_free(s);
}

/* The holes of the same types. */
static void
holes(struct members *m, size_t n, struct arena *arena, struct symbols *s,
      size_t module)
{
	struct holes h[8] = { 0 };
	size_t i, k;

	for (i = 0; i < n; i++) {
		m[i].found = false;
		m[i].holes = &h[i];
	}
	members_find(m, n, arena, s, module, NULL);
	for (i = 0; i < n; i++) {
		for (k = 0; k < h[i].n; k++)
			if (h[i].v[k].name)
				(void)(use(h[i].v[k].name) +
				       use(h[i].v[k].type));
	}
}

/* The classes of addresses all over the file. */
static void
vtables(void)
{
	struct mon_module module[2] = { { 0 }, { .path = program } };
	struct mon_vtable v[64];
	struct mon m = { .modules = module, .nmodules = 2, .vtables = v };
	const char *paths[2] = { program, program }, **classes;
	struct exe x = { .paths = paths };
	struct arena arena = { 0 };

	for (; m.nvtables < 64; m.nvtables++)
		v[m.nvtables] = (struct mon_vtable){
			.module = 1, .addr = 0x3000 + 0x88 * m.nvtables
		};
	vtables_find(&classes, &arena, &m, &x);
	while (m.nvtables--)
		if (classes[m.nvtables])
			(void)use(classes[m.nvtables]);
	free(classes);
	arena_fini(&arena);
}

/* The members of the types of calls, and of some types of the seeds. */
static void
exact_types(void)
{
	struct members m[8] = {
		{ .name = "struct node", .size = 24 },
		{ .name = "ns::box<int>", .size = 16 },
		{ .name = "bits", .size = 8 },
	};
	struct symbols *s = symbols_new(true);
	struct symbols_pool pool = { 0 };
	struct calltypes calls = { 0 };
	struct arena arena = { 0 };
	struct debugfile f;
	size_t n = 3, i, module;

	if (debugfile_open(&f, NULL, program, NULL, 0) == ELFFILE_FINE)
		calltypes_read(&calls, &pool, &f);
	debugfile_close(&f);
	for (i = 0; i < calls.n && n < 8; i++) {
		if (calls.v[i].name)
			m[n++] = (struct members){ .name = calls.v[i].name,
						   .size = calls.v[i].size };
	}
	module = symbols_add(s, program, NULL, 0);
	members_find(m, n, &arena, s, module, NULL);
	for (i = 0; i < n; i++) {
		for (size_t k = 0; k < m[i].n; k++)
			(void)(use(m[i].v[k].name) + use(m[i].v[k].type));
	}
	holes(m, n, &arena, s, module);
	calltypes_fini(&calls);
	symbols_pool_fini(&pool);
	arena_fini(&arena);
	symbols_free(s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t place[PLACES];
	size_t first = split(data, &size);

	if (!*program)
		begin();
	put(program, data, first);
	if (first < size)
		put(debug, data + first, size - first);
	look_up(place, places(data, first, place));
	guess_types();
	exact_types();
	vtables();
	if (first < size)
		unlink(debug);
	return 0;
}

/* ------------------------------------------------------------- changing -- */

static uint32_t
below(uint64_t *seed, uint32_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(((*seed >> 33) * n) >> 31);
}

/*
 * Change bytes of one section, or of its header, in place; the rest stays as it
 * was.
 */
static void
change_section(uint8_t *data, size_t size, uint64_t *seed)
{
	static const uint64_t odd[] = { 0,	    1,		0x7f,
					0x80,	    0xff,	0xffff,
					0x7fffffff, 0xffffffff, 1ull << 40,
					1ull << 63, UINT64_MAX };
	Elf64_Ehdr eh;
	Elf64_Shdr sh;
	uint64_t v = odd[below(seed, sizeof(odd) / sizeof(odd[0]))];
	size_t at, n;
	uint32_t i;

	if (size < sizeof(eh))
		return;
	memcpy(&eh, data, sizeof(eh));
	if (!eh.e_shnum || eh.e_shoff > size ||
	    (size - eh.e_shoff) / sizeof(sh) < eh.e_shnum)
		return;
	i = below(seed, eh.e_shnum);
	at = eh.e_shoff + i * sizeof(sh);
	memcpy(&sh, data + at, sizeof(sh));
	if (below(seed, 4) == 0) {
		memcpy(data + at + below(seed, sizeof(sh) / 4) * 4, &v, 4);
		return;
	}
	if (sh.sh_type == SHT_NOBITS || sh.sh_offset > size ||
	    sh.sh_size > size - sh.sh_offset || !sh.sh_size)
		return;
	at = sh.sh_offset + below(seed, (uint32_t)sh.sh_size);
	n = 1u << below(seed, 4);
	if (n > size - at)
		n = 1;
	if (below(seed, 2))
		memcpy(data + at, &v, n);
	else
		data[at] = (uint8_t)(data[at] + below(seed, 17) - 8);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	uint64_t state = seed;
	unsigned turns = 1 + below(&state, 6);

	if (below(&state, 8) == 0)
		return LLVMFuzzerMutate(data, size, most);
	while (turns--)
		change_section(data, size, &state);
	return size;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Print the answer of guess_c() for all calls in the code of a file, without
 * running it:
 *
 *	guessdump FILE [SIZE]
 *
 * SIZE: of the blocks, in bytes; without it, unknown.  A line for each call
 * with debug information: the source line of the innermost function, the answer
 * (unknown, pass, found), the confidence, the type; between tabs.
 */
#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "reduce/infer/guess.h"
#include "reduce/infer/code.h"

static Dwarf *dwarf;
static struct symbols_pool pool;
static uint64_t size;

/* Like symbols_debug(), which refuses programs for other machines. */
static bool
find_debug(Elf *elf, uint64_t ra, struct symbols_debug *p)
{
	Dwarf_Die *scopes, *outer;
	Dwarf_CU *cu = NULL;
	int n, i, inner;

	*p = (struct symbols_debug){ .dwarf = dwarf, .elf = elf, .ra = ra };
	do {
		if (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &p->line,
				    &p->unit) != 0)
			return false;
	} while (dwarf_haspc(&p->line, ra - 1) <= 0);
	if (!p->unit.addr)
		p->unit = p->line;
	inner = dwarf_getscopes(&p->unit, ra - 1, &scopes);
	if (inner <= 0)
		return false;
	n = dwarf_getscopes_die(&scopes[0], &outer);
	for (i = 0; i < n && p->n < SYMBOLS_FUNCTIONS; i++)
		if (dwarf_tag(&outer[i]) == DW_TAG_inlined_subroutine ||
		    dwarf_tag(&outer[i]) == DW_TAG_subprogram)
			p->die[p->n++] = outer[i];
	free(scopes);
	free(outer);
	return p->n > 0;
}

static void
print_call(Elf *elf, uint64_t ra)
{
	static const char *const answers[] = { "unknown", "pass", "found" };
	static const char *const confidences[PROFILE_NCONFIDENCE] = {
		"compiler", "program", "allocator", "new",
		"variable", "return",  "vtable",    "size",
	};
	static struct symbols_debug debug;
	struct guess_type type = { .confidence = PROFILE_NCONFIDENCE };
	struct guess_call c = { .debug = &debug,
				.pool = &pool,
				.least = size,
				.largest = size,
				.innermost = true };
	enum guess_answer answer;
	Dwarf_Line *line;
	int number = 0;

	if (!find_debug(elf, ra, &debug))
		return;
	answer = guess_c(&c, &type);
	line = dwarf_getsrc_die(&debug.line, ra - 1);
	if (line)
		dwarf_lineno(line, &number);
	printf("%d\t%s\t%s\t%s\n", number, answers[answer],
	       type.name ? confidences[type.confidence] : "-",
	       type.name ? type.name : "?");
}

/* All calls in one section of code. */
static void
print_section(Elf *elf, const struct guess_code *c, const GElf_Shdr *sh)
{
	uint64_t pc = sh->sh_addr, end = pc + sh->sh_size;
	const unsigned char *code;
	struct guess_step s;
	size_t n;

	while (pc < end && (code = guess_code_at(c, pc, &n))) {
		if (!guess_step(c->machine, code, n, pc, &s)) {
			pc += c->machine == GUESS_AARCH64 ? 4 : 1;
			continue;
		}
		if (s.op == GUESS_OP_CALL)
			print_call(elf, s.next);
		pc = s.next;
	}
}

int
main(int argc, char **argv)
{
	struct guess_code code;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	Elf *elf;
	int fd;

	elf_version(EV_CURRENT);
	fd = argc > 1 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	if (!elf || !dwarf || !guess_code_init(&code, elf, NULL)) {
		fprintf(stderr, "guessdump: no file whose code is known\n");
		return 2;
	}
	if (argc > 2)
		size = strtoull(argv[2], NULL, 10);
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_PROGBITS &&
		    (sh.sh_flags & SHF_EXECINSTR))
			print_section(elf, &code, &sh);
	guess_code_fini(&code);
	dwarf_end(dwarf);
	elf_end(elf);
	close(fd);
	symbols_pool_fini(&pool);
	return 0;
}

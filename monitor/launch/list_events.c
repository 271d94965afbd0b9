/* SPDX-License-Identifier: MIT */
/*
 * memmon-cc --list-events PROGRAM...: the places of a program that have events
 * for profiling modules, from its section (events.h).  Reads any file; damage
 * is an error.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "monitor/events.h"

struct file {
	const char *name;
	const unsigned char *at;
	size_t size;
};

static const char *const kinds[MEMMON_EVENT_KINDS] = {
	[MEMMON_EVENT_LOAD] = "load",
	[MEMMON_EVENT_STORE] = "store",
	[MEMMON_EVENT_POINTER] = "pointer",
	[MEMMON_EVENT_STACK_ALLOC] = "stack",
	[MEMMON_EVENT_GLOBAL] = "global",
	[MEMMON_EVENT_ENTRY] = "function",
	[MEMMON_EVENT_LOOP] = "loop",
};

static bool
fails(const struct file *f, const char *why)
{
	fprintf(stderr, "memmon-cc: %s: %s\n", f->name, why);
	return false;
}

static bool
has(const struct file *f, uint64_t from, uint64_t size)
{
	return from <= f->size && size <= f->size - from;
}

/* The section, aligned for its lists; NULL: none. */
static const Elf64_Shdr *
find_section(const struct file *f)
{
	const Elf64_Ehdr *e = (const void *)f->at;
	const Elf64_Shdr *all, *names;

	if (f->size < sizeof(*e) || memcmp(e->e_ident, ELFMAG, SELFMAG) != 0 ||
	    e->e_ident[EI_CLASS] != ELFCLASS64 ||
	    e->e_shentsize != sizeof(*all) || e->e_shoff % 8 != 0 ||
	    !has(f, e->e_shoff, (uint64_t)e->e_shnum * sizeof(*all)) ||
	    e->e_shstrndx >= e->e_shnum)
		return NULL;
	all = (const void *)(f->at + e->e_shoff);
	names = &all[e->e_shstrndx];
	if (!has(f, names->sh_offset, names->sh_size))
		return NULL;
	for (unsigned i = 0; i < e->e_shnum; i++) {
		const char *name =
			(const char *)f->at + names->sh_offset + all[i].sh_name;

		if (all[i].sh_name < names->sh_size &&
		    strnlen(name, names->sh_size - all[i].sh_name) <
			    names->sh_size - all[i].sh_name &&
		    strcmp(name, MEMMON_EVENTS_SECTION) == 0 &&
		    all[i].sh_type == SHT_PROGBITS &&
		    all[i].sh_offset % 8 == 0 &&
		    has(f, all[i].sh_offset, all[i].sh_size))
			return &all[i];
	}
	return NULL;
}

static bool
is_sane(const struct memmon_places *l, uint64_t room)
{
	return room >= sizeof(*l) && l->magic == MEMMON_PLACES_MAGIC &&
	       l->size >= sizeof(*l) && l->size <= room && l->size % 8 == 0 &&
	       l->n <= (l->size - sizeof(*l)) / sizeof(struct memmon_place) &&
	       l->strings < l->size &&
	       strnlen((const char *)l + l->size - 8, 8) < 8;
}

static const char *
string(const struct memmon_places *l, uint32_t offset)
{
	return offset < l->size - l->strings
		       ? (const char *)l + l->strings + offset
		       : "?";
}

static void
list_places(const struct memmon_places *l)
{
	const struct memmon_place *all = (const void *)(l + 1);

	for (const struct memmon_place *p = all; p < all + l->n; p++) {
		const char *kind =
			p->kind < MEMMON_EVENT_KINDS ? kinds[p->kind] : NULL;
		const char *function = "-";
		char where[512], size[16] = "-";

		if (p->kind == MEMMON_EVENT_START)
			continue;
		if (p->kind == MEMMON_EVENT_ENTRY)
			function = string(l, p->name);
		else if (p->function < l->n)
			function = string(l, all[p->function].name);
		if (p->size)
			snprintf(size, sizeof(size), "%u", p->size);
		snprintf(where, sizeof(where), "%s:%u:%u#%u",
			 string(l, p->file), p->line, p->column, p->ordinal);
		printf("%-8s  %-24s  %-32s  %8s  %s\n", kind ? kind : "?",
		       function, where, size, string(l, p->name));
	}
}

/* The next list, or the first; NULL: the end, or damage. */
static const struct memmon_places *
next_list(const struct file *f, const struct memmon_places *l)
{
	const Elf64_Shdr *section = find_section(f);
	const unsigned char *from = f->at + section->sh_offset;
	uint64_t at =
		l ? (uint64_t)((const unsigned char *)l - from) + l->size : 0;

	l = (const void *)(from + at);
	return at < section->sh_size && is_sane(l, section->sh_size - at)
		       ? l
		       : NULL;
}

/* The i-th function or loop that events are restricted to; NULL: no more. */
static const struct memmon_place *
restriction(const struct memmon_places *l, uint32_t i)
{
	const struct memmon_place *all = (const void *)(l + 1);

	return i < l->n && all[l->n - 1 - i].kind == MEMMON_EVENT_START
		       ? &all[l->n - 1 - i]
		       : NULL;
}

/* Is it better than the best so far? */
static bool
is_better(const struct memmon_place *p, const struct memmon_place *best)
{
	unsigned is = p->flags & MEMMON_PLACE_FOUND ? 2 : p->file != 0;
	unsigned was = !best				  ? 0
		       : best->flags & MEMMON_PLACE_FOUND ? 2
							  : best->file != 0;

	return is > was;
}

/* Prints an error if nothing matches restriction `name', with the best
 * suggestion of all lists. */
static void
say_restriction(const struct file *f, const char *name)
{
	const struct memmon_place *p, *best = NULL;
	const struct memmon_places *l = NULL, *of = NULL;

	while ((l = next_list(f, l)))
		for (uint32_t i = 0; (p = restriction(l, i)); i++)
			if (!strcmp(string(l, p->name), name) &&
			    is_better(p, best)) {
				best = p;
				of = l;
			}
	if (best && best->flags & MEMMON_PLACE_FOUND)
		return;
	fprintf(stderr, "memmon-cc: %s: %s: no %s has events", f->name, name,
		name[2] == 'l' ? "loop that begins there"
			       : "function of that name");
	if (best && best->line)
		fprintf(stderr, "; did you mean %s:%u?", string(of, best->file),
			best->line);
	else if (best)
		fprintf(stderr, "; did you mean %s?", string(of, best->file));
	fputc('\n', stderr);
}

/* Restrictions that match in no file.  Usually all files of a build have the
 * same. */
static void
say_restrictions(const struct file *f)
{
	const struct memmon_places *l = NULL, *before;
	const struct memmon_place *p, *q;

	while ((l = next_list(f, l)))
		for (uint32_t i = 0; (p = restriction(l, i)); i++) {
			const char *name = string(l, p->name);
			bool is_new = true;

			before = next_list(f, NULL);
			for (; is_new && before && before < l;
			     before = next_list(f, before))
				for (uint32_t k = 0;
				     (q = restriction(before, k)); k++)
					is_new &=
						strcmp(string(before, q->name),
						       name) != 0;
			if (is_new)
				say_restriction(f, name);
		}
}

static bool
list_file(const struct file *f)
{
	const Elf64_Shdr *section = find_section(f);
	const struct memmon_places *l = NULL;
	uint64_t at = 0;

	if (!section)
		return fails(f, "no events; compile the file with --module");
	printf("%-8s  %-24s  %-32s  %8s  %s\n", "kind", "function",
	       "file:line:column#ordinal", "bytes", "what");
	while ((l = next_list(f, l))) {
		list_places(l);
		at += l->size;
	}
	if (at < section->sh_size)
		return fails(f, "the list of events is damaged");
	fflush(stdout);
	say_restrictions(f);
	return true;
}

static bool
list_name(const char *name)
{
	struct file f = { name, NULL, 0 };
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;
	bool ok;

	if (fd < 0 || fstat(fd, &st) != 0) {
		fprintf(stderr, "memmon-cc: %s: %m\n", name);
		if (fd >= 0)
			close(fd);
		return false;
	}
	f.size = (size_t)st.st_size;
	p = mmap(NULL, f.size ? f.size : 1, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return fails(&f, "the file can't be read");
	f.at = p;
	ok = list_file(&f);
	munmap(p, f.size ? f.size : 1);
	return ok;
}

int
main(int argc, char **argv)
{
	int status = 0;

	for (int i = 1; i < argc; i++)
		if (!list_name(argv[i]))
			status = 1;
	if (argc < 2) {
		fputs("memmon-cc: --list-events needs a program\n", stderr);
		status = 1;
	}
	return fflush(stdout) == 0 ? status : 1;
}

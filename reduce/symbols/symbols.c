/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, lines and inlined frames: modules and their looked-up addresses. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/symbols/symbols.h"
#include "reduce/base/guard.h"
#include "reduce/base/names.h"
#include "reduce/binaries/debugfile.h"
#include "reduce/symbols/problem.h"
#include "reduce/symbols/symbols_codes.h"
#include "reduce/symbols/symbols_dwarf.h"
#include "reduce/symbols/symbols_elf.h"
#include "reduce/symbols/symbols_fde.h"
#include "reduce/symbols/symbols_name.h"
#include "reduce/symbols/symbols_plt.h"

/* The longest file name. */
#define LABEL_MAX 255

/* Bytes; every real build-id is shorter. */
#define ID_MAX 256

struct module {
	const char *path;
	const char *label; /* the name in "[label+0x12]" */
	unsigned char *id;
	size_t len;
	const char *gone; /* what happened to the file, for messages; or NULL */
	bool opened;
	bool virtual; /* of the kernel, not a file */
	bool broken;  /* don't use file, elf and dwarf any more */
	size_t same;  /* the module that opened the same file by another name,
		       * plus 1; 0: none */
	struct debugfile file;
	struct symbols_elf elf;
	struct symbols_dwarf dwarf;
	struct symbols_plt plt;
	struct symbols_spans fdes; /* functions, if the file has no symbols */
	bool fdes_loaded;
	struct symbols_codes codes; /* generated functions */
	const char *problem;
	bool severe;
};

/* The frames of one address. */
struct found {
	const struct symbols_frame *frames;
	size_t n;
};

struct symbols {
	const struct searchpath *searchpath;
	struct symbols_names names;
	struct arena arena;
	struct module *modules;
	size_t nmodules;
	size_t modules_room;
	struct hash files; /* device, inode -> module opened */
	struct hash seen;  /* module, address -> index in found */
	struct found *found;
	size_t nfound;
	size_t found_room;
	uint64_t lookups;
	struct symbols_frame scratch[SYMBOLS_DWARF_FRAMES];
};

/* The frame of an address that can't be looked up. */
static const struct symbols_frame no_frame = {
	.name = "[unknown]",
	.file = "",
	.def_file = "",
};

struct symbols *
symbols_new(bool demangle)
{
	struct symbols *s = heap_array(1, sizeof *s);

	s->names.demangle = demangle;
	return s;
}

void
symbols_look(struct symbols *s, const struct searchpath *searchpath)
{
	s->searchpath = searchpath;
}

void
symbols_free(struct symbols *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->nmodules; i++) {
		struct module *m = &s->modules[i];

		symbols_codes_fini(&m->codes);
		if (m->broken)
			continue;
		symbols_dwarf_fini(&m->dwarf);
		symbols_elf_fini(&m->elf);
		symbols_plt_fini(&m->plt);
		symbols_spans_fini(&m->fdes);
		debugfile_close(&m->file);
	}
	symbols_names_fini(&s->names);
	arena_fini(&s->arena);
	hash_fini(&s->files);
	hash_fini(&s->seen);
	free(s->modules);
	free(s->found);
	free(s);
}

/* "linux-vdso.so.1", "[vdso]" and similar names aren't files. */
static bool
is_virtual(const char *path)
{
	return strncmp(path, "linux-vdso.", 11) == 0 ||
	       strncmp(path, "linux-gate.", 11) == 0 || path[0] == '[';
}

static const char *
label_of(struct symbols *s, const struct module *m)
{
	const char *slash = strrchr(m->path, '/');
	const char *last = slash ? slash + 1 : m->path;
	size_t n = LABEL_MAX;

	if (m->virtual && *last != '[')
		last = "vdso";
	else if (m->virtual)
		n = strcspn(++last, "]");
	else if (!*last)
		last = "?";
	return symbols_pool_intern(&s->names.pool, last, strnlen(last, n));
}

size_t
symbols_add(struct symbols *s, const char *path, const unsigned char *build_id,
	    size_t len)
{
	struct module m = { .virtual = is_virtual(path) };

	ARRAY_ROOM(s->modules, s->modules_room, s->nmodules + 1);
	m.path = arena_copy(&s->arena, path, strlen(path));
	m.id = arena_alloc(&s->arena, ID_MAX);
	m.label = label_of(s, &m);
	/* A shortened build-id differs from the file's, as it should. */
	m.len = len < ID_MAX ? len : ID_MAX;
	if (len)
		memcpy(m.id, build_id, m.len);
	s->modules[s->nmodules] = m;
	return s->nmodules++;
}

void
symbols_gone(struct symbols *s, size_t m, const char *what)
{
	s->modules[m].gone = what;
}

void
symbols_add_code(struct symbols *s, size_t m, uint64_t start, uint64_t size,
		 const char *name)
{
	name = symbols_names_show(&s->names, name, strlen(name));
	symbols_codes_add(&s->modules[m].codes, start, size, name);
}

/* The problem with opening the file, as a line of text. */
static const char *
open_problem(struct symbols *s, const struct module *m,
	     enum elffile_state state)
{
	const char *why = m->gone;

	if (!why && state == ELFFILE_MISSING)
		why = arena_print(&s->arena, "can't be opened: %s",
				  strerror(m->file.error));
	return problem_open(&s->arena, state, why, m->codes.n, m->id, m->len);
}

/* The problem of a file that a debug file replaces, as a line of text. */
static const char *
stand_in_problem(struct symbols *s, const struct module *m)
{
	const char *why =
		m->file.itself == ELFFILE_OTHER
			? "has another build-id than the file that ran"
			: "no longer exists";

	return arena_print(&s->arena, "%s; names come from %s", why,
			   m->file.standin);
}

/* What the file lacks, as a line of text, or NULL. */
static const char *
lack(struct symbols *s, struct module *m)
{
	m->severe = !m->elf.n && !m->dwarf.units.n;
	if (m->severe)
		return "has no symbols; install its debug symbols, or link "
		       "without -s";
	if (m->file.standin)
		return stand_in_problem(s, m);
	if (m->elf.dynamic && !m->dwarf.units.n)
		return "stripped: names come from the dynamic symbols only; "
		       "install its debug symbols, or link without -s";
	if (!m->dwarf.units.n)
		return "no debug information: no lines, types or inlined "
		       "functions; compile with -g";
	if (m->file.unlinked)
		return arena_print(&s->arena,
				   "debug information of %zu of its units is "
				   "missing, with types and inlined functions; "
				   "give its .dwo files by --debug-dir=DIR",
				   m->file.unlinked);
	return NULL;
}

/* Did another module open the same file, by another name? */
static bool
symbols_is_same(struct symbols *s, struct module *m)
{
	uint32_t own = (uint32_t)(m - s->modules), i;
	const struct module *first;

	i = hash_intern(&s->files, m->file.dev, m->file.ino, 0, own);
	if (i == own)
		return false;
	first = &s->modules[i];
	debugfile_close(&m->file);
	m->same = i + 1;
	m->problem = first->problem;
	m->severe = first->severe;
	return true;
}

static void
open_slow(struct symbols *s, struct module *m)
{
	enum elffile_state state;

	m->opened = true;
	if (m->virtual)
		return;
	m->severe = true;
	state = debugfile_open(&m->file, s->searchpath, m->path, m->id, m->len);
	if (state != ELFFILE_FINE) {
		m->problem = open_problem(s, m, state);
		return;
	}
	if (symbols_is_same(s, m))
		return;
	symbols_elf_load(&m->elf, m->file.debug, m->file.elf, m->file.mini);
	if (m->file.dwarf)
		symbols_dwarf_load(&m->dwarf, m->file.dwarf, &m->elf, &s->names,
				   m->path);
	m->problem = lack(s, m);
}

/*
 * The function that the symbol belongs to, under the preferred name of its
 * address.  NULL: the symbol is of a clone, and only the debug information
 * knows the whole function; it has already set the entry.
 */
static const struct symbols_symbol *
symbols_function_of(const struct module *m, const struct symbols_symbol *symbol,
		    const struct symbols_frame *frame)
{
	const struct symbols_symbol *whole = symbols_elf_whole(&m->elf, symbol);
	const struct symbols_symbol *liked, *known = NULL;

	if (frame->known)
		known = symbols_elf_at(&m->elf, frame->entry);
	/* Don't take a function of the same name for the whole of a clone. */
	if (known && (symbols_elf_is_clone(whole) ||
		      (whole != symbol && symbols_elf_is_clone(known))))
		return NULL;
	liked = whole == symbol ? NULL : symbols_elf_at(&m->elf, whole->value);
	return liked ? liked : whole;
}

/* The start of a function without a symbol; ra if it isn't known. */
static uint64_t
nameless_entry(struct module *m, uint64_t ra)
{
	const struct symbols_span *s;

	if (!m->fdes_loaded && m->file.elf)
		(void)symbols_fde_load(&m->fdes, m->file.elf);
	m->fdes_loaded = true;
	s = ra ? symbols_spans_find(&m->fdes, ra - 1) : NULL;
	return s ? s->start : ra;
}

/* Set the name and the entry of the physical function's frame. */
static void
name_frame(struct symbols *s, struct module *m, const char *label, uint64_t ra,
	   struct symbols_frame *frame)
{
	const struct symbols_symbol *symbol = NULL, *whole;
	const char *name;

	/* A file's exported names are used only if the file can't be read. */
	if (ra && (m->virtual || !m->file.elf) &&
	    symbols_codes_at(&m->codes, ra - 1, frame))
		return;
	if (ra)
		symbol = symbols_elf_at(&m->elf, ra - 1);
	if (symbol) {
		frame->part = names_is_part(symbol->name, symbol->length);
		whole = symbols_function_of(m, symbol, frame);
		if (whole) {
			frame->entry = whole->value;
			symbol = whole;
		}
		name = symbols_names_show(&s->names, symbol->name,
					  symbol->length);
		frame->name = name ? name : no_frame.name;
		frame->linkage = symbols_names_plain(&s->names, symbol->name,
						     symbol->length);
		frame->known = true;
	} else if (!frame->name) {
		name = ra ? symbols_plt_at(&m->plt, &s->names, m->file.elf,
					   &m->elf.text, ra - 1, &frame->entry)
			  : NULL;
		frame->known = name;
		if (!name) {
			frame->entry = nameless_entry(m, ra);
			name = arena_print(&s->arena, "[%s+0x%" PRIx64 "]",
					   label, frame->entry);
		}
		frame->name = name ? name : no_frame.name;
	}
	symbols_codes_name(&m->codes, frame);
}

/* A lookup of an address. */
struct wanted {
	struct symbols *s;
	struct module *m;
	uint64_t ra;
	size_t n; /* gets the number of frames in s->scratch */
};

/* Begin with one empty frame. */
static void
start_frames(struct wanted *w)
{
	w->s->scratch[0] = no_frame;
	w->s->scratch[0].name = NULL;
	w->n = 1;
}

static int
look_in_file(void *arg)
{
	struct wanted *w = arg;
	struct symbols *s = w->s;
	struct module *m = w->m, *file;
	size_t n = 0;

	if (!m->opened)
		open_slow(s, m);
	file = m->same ? &s->modules[m->same - 1] : m;
	if (file->broken) {
		m->problem = file->problem;
		m->severe = true;
		file = m;
	}
	if (file->dwarf.units.n && w->ra)
		n = symbols_dwarf_find(&file->dwarf, w->ra - 1, s->scratch);
	if (n)
		w->n = n;
	else
		start_frames(w);
	name_frame(s, file, m->label, w->ra, &s->scratch[w->n - 1]);
	return 0;
}

/* Stop reading the file; this includes its other names. */
static void
give_up(struct symbols *s, struct module *m)
{
	struct module *file = m->same ? &s->modules[m->same - 1] : m;

	file->broken = m->broken = true;
	file->severe = m->severe = true;
	file->problem = m->problem = GUARD_PROBLEM;
}

/* Look the address up; frames go to s->scratch.  Returns their number. */
static size_t
look_up(struct symbols *s, struct module *m, uint64_t ra)
{
	struct module nothing = { 0 };
	struct wanted w = { s, m, ra, 1 };

	if (!m->broken && guard_run(m->path, look_in_file, &w) == GUARD_FAULT)
		give_up(s, m);
	if (m->broken) {
		start_frames(&w);
		name_frame(s, &nothing, m->label, ra, s->scratch);
	}
	return w.n;
}

size_t
symbols_find(struct symbols *s, size_t m, uint64_t ra,
	     const struct symbols_frame **frames)
{
	struct symbols_frame *copy;
	uint32_t i;
	size_t n;

	*frames = &no_frame;
	if (m >= s->nmodules || s->nfound >= HASH_NONE)
		return 1;
	ARRAY_ROOM(s->found, s->found_room, s->nfound + 1);
	i = hash_intern(&s->seen, m, ra, 0, (uint32_t)s->nfound);
	if (i == s->nfound) {
		s->found[s->nfound++] = (struct found){ &no_frame, 1 };
		n = look_up(s, &s->modules[m], ra);
		s->lookups++;
		copy = arena_array(&s->arena, n, sizeof *copy);
		memcpy(copy, s->scratch, n * sizeof *copy);
		s->found[i] = (struct found){ copy, n };
	}
	*frames = s->found[i].frames;
	return s->found[i].n;
}

/* The module that has opened the file; NULL: it can't be read. */
static struct module *
symbols_module_of(struct symbols *s, size_t i)
{
	struct module *m = i < s->nmodules ? &s->modules[i] : NULL;

	if (m && !m->opened)
		open_slow(s, m);
	if (m && m->same)
		m = &s->modules[m->same - 1];
	return m && !m->broken ? m : NULL;
}

const struct debugfile *
symbols_file(struct symbols *s, size_t m)
{
	const struct module *it = symbols_module_of(s, m);

	return it && it->file.elf ? &it->file : NULL;
}

bool
symbols_debug(struct symbols *s, size_t i, uint64_t ra, struct symbols_debug *p)
{
	struct module *m = symbols_module_of(s, i);
	struct symbols_unit *unit;

	p->n = 0;
	p->ra = ra;
	if (!m || !m->dwarf.units.n || !ra)
		return false;
	unit = symbols_units_at(&m->dwarf.units, ra - 1);
	if (!unit)
		return false;
	p->dwarf = m->file.dwarf;
	p->elf = m->file.elf;
	p->table = &m->elf;
	p->units = &m->dwarf.units;
	p->unit = unit->code;
	p->line = unit->die;
	p->n = symbols_unit_scopes(unit, ra - 1, p->die, SYMBOLS_FUNCTIONS);
	return p->n > 0;
}

bool
symbols_is(const struct symbols *s, size_t i, const char *path,
	   const unsigned char *id, size_t len)
{
	const struct module *m = &s->modules[i];

	return i < s->nmodules && strcmp(m->path, path) == 0 &&
	       m->len == (len < ID_MAX ? len : ID_MAX) &&
	       (!len || memcmp(m->id, id, m->len) == 0);
}

const char *
symbols_path(const struct symbols *s, size_t m)
{
	return m < s->nmodules ? s->modules[m].path : "";
}

void
symbols_give_up(struct symbols *s, size_t m)
{
	if (m < s->nmodules)
		give_up(s, &s->modules[m]);
}

void
symbols_cost(const struct symbols *s, struct symbols_cost *cost)
{
	const struct symbols_units *u;

	*cost = (struct symbols_cost){ .lookups = s->lookups };
	for (size_t i = 0; i < s->nmodules; i++) {
		u = &s->modules[i].dwarf.units;
		cost->units += u->n;
		cost->walks += u->walks;
		cost->entries += u->scan.seen;
	}
}

const char *
symbols_problem(struct symbols *s, size_t m, bool *severe)
{
	const char *problem = m < s->nmodules ? s->modules[m].problem : NULL;

	*severe = problem && s->modules[m].severe;
	return problem;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbol tables of ELF files. */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/symbols/symbols_elf.h"
#include "reduce/base/names.h"
#include "reduce/elf/elffile.h"
#include "reduce/base/sort.h"

/* Names with more functions than this aren't resolved, to save time. */
#define NAMESAKES 1000

/* More endings than any compiler appends to a name. */
#define ENDINGS 16

static int
name_order(const struct symbols_symbol *s, const char *name, size_t length)
{
	int c = memcmp(s->name, name, s->length < length ? s->length : length);

	return c ? c : s->length < length ? -1 : s->length > length;
}

static int
symbols_elf_by_name(const void *a, const void *b)
{
	const struct symbols_symbol *x = a, *y = b;
	int c = name_order(x, y->name, y->length);

	if (c)
		return c;
	SORT_KEYS(SORT_UP(value) SORT_UP(group) SORT_UP(bind))
}

/* "__strdup" but not "_Z3foov" nor "_RNv..", whose underscore is mangling. */
static bool
is_underscored(const struct symbols_symbol *s)
{
	return s->name[0] == '_' && s->name[1] != 'Z' && s->name[1] != 'R';
}

/* If an address has several names, the best known comes first. */
static int
by_liking(const void *a, const void *b)
{
	const struct symbols_symbol *x = *(struct symbols_symbol *const *)a;
	const struct symbols_symbol *y = *(struct symbols_symbol *const *)b;
	int c;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	c = (x->type == STT_NOTYPE) - (y->type == STT_NOTYPE);
	/* At its address is the function that chooses the function. */
	if (!c)
		c = (x->type == STT_GNU_IFUNC) - (y->type == STT_GNU_IFUNC);
	if (!c)
		c = (x->bind == STB_LOCAL) - (y->bind == STB_LOCAL);
	/* Checked before weakness: in the C library, strdup is weak and
	 * __strdup isn't. */
	if (!c)
		c = is_underscored(x) - is_underscored(y);
	if (!c)
		c = (x->bind == STB_WEAK) - (y->bind == STB_WEAK);
	if (!c && x->length != y->length)
		c = x->length < y->length ? -1 : 1;
	if (!c)
		c = symbols_elf_by_name(x, y);
	return c;
}

static void
text_load(struct symbols_elf *t, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		struct symbols_span span = { 0 };

		if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_ALLOC) ||
		    !(sh.sh_flags & SHF_EXECINSTR) ||
		    sh.sh_size > UINT64_MAX - sh.sh_addr)
			continue;
		span.start = sh.sh_addr;
		span.end = sh.sh_addr + sh.sh_size;
		span.item = (uint32_t)elf_ndxscn(scn);
		symbols_spans_add(&t->text, span);
	}
	symbols_spans_flatten(&t->text);
}

/* Assemblers' labels and marks for disassemblers aren't functions. */
static bool
symbols_elf_is_function(const GElf_Sym *sym, const char *name)
{
	int type = GELF_ST_TYPE(sym->st_info);

	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS ||
	    sym->st_shndx == SHN_COMMON)
		return false;
	if (!*name || *name == '@')
		return false;
	if (type == STT_NOTYPE)
		return *name != '$' && strncmp(name, ".L", 2) != 0;
	return type == STT_FUNC || type == STT_GNU_IFUNC;
}

static void
symbol_add(struct symbols_elf *t, const GElf_Sym *sym, const char *name,
	   uint32_t group)
{
	struct symbols_symbol s = {
		.value = sym->st_value,
		.size = sym->st_size,
		.name = name,
		.bind = GELF_ST_BIND(sym->st_info),
		.type = GELF_ST_TYPE(sym->st_info),
	};
	size_t n = strcspn(name, "@");

	if (n > UINT32_MAX || t->n >= UINT32_MAX ||
	    !symbols_spans_find(&t->text, s.value))
		return;
	s.length = (uint32_t)n;
	if (s.bind == STB_LOCAL)
		s.group = group;
	ARRAY_ROOM(t->v, t->room, t->n + 1);
	t->v[t->n++] = s;
}

/* Where to put the symbols of a table. */
struct table {
	struct symbols_elf *to;
	uint32_t group, files;
};

static int
table_symbol(void *arg, const GElf_Sym *sym, const char *name)
{
	struct table *t = arg;

	/*
	 * Local symbols follow the symbol of their source file.  Global ones
	 * that the linker made local follow a file symbol without a name.
	 */
	if (GELF_ST_TYPE(sym->st_info) == STT_FILE) {
		t->files++;
		t->group = *name ? t->files : 0;
	}
	if (symbols_elf_is_function(sym, name))
		symbol_add(t->to, sym, name, t->group);
	return 0;
}

/* Add all functions of the section of this type, SHT_SYMTAB or _DYNSYM. */
static int
table_load(struct symbols_elf *t, Elf *elf, unsigned type)
{
	struct table in = { .to = t };

	return elffile_symbols(elf, type, table_symbol, &in);
}

/*
 * The end of a symbol; liked[] is sorted by address.  0: its start.  A symbol
 * without a size ends at the next symbol, but only a full table has all
 * symbols.
 */
static uint64_t
symbols_elf_end_of(const struct symbols_elf *t,
		   struct symbols_symbol *const *liked, size_t i)
{
	const struct symbols_symbol *s = liked[i];
	const struct symbols_span *text =
		symbols_spans_find(&t->text, s->value);

	if (s->size)
		return s->size < text->end - s->value ? s->value + s->size
						      : text->end;
	if (t->dynamic)
		return 0;
	while (i < t->n && liked[i]->value == s->value)
		i++;
	if (i < t->n && liked[i]->value < text->end)
		return liked[i]->value;
	return text->end;
}

static void
spans_load(struct symbols_elf *t)
{
	struct symbols_symbol **liked;
	size_t i;

	if (!t->n)
		return;
	liked = heap_new(t->n * sizeof *liked);
	for (i = 0; i < t->n; i++)
		liked[i] = &t->v[i];
	SORT(liked, t->n, by_liking);
	for (i = 0; i < t->n; i++) {
		struct symbols_span span = {
			.start = liked[i]->value,
			.end = symbols_elf_end_of(t, liked, i),
			.rank = (uint32_t)(t->n - i),
			.item = (uint32_t)(liked[i] - t->v),
		};

		symbols_spans_add(liked[i]->size ? &t->sized : &t->sizeless,
				  span);
	}
	free(liked);
	symbols_spans_flatten(&t->sized);
	symbols_spans_flatten(&t->sizeless);
}

int
symbols_elf_load(struct symbols_elf *t, Elf *debug, Elf *elf, Elf *mini)
{
	text_load(t, elf);
	if (debug && table_load(t, debug, SHT_SYMTAB) < 0)
		return -1;
	if (!t->n && table_load(t, elf, SHT_SYMTAB) < 0)
		return -1;
	if (!t->n) {
		if (mini && table_load(t, mini, SHT_SYMTAB) < 0)
			return -1;
		t->dynamic = !t->n;
		if (table_load(t, elf, SHT_DYNSYM) < 0)
			return -1;
	}
	SORT(t->v, t->n, symbols_elf_by_name);
	spans_load(t);
	return 0;
}

void
symbols_elf_fini(struct symbols_elf *t)
{
	free(t->v);
	symbols_spans_fini(&t->text);
	symbols_spans_fini(&t->sized);
	symbols_spans_fini(&t->sizeless);
	*t = (struct symbols_elf){ 0 };
}

const struct symbols_symbol *
symbols_elf_at(const struct symbols_elf *t, uint64_t addr)
{
	const struct symbols_span *s = symbols_spans_find(&t->sized, addr);

	if (!s)
		s = symbols_spans_find(&t->sizeless, addr);
	return s ? &t->v[s->item] : NULL;
}

/* The index of the first name in v that isn't below the given one. */
static size_t
first_named(const struct symbols_elf *t, const char *name, size_t length)
{
	return SORT_PLACE(i, t->n, name_order(&t->v[i], name, length) < 0);
}

/* The best match so far, and whether another one is as good. */
struct best {
	const struct symbols_symbol *s;
	bool unclear;
};

static void
best_add(struct best *b, const struct symbols_symbol *s)
{
	if (!b->s)
		b->s = s;
	else if (b->s->value != s->value)
		b->unclear = true;
}

const struct symbols_symbol *
symbols_elf_named(const struct symbols_elf *t, const char *name, size_t length,
		  uint32_t group)
{
	struct best global = { 0 }, local = { 0 }, all = { 0 };
	size_t first = first_named(t, name, length), i;

	for (i = first; i < t->n; i++) {
		const struct symbols_symbol *s = &t->v[i];

		if (s->length != length || memcmp(s->name, name, length) != 0)
			break;
		if (i - first == NAMESAKES)
			return NULL;
		/* Leave out local functions of other files. */
		if (!group || !s->group)
			best_add(&all, s);
		if (s->bind != STB_LOCAL)
			best_add(&global, s);
		else if (group && s->group == group)
			best_add(&local, s);
		if (global.unclear && local.unclear)
			break;
	}
	/* A local function hides a global one with the same name. */
	if (local.s)
		return local.unclear ? NULL : local.s;
	if (global.s)
		return global.unclear ? NULL : global.s;
	return all.unclear ? NULL : all.s;
}

bool
symbols_elf_is_clone(const struct symbols_symbol *s)
{
	enum names_ending ending;

	(void)names_peel(s->name, s->length, &ending);
	return ending == NAMES_COPY || ending == NAMES_PART;
}

const struct symbols_symbol *
symbols_elf_whole(const struct symbols_elf *t, const struct symbols_symbol *s)
{
	const struct symbols_symbol *whole = s, *found;
	enum names_ending ending;
	size_t length = s->length;
	int i;

	for (i = 0; i < ENDINGS; i++) {
		length = names_peel(s->name, length, &ending);
		if (ending == NAMES_WHOLE || ending == NAMES_RENAMED)
			break;
		found = symbols_elf_named(t, s->name, length, s->group);
		if (found)
			whole = found;
	}
	return whole;
}

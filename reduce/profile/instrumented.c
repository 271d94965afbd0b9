/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modules with recorded accesses, and sites in other modules. */
#include "reduce/profile/instrumented.h"
#include "reduce/base/hash.h"
#include "reduce/base/str.h"
#include "reduce/estimate/use.h"
#include "reduce/dwarf/uninstrumented.h"
#include "reduce/binaries/debugfile.h"
#include "reduce/binaries/modules.h"
#include "reduce/symbols/wrappers.h"
#include "reduce/model/warn.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Instrumented code refers to this symbol, with any version at its end. */
static const char mark[] = "__link_with_lmemmon_access_";

/* And to this one, if it calls a function at each access. */
static const char calls[] = "__tsan_init";

/* INSTRUMENTED_PART: it may have accesses that make no call. */
enum instrumented_state {
	INSTRUMENTED_UNKNOWN,
	INSTRUMENTED_YES,
	INSTRUMENTED_NO,
	INSTRUMENTED_PART
};

/* Does the name begin with the string `start'? */
static int
instrumented_symbol(void *start, const GElf_Sym *sym, const char *name)
{
	(void)sym;
	return !strncmp(name, start, strlen(start));
}

/* Does the name of one of the file's dynamic symbols? */
static bool
instrumented_refers(Elf *elf, const char *start)
{
	return elffile_symbols(elf, SHT_DYNSYM, instrumented_symbol,
			       (void *)start);
}

static int
instrumented_read(struct debugfile *f, void *arg)
{
	(void)arg;
	if (f->standin)
		return INSTRUMENTED_YES;
	if (!instrumented_refers(f->elf, mark))
		return INSTRUMENTED_NO;
	return instrumented_refers(f->elf, calls) && uninstrumented_any(f)
		       ? INSTRUMENTED_PART
		       : INSTRUMENTED_YES;
}

/* The key for a module's name without directories. */
static uint64_t
instrumented_key(const char *name)
{
	return hash_bytes(HASH_BYTES, name, strlen(name));
}

/* Fill h: name -> the first module of that name. */
static void
instrumented_names(struct hash *h, const struct mon *m, const struct exe *x)
{
	const char *path, *slash;
	uint32_t i;

	for (i = 1; i < m->nmodules; i++) {
		path = x->paths[i];
		slash = path ? strrchr(path, '/') : NULL;
		if (slash)
			hash_intern(h, instrumented_key(slash + 1), 0, 0, i);
	}
}

/* The module with this name without directories; 0: none. */
static uint32_t
instrumented_module(const struct hash *h, const struct exe *x, const char *name)
{
	uint32_t i = hash_find(h, instrumented_key(name), 0, 0);

	return i != HASH_NONE && !strcmp(str_basename(x->paths[i]), name) ? i
									  : 0;
}

/*
 * The function that allocated, without the wrappers of the built-in list.  This
 * doesn't depend on the wrappers that are shown.
 */
static const struct func *
instrumented_leaf(const struct frame *f)
{
	static const struct wrappers builtin;

	while (f->parent && f->func->name &&
	       wrappers_match(&builtin, f->func->name,
			      modules_is_libc(f->func->module)))
		f = f->parent;
	return f->func;
}

static enum instrumented_state
instrumented_state(enum instrumented_state *state, uint32_t module,
		   const struct mon *m, const struct exe *x)
{
	int found;

	if (state[module] == INSTRUMENTED_UNKNOWN) {
		found = exe_read(x, m, module, instrumented_read, NULL);
		/* If the file can't be read, assume that it is instrumented. */
		state[module] = found > 0 ? (enum instrumented_state)found
					  : INSTRUMENTED_YES;
	}
	return state[module];
}

/* Sites of modules without recorded code get no uses. */
static void
instrumented_sites(struct profile *p, const struct mon *m, const struct exe *x,
		   const struct hash *names, enum instrumented_state *state,
		   struct use *uses)
{
	const struct site *s;
	uint32_t module;

	for (size_t i = 0; i < m->nsites; i++) {
		s = &p->sites[p->priv->site_of[i]];
		if (!uses[i].blocks || !s->leaf)
			continue;
		module =
			instrumented_module(names, x,
					    instrumented_leaf(s->leaf)->module);
		if (!module ||
		    instrumented_state(state, module, m, x) != INSTRUMENTED_NO)
			continue;
		p->unobserved.sites++;
		p->unobserved.blocks += uses[i].blocks;
		p->unobserved.bytes += uses[i].bytes;
		uses[i] = (struct use){ 0 };
	}
}

static const char part[] =
	"clang reports no accesses to long double, vectors of more than 16 "
	"bytes and some bit-fields: scores are unknown";

/* If some accesses of a module may be unknown, they may be to any block. */
static void
instrumented_partly(struct profile *p, const struct mon *m, const struct exe *x,
		    enum instrumented_state *state, struct use *uses)
{
	bool any = false;

	for (uint32_t i = 1; i < m->nmodules; i++) {
		/* Modules without a path have no file. */
		if (!x->paths[i] ||
		    (*m->modules[i].path != '/' &&
		     x->paths[i] == m->modules[i].path) ||
		    instrumented_state(state, i, m, x) != INSTRUMENTED_PART)
			continue;
		any = true;
		profile_warn(p, x->paths[i], "%s", part);
	}
	for (size_t i = 0; any && i < m->nsites; i++)
		use_hand_all(&uses[i]);
}

void
instrumented_uses(struct profile *p, const struct mon *m, const struct exe *x,
		  struct use *uses)
{
	enum instrumented_state *state;
	struct hash names = { 0 };

	if (!uses)
		return;
	state = heap_array(m->nmodules + 1, sizeof(*state));
	instrumented_names(&names, m, x);
	if (p->way != MONOUT_W_PLUGIN)
		instrumented_partly(p, m, x, state, uses);
	instrumented_sites(p, m, x, &names, state, uses);
	hash_fini(&names);
	free(state);
}

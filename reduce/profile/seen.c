/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose accesses are seen. */
#include "reduce/profile/seen.h"
#include "reduce/base/hash.h"
#include "reduce/base/str.h"
#include "reduce/counts/use.h"
#include "reduce/dies/callgaps.h"
#include "reduce/objects/debugfile.h"
#include "reduce/objects/modules.h"
#include "reduce/symbols/symbols_pool.h"
#include "reduce/symbols/wrappers.h"
#include "reduce/model/warn.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* All code whose accesses are recorded refers to this, whatever its version. */
static const char mark[] = "__link_with_lmemmon_access_";

/* And to this, where it calls a function at each. */
static const char calls[] = "__tsan_init";

/* SEEN_PART: what its calls leave out may be in it, too. */
enum seen_state { SEEN_UNKNOWN, SEEN_YES, SEEN_NO, SEEN_PART };

/* Does it begin so? */
static int
seen_symbol(void *start, const GElf_Sym *sym, const char *name)
{
	(void)sym;
	return !strncmp(name, start, strlen(start));
}

/* Does one of the file's dynamic symbols? */
static bool
seen_refers(Elf *elf, const char *start)
{
	return elffile_symbols(elf, SHT_DYNSYM, seen_symbol, (void *)start);
}

static int
seen_read(struct debugfile *f, void *arg)
{
	(void)arg;
	if (f->standin)
		return SEEN_YES;
	if (!seen_refers(f->elf, mark))
		return SEEN_NO;
	return seen_refers(f->elf, calls) && callgaps_any(f) ? SEEN_PART
							     : SEEN_YES;
}

/* What a module's name without directories is known by. */
static uint64_t
seen_key(const char *name)
{
	return symbols_hash(SYMBOLS_HASH, name, strlen(name));
}

/* Fill h: name -> the first module of that name.  0 or -1. */
static int
seen_names(struct hash *h, const struct mon *m, const struct exe *x)
{
	const char *path, *slash;
	uint32_t i;

	for (i = 1; i < m->nmodules; i++) {
		path = x->paths[i];
		slash = path ? strrchr(path, '/') : NULL;
		if (slash &&
		    hash_intern(h, seen_key(slash + 1), 0, 0, i) == HASH_NONE)
			return -1;
	}
	return 0;
}

/* The module of a name without directories; 0 if there is none. */
static uint32_t
seen_module(const struct hash *h, const struct exe *x, const char *name)
{
	uint32_t i = hash_find(h, seen_key(name), 0, 0);

	return i != HASH_NONE && !strcmp(str_basename(x->paths[i]), name) ? i
									  : 0;
}

/*
 * The function that allocated for itself: without the wrappers of the built-in
 * list, whichever are to be shown.
 */
static const struct func *
seen_leaf(const struct frame *f)
{
	static const struct wrappers builtin;

	while (f->parent && f->func->name &&
	       wrappers_match(&builtin, f->func->name,
			      modules_is_libc(f->func->module)))
		f = f->parent;
	return f->func;
}

static enum seen_state
seen_state(enum seen_state *state, uint32_t module, const struct mon *m,
	   const struct exe *x)
{
	int seen;

	if (state[module] == SEEN_UNKNOWN) {
		seen = exe_read(x, m, module, seen_read, NULL);
		/* Of a file that can't be read it isn't known. */
		state[module] = seen > 0 ? (enum seen_state)seen : SEEN_YES;
	}
	return state[module];
}

/* Sites of modules without recorded code have no uses. */
static void
seen_sites(struct profile *p, const struct mon *m, const struct exe *x,
	   const struct hash *names, enum seen_state *state, struct use *uses)
{
	const struct site *s;
	uint32_t module;

	for (size_t i = 0; i < m->nsites; i++) {
		s = &p->sites[p->priv->site_of[i]];
		if (!uses[i].blocks || !s->leaf)
			continue;
		module = seen_module(names, x, seen_leaf(s->leaf)->module);
		if (!module || seen_state(state, module, m, x) != SEEN_NO)
			continue;
		p->unobserved.sites++;
		p->unobserved.blocks += uses[i].blocks;
		p->unobserved.bytes += uses[i].bytes;
		uses[i] = (struct use){ 0 };
	}
}

static const char part[] = "compiled by clang, which tells of no access to "
			   "long double, to vectors "
			   "of more than 16 bytes and to some bit-fields, all "
			   "of which it may have: "
			   "how blocks are used isn't known";

/* Where a module's accesses may be known in part only, no block's all are. */
static int
seen_partly(struct profile *p, const struct mon *m, const struct exe *x,
	    enum seen_state *state, struct use *uses)
{
	bool any = false;

	for (uint32_t i = 1; i < m->nmodules; i++) {
		/* No file was recorded for those that aren't paths. */
		if (!x->paths[i] ||
		    (*m->modules[i].path != '/' &&
		     x->paths[i] == m->modules[i].path) ||
		    seen_state(state, i, m, x) != SEEN_PART)
			continue;
		any = true;
		if (profile_warn(p, x->paths[i], part))
			return -1;
	}
	for (size_t i = 0; any && i < m->nsites; i++)
		use_hand_all(&uses[i]);
	return 0;
}

int
seen_only(struct profile *p, const struct mon *m, const struct exe *x,
	  struct use *uses)
{
	enum seen_state *state;
	struct hash names = { 0 };
	int status;

	if (!uses)
		return 0;
	state = calloc(m->nmodules + 1, sizeof(*state));
	status = state ? seen_names(&names, m, x) : -1;
	if (!status && p->way != MONOUT_W_PLUGIN)
		status = seen_partly(p, m, x, state, uses);
	if (!status)
		seen_sites(p, m, x, &names, state, uses);
	hash_fini(&names);
	free(state);
	return status;
}

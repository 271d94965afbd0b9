/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose accesses are seen. */
#include "reduce/seen.h"
#include "reduce/debugfile.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* All code whose accesses are recorded refers to this, whatever its version. */
static const char mark[] = "__link_with_lmemmon_access_";

enum seen_state { SEEN_UNKNOWN, SEEN_YES, SEEN_NO };

/* Does a table of dynamic symbols have the mark? */
static bool
seen_symbols(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const char *name;
	GElf_Sym sym;
	size_t n = data && sh->sh_entsize ? data->d_size / sh->sh_entsize : 0;

	for (size_t i = 0; i < n; i++) {
		if (!gelf_getsym(data, (int)i, &sym))
			return false;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (name && !strncmp(name, mark, sizeof(mark) - 1))
			return true;
	}
	return false;
}

static enum seen_state
seen_file(const char *path, const struct mon_module *o)
{
	enum seen_state state = SEEN_YES;
	struct debugfile f;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	if (debugfile_open(&f, path, o->id, o->idlen) == DEBUGFILE_FINE) {
		state = SEEN_NO;
		while (state == SEEN_NO && (scn = elf_nextscn(f.elf, scn)))
			if (gelf_getshdr(scn, &sh) &&
			    sh.sh_type == SHT_DYNSYM &&
			    seen_symbols(f.elf, scn, &sh))
				state = SEEN_YES;
	}
	debugfile_close(&f);
	return state;
}

/* The module of a name without directories; 0: there is none. */
static uint32_t
seen_module(const struct mon *m, const struct exe *x, const char *name)
{
	const char *path, *slash;
	uint32_t i;

	for (i = 1; i < m->nmodules; i++) {
		path = x->paths[i];
		slash = path ? strrchr(path, '/') : NULL;
		if (slash && !strcmp(slash + 1, name))
			return i;
	}
	return 0;
}

int
seen_only(struct profile *p, const struct mon *m, const struct exe *x,
	  struct use *uses)
{
	enum seen_state *state;
	const struct site *s;
	uint32_t module;
	size_t i;

	if (!uses)
		return 0;
	state = calloc(m->nmodules + 1, sizeof(*state));
	if (!state)
		return -1;
	for (i = 0; i < m->nsites; i++) {
		s = &p->sites[p->priv->site_of[i]];
		if (!uses[i].blocks || !s->tip)
			continue;
		module = seen_module(m, x, s->tip->func->module);
		if (!module)
			continue;
		if (state[module] == SEEN_UNKNOWN)
			state[module] = seen_file(x->paths[module],
						  &m->modules[module]);
		if (state[module] == SEEN_YES)
			continue;
		p->foreign.sites++;
		p->foreign.blocks += uses[i].blocks;
		p->foreign.bytes += uses[i].bytes;
		uses[i] = (struct use){ 0 };
	}
	free(state);
	return 0;
}

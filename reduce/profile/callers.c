/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of profiling modules, with names for code addresses. */
#include "reduce/profile/parts.h"
#include "reduce/profile/callers_names.h"
#include "reduce/profile/data_files.h"
#include "reduce/model/stages.h"
#include "reduce/model/warn.h"
#include "reduce/base/str.h"
#include "reduce/module_results/findings.h"
#include "reduce/symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

static bool
callers_is_new(const char *name)
{
	return str_starts(name, "operator new") || str_starts(name, "_Znw") ||
	       str_starts(name, "_Zna");
}

/*
 * "file:line (function)" of a return address, or "(function in another:line)"
 * if the function is inlined there.
 */
static const char *
callers_name_of(struct profile *p, const struct mon *m, uint64_t code)
{
	const struct symbols_frame *f;
	const char *slash;
	size_t n;

	for (size_t i = 1; i < m->nmodules; i++) {
		const struct mon_module *o = &m->modules[i];

		if (code < o->start || code >= o->end)
			continue;
		n = symbols_find(p->priv->symbols, i - 1, code - o->bias, &f);
		/* The program's own operator new may be inlined in its
		 * caller. */
		for (; n > 1 && callers_is_new(f->name); n--)
			f++;
		if (!*f->file)
			return f->name;
		slash = strrchr(f->file, '/');
		slash = slash ? slash + 1 : f->file;
		return n > 1 ? arena_print(&p->priv->arena,
					   "%s:%u (%s in %s:%u)", slash,
					   f->line, f->name, f[n - 1].name,
					   f[n - 1].line)
			     : arena_print(&p->priv->arena, "%s:%u (%s)", slash,
					   f->line, f->name);
	}
	return arena_print(&p->priv->arena, "0x%llx", (unsigned long long)code);
}

const char **
profile_findings(struct arena *a, const char *path)
{
	return findings_list(a, path);
}

/* Are the results from another run? */
static bool
is_of_other(const struct findings *r, const struct run *run)
{
	return (run->pid && r->pid != run->pid) ||
	       (run->start && r->start && r->start != run->start);
}

/* 0; -1 with *e set; 1 with *e set: the results are from another run. */
static int
read_one(struct profile *p, const struct mon *m, const char *module,
	 bool demangle, struct err *e)
{
	struct findings *r = &p->findings[p->nfindings++];

	if (findings_read(r, &p->priv->arena, p->runs[0].path, module, e))
		return -1;
	if (is_of_other(r, &p->runs[0])) {
		err_set(e,
			"%s: the results of module %s are from another run and "
			"are left out",
			r->path, r->module);
		return 1;
	}
	for (size_t i = 0; i < r->nplaces; i++) {
		if (!r->place[i].code)
			continue;
		r->place[i].text = callers_name_of(p, m, r->place[i].code);
	}
	if (demangle)
		callers_names(r, &p->priv->arena);
	findings_place(r);
	if (r->lost)
		profile_warn(p, r->path,
			     "events are missing: %llu words, the first "
			     "after %.3f s; the tables lack these events",
			     (unsigned long long)r->lost,
			     (double)r->lost_at / 1e9);
	return 0;
}

int
callers_make(struct profile *p, const struct mon *m,
	     const struct profile_options *o, struct err *e)
{
	const char **all = NULL;
	size_t n = o->findings.n;
	int status = 0;

	if (p->nruns != 1 && n)
		return err_set(e, "results of modules belong to one run; give "
				  "one data file");
	if (p->nruns != 1)
		return 0;
	if (o->all_findings && !n) {
		all = findings_list(&p->priv->arena, p->runs[0].path);
		while (all && all[n])
			n++;
	}
	p->findings = heap_array(n + 1, sizeof(*p->findings));
	for (size_t i = 0; i < n && !status; i++) {
		status = read_one(p, m, all ? all[i] : o->findings.item[i],
				  !o->mangled, e);
		/* Results that the user didn't name may be damaged. */
		if (status && (all || (status > 0 && n > 1))) {
			findings_fini(&p->findings[--p->nfindings]);
			profile_warn(p, NULL, "%s", e->text);
			status = 0;
		}
	}
	free(all);
	return status ? -1 : 0;
}

void
callers_fini(struct profile *p)
{
	for (size_t i = 0; i < p->nfindings; i++)
		findings_fini(&p->findings[i]);
	free(p->findings);
	p->findings = NULL;
	p->nfindings = 0;
}

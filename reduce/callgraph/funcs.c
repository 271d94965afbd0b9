/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of a profile while its call paths are built. */
#include "reduce/callgraph/funcs.h"
#include "reduce/base/names.h"
#include "reduce/base/clean.h"
#include "reduce/base/str.h"
#include "reduce/callgraph/filter.h"
#include "reduce/binaries/modules.h"
#include "reduce/symbols/symbols_name.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * Is it a function where a thread starts?  For programs that are linked
 * statically.
 */
static bool
funcs_is_thread_start(const char *name)
{
	static const char *const names[] = { "clone3", "__clone3", "clone",
					     "__clone", "start_thread" };

	return STR_IS_IN(name, names);
}

/* The module's file name, for output. */
static const char *
funcs_module_name(struct funcs *f, uint32_t module)
{
	/* Each function has this name; file names are shorter than this. */
	char name[256];

	if (!f->names)
		f->names = heap_array(f->mon->nmodules + 1, sizeof(*f->names));
	if (!f->names[module]) {
		snprintf(name, sizeof(name), "%s",
			 !module ? ""
				 : str_basename(f->mon->modules[module].path));
		f->names[module] = clean_name(f->arena, name);
	}
	return f->names[module];
}

/* The first of two suppressions; 0 is none. */
static uint32_t
funcs_first(uint32_t a, uint32_t b)
{
	return a && (!b || a < b) ? a : b;
}

/*
 * The suppression that matches the function, by module, name or file; 0 if none
 * does.
 */
static uint32_t
funcs_suppress(const struct funcs *f, uint32_t module,
	       const struct symbols_frame *s)
{
	const struct suppress *all = f->suppress;
	char *text;
	uint32_t n;

	if (!all || !all->n)
		return 0;
	n = suppress_match(all, s->def_file);
	if (module)
		n = funcs_first(n,
				suppress_match(all,
					       f->mon->modules[module].path));
	if (!s->known)
		return n;
	/*
	 * Try the printed, the linked and the demangled name, because a pattern
	 * may be for any of them.
	 */
	n = funcs_first(n, suppress_match(all, s->name));
	n = funcs_first(n, suppress_match(all, s->linkage));
	text = symbols_demangle(s->linkage ? s->linkage : s->name);
	if (text)
		n = funcs_first(n, suppress_match(all, text));
	free(text);
	return n;
}

/* Also try the file of a call in the function. */
static uint32_t
funcs_suppress_call(const struct funcs *f, uint32_t func,
		    const struct symbols_frame *s)
{
	if (!f->suppress || !f->suppress->n)
		return 0;
	return funcs_first(f->detail[func].suppress,
			   suppress_match(f->suppress, s->file));
}

/* Is the function the program's main? */
static bool
funcs_main(const struct mon_module *o, const struct symbols_frame *s)
{
	return (o->flags & MONOUT_M_EXE) && !strcmp(s->name, "main");
}

/* Set the details of the function. */
static void
funcs_detail_fill(struct funcs *f, struct funcs_detail *m, uint32_t module,
		  const struct symbols_frame *s)
{
	const struct mon_module *o;

	*m = (struct funcs_detail){ .module = module, .known = s->known };
	m->suppress = funcs_suppress(f, module, s);
	m->filter = f->filter ? filter_func(f->filter, s) : 0;
	if (!module)
		return;
	o = &f->mon->modules[module];
	m->runtime = runtime_func(o->path, s->known ? s->name : NULL,
				  f->whole && o->flags & MONOUT_M_EXE);
	m->libc = modules_is_libc(o->path);
	m->monitor = modules_is_monitor(o->path);
	m->main = funcs_main(o, s);
	m->start = m->libc || ((o->flags & MONOUT_M_EXE) &&
			       funcs_is_thread_start(s->name));
}

/*
 * Is the function the program's own, of a runtime library, or a standard one?
 */
static enum profile_whose
funcs_whose(const struct funcs *f, uint32_t module,
	    const struct symbols_frame *s)
{
	if (s->known && wrappers_standard(s->name, s->linkage))
		return PROFILE_STANDARD;
	if (module && modules_is_runtime(f->mon->modules[module].path))
		return PROFILE_RUNTIME;
	return PROFILE_OWN;
}

/*
 * Append a function.  whole: its number without lines; place: the line of the
 * call (see lines.h).  Returns the new number.
 */
static uint32_t
funcs_add(struct funcs *f, uint32_t module, const struct symbols_frame *s,
	  uint64_t addr, unsigned whole, uint32_t place)
{
	const char *name = funcs_module_name(f, module);
	const struct lines_place *at;

	ARRAY_ROOM(f->list, f->room, f->n + 1);
	ARRAY_ROOM(f->detail, f->detail_room, f->n + 1);
	f->list[f->n] = (struct func){
		.name = s->name,
		.linkage = s->known ? s->linkage : NULL,
		.module = name,
		.in = module,
		.file = s->def_file,
		.line = s->def_line,
		.addr = s->known && (addr & SYMBOLS_KEY) ? 0 : addr,
		.whose = funcs_whose(f, module, s),
		.whole = whole,
		.call_file = "",
	};
	if (place != LINES_NONE) {
		at = &f->lines.place[place];
		f->list[f->n].call_file = f->lines.file[at->file].path;
		f->list[f->n].call_line = at->line;
	}
	funcs_detail_fill(f, &f->detail[f->n], module, s);
	return (uint32_t)f->n++;
}

/*
 * Find the function of s or add it.  The key is the module and the entry, never
 * the name, and the line of the call if lines are wanted.
 */
static uint32_t
funcs_intern(struct funcs *f, uint32_t module, const struct symbols_frame *s)
{
	uint64_t addr = s->entry;
	uint32_t n, fresh = (uint32_t)f->n, whole, place = LINES_NONE;

	if (f->n >= HASH_NONE - 1)
		heap_out();
	whole = hash_intern(&f->wholes, module, addr, s->known, f->nwholes);
	if (f->by_line && s->known)
		place = lines_number(&f->lines, s->file, s->line);
	f->nwholes += whole == f->nwholes;
	n = hash_intern(&f->hash, whole, place, 0, fresh);
	if (n == fresh)
		return funcs_add(f, module, s, addr, whole, place);
	return n;
}

/* The text of a call site.  An inlined function has no offset. */
static const char *
funcs_site(struct funcs *f, const struct symbols_frame *s, uint64_t ra)
{
	char offset[32] = "", *brief;
	const char *name = s->name;
	const char *file = s->file ? str_basename(s->file) : "";

	/* The name of an unknown function is its address already. */
	if (!s->inlined && (s->known ? ra >= s->entry : ra > s->entry))
		snprintf(offset, sizeof(offset), "+0x%" PRIx64, ra - s->entry);
	if (f->short_names) {
		brief = arena_alloc(f->arena, strlen(name) + 1);
		names_shorten(name, NAMES_SHORT, brief);
		name = brief;
	}
	if (!*file)
		return arena_print(f->arena, "%s%s", name, offset);
	if (!s->line)
		return arena_print(f->arena, "%s%s (%s)", name, offset, file);
	return arena_print(f->arena, "%s%s (%s:%u)", name, offset, file,
			   s->line);
}

/* Describe an address that is in no module. */
static const struct symbols_frame *
funcs_nowhere(struct funcs *f, uint64_t addr, struct symbols_frame *s)
{
	*s = (struct symbols_frame){ .file = "",
				     .def_file = "",
				     .entry = addr };
	s->name = arena_print(f->arena, "[0x%" PRIx64 "]", addr);
	return s;
}

size_t
funcs_find(struct funcs *f, uint32_t module, uint64_t addr,
	   const struct funcs_call **calls)
{
	struct symbols_frame nowhere;
	const struct symbols_frame *s;
	struct funcs_call *c;
	size_t n = 1, i;

	if (module)
		n = symbols_find(f->symbols, module - 1, addr, &s);
	else
		s = funcs_nowhere(f, addr, &nowhere);
	ARRAY_ROOM(f->calls, f->call_room, n);
	c = f->calls;
	for (i = 0; i < n; i++) {
		c[i].func = funcs_intern(f, module, &s[i]);
		c[i].inlined = s[i].inlined;
		c[i].part = s[i].part;
		c[i].site = f->offsets ? funcs_site(f, &s[i], addr) : NULL;
		c[i].file = s[i].file ? s[i].file : "";
		c[i].line = s[i].line;
		c[i].suppress = funcs_suppress_call(f, c[i].func, &s[i]);
		c[i].filter = f->detail[c[i].func].filter;
		if (f->filter)
			c[i].filter =
				filter_call(f->filter, c[i].filter, &s[i]);
	}
	*calls = c;
	return n;
}

bool
funcs_is_main(struct funcs *f, uint32_t module, uint64_t addr)
{
	const struct symbols_frame *s;
	const struct mon_module *o = &f->mon->modules[module];
	size_t n;

	if (!module || !(o->flags & MONOUT_M_EXE))
		return false;
	n = symbols_find(f->symbols, module - 1, addr, &s);
	while (n--)
		if (funcs_main(o, &s[n]))
			return true;
	return false;
}

bool
funcs_is_wrapper(struct funcs *f, uint32_t func)
{
	struct funcs_detail *m = &f->detail[func];

	if (!m->tried) {
		/*
		 * Functions that the monitor calls to allocate are always left
		 * out, unless no wrappers are wanted.
		 */
		if (m->monitor)
			m->wrapper = !f->wrappers.none;
		else if (m->known)
			m->wrapper =
				wrappers_match(&f->wrappers, f->list[func].name,
					       m->libc);
		m->tried = true;
	}
	return m->wrapper;
}

void
funcs_fini(struct funcs *f)
{
	free(f->list);
	free(f->detail);
	free(f->calls);
	free(f->names);
	hash_fini(&f->hash);
	hash_fini(&f->wholes);
	lines_fini(&f->lines);
}

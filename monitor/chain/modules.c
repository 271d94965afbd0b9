/* SPDX-License-Identifier: MIT */
/* The table of libraries: object files of the functions on call paths. */
#include "monitor/chain/modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

#include "monitor/base/arena.h"
#include "monitor/base/lookup.h"
#include "monitor/base/peek.h"
#include "monitor/base/process.h"
#include "monitor/base/real.h"
#include "monitor/base/thread.h"
#include "monitor/image/image.h"

#define NCHUNK 256u

static void *directory[NCHUNK];
static struct mmi_array modules = {
	.chunk = directory,
	.chunks = NCHUNK,
	.shift = 5,
	.size = sizeof(struct mmi_module),
};
static const char *exe_path = "";

/* The object at an address, as the loader describes it. */
struct object {
	uintptr_t start, end, bias;
	const void *eh_hdr;
	const void *map;  /* the loader's handle */
	const char *name; /* "" for the program itself */
};

uint64_t mmi_modules_state;
struct mmi_modules_loader mmi_modules_loader;
static TLS bool surveys; /* it doesn't run in this library */
static TLS unsigned closing; /* how many libraries this thread unloads */

/* Rules store 16 bits of the epoch: when it wraps, old rules would be valid. */
#define EPOCH_WRAPS (MMI_MODULES_EPOCH << 16)

void
mmi_modules_next(uint64_t more)
{
	uint64_t now =
		__atomic_add_fetch(&mmi_modules_state, more, __ATOMIC_SEQ_CST);

	if (UNLIKELY((now ^ (now - more)) & EPOCH_WRAPS))
		mmi_modules_wrapped();
}

unsigned
mmi_modules_count(void)
{
	return LOAD_ACQ(&modules.used);
}

const struct mmi_module *
mmi_modules_at(unsigned i)
{
	const struct mmi_module *m = mmi_array_at(&modules, i);

	return m && LOAD_ACQ(&m->ready) ? m : NULL;
}

static void
copy_path(char *to, size_t n, const char *from)
{
	size_t i;

	for (i = 0; i + 1 < n && from[i]; i++)
		to[i] = from[i];
	to[i] = '\0';
}

/*
 * The generation for a library at [start, end): higher than those of all
 * earlier libraries there; MMI_GEN_NONE: there were too many.
 */
static unsigned
module_generation(uintptr_t start, uintptr_t end)
{
	const struct mmi_module *m;
	unsigned gen = 0;

	for (unsigned i = 0; i < mmi_modules_count(); i++) {
		m = mmi_modules_at(i);
		if (m && LOAD(&m->gone) && m->start < end && start < m->end &&
		    m->gen >= gen)
			gen = m->gen + 1;
	}
	return gen <= MMI_GEN_MAX ? gen : MMI_GEN_NONE;
}

/* Is `as' the library m, loaded again at its old place? */
static bool
module_same(const struct mmi_module *m, const struct mmi_module *as)
{
	return LOAD(&m->gone) && m->start == as->start && m->end == as->end &&
	       m->bias == as->bias && m->buildid_len == as->buildid_len &&
	       !memcmp(m->buildid, as->buildid, m->buildid_len) &&
	       !strcmp(m->path, as->path);
}

/* Fills in all that is known of a library without the table. */
static void
module_describe(struct mmi_module *m, const struct object *o)
{
	memset(m, 0, sizeof(*m));
	m->start = o->start;
	m->end = o->end;
	m->bias = o->bias;
	m->map = o->map;
	m->exe = !o->name[0];
	copy_path(m->path, sizeof(m->path), m->exe ? exe_path : o->name);
	mmi_module_read(m, surveys);
}

/* Adds the library to the image, if there is one. */
static void
module_log(struct mmi_module *m)
{
	unsigned number = mmi_image_number;
	struct monimg_module as = {
		.flags = (m->exe ? MONOUT_M_EXE : 0) |
			 (LOAD(&m->gone) ? MONOUT_M_GONE : 0),
		.start = m->start,
		.end = m->end,
		.bias = m->bias,
		.gen = m->gen,
		.buildid_length = (uint16_t)m->buildid_len,
	};

	if (!number || m->logged == number)
		return;
	memcpy(as.buildid, m->buildid, m->buildid_len);
	m->log = mmi_image_module(&as, m->path);
	m->logged = m->log ? number : 0;
}

void
mmi_modules_share(void)
{
	struct mmi_module *m;

	for (uint32_t i = 0; i < mmi_modules_count(); i++) {
		m = mmi_array_at(&modules, i);
		if (!m || !LOAD_ACQ(&m->ready))
			continue;
		m->logged = 0;
		module_log(m);
	}
}

/* Marks a library as unloaded, or (gone 0) as loaded again. */
static void
module_gone(struct mmi_module *m, uint32_t gone)
{
	STORE_REL(&m->gone, gone);
	if (m->logged && m->logged == mmi_image_number)
		STORE(&m->log->flags,
		      (m->exe ? MONOUT_M_EXE : 0) | (gone ? MONOUT_M_GONE : 0));
}

/* The libc itself unloaded the libraries that were where the new one is. */
static void
modules_overlapped(const struct mmi_module *new)
{
	struct mmi_module *m;

	for (uint32_t i = 0; i < mmi_modules_count(); i++) {
		m = mmi_array_at(&modules, i);
		if (!m || !LOAD_ACQ(&m->ready) || LOAD(&m->gone) ||
		    m->start >= new->end || new->start >= m->end ||
		    (m->map == new->map && m->start == new->start))
			continue;
		module_gone(m, 1);
		mmi_modules_next(MMI_MODULES_EPOCH);
	}
}

/*
 * The library gets no entry, so its functions have no names.  It is counted
 * once, by a hash of its address and name, unless another library has taken the
 * place for this hash.
 */
static const struct mmi_module *
module_refuse(const struct mmi_module *m)
{
	static uint64_t refused[1024]; /* atomic; 0: free */
	uint64_t h = m->start * 0x9e3779b97f4a7c15ull, none = 0;
	struct mmi_thread *t = mmi_thread_self();

	for (const char *p = m->path; *p; p++)
		h = (h ^ (unsigned char)*p) * 0x100000001b3u;
	h *= 0x9e3779b97f4a7c15ull;
	if (t && CAS(&refused[h >> 54], &none, h | 1))
		FETCH_ADD(&t->pub->count.unnamed, 1);
	return NULL;
}

/* NULL: the table is full, or no memory. */
static COLD const struct mmi_module *
module_add(const struct object *o)
{
	struct mmi_module new, *m;
	uint32_t i;

	module_describe(&new, o);
	for (i = 0; i < mmi_modules_count(); i++) {
		m = mmi_array_at(&modules, i);
		if (m && LOAD_ACQ(&m->ready) && module_same(m, &new)) {
			STORE(&m->map, new.map);
			module_gone(m, 0);
			return m;
		}
	}
	modules_overlapped(&new);
	new.gen = module_generation(new.start, new.end);
	if (new.gen == MMI_GEN_NONE || !(m = mmi_array_add(&modules, &i)))
		return module_refuse(&new);
	*m = new;
	module_log(m);
	STORE_REL(&m->ready, 1);
	return m;
}

#ifdef MEMMON_STATIC
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

/*
 * The program itself, from its headers: the libc's table isn't ready at first.
 */
static bool
object_program(uintptr_t pc, struct object *o)
{
	static struct object self;
	const ElfW(Phdr) *ph =
		(const void *)((uintptr_t)&__ehdr_start + __ehdr_start.e_phoff);

	if (!self.end) {
		uintptr_t lo = UINTPTR_MAX, hi = 0;

		for (unsigned i = 0; i < __ehdr_start.e_phnum; i++)
			if (ph[i].p_type == PT_LOAD) {
				if (ph[i].p_vaddr < lo)
					lo = ph[i].p_vaddr;
				if (ph[i].p_vaddr + ph[i].p_memsz > hi)
					hi = ph[i].p_vaddr + ph[i].p_memsz;
			}
		self.start = (uintptr_t)&__ehdr_start;
		self.bias = self.start - (lo & ~(uintptr_t)(ARCH_PAGE - 1));
		for (unsigned i = 0; i < __ehdr_start.e_phnum; i++)
			if (ph[i].p_type == PT_GNU_EH_FRAME)
				self.eh_hdr =
					(void *)(self.bias + ph[i].p_vaddr);
		self.name = "";
		self.end = self.bias + hi;
	}
	*o = self;
	return pc >= self.start && pc < self.end;
}
#endif

/* The object at pc; false: the loader knows none. */
static bool
object_find(uintptr_t pc, struct object *o)
{
	struct dl_find_object f;

#ifdef MEMMON_STATIC
	if (object_program(pc, o))
		return true;
	if (!mmi_process.pid)
		return false;
#endif
	if (_dl_find_object((void *)pc, &f) != 0)
		return false;
	o->start = (uintptr_t)f.dlfo_map_start;
	o->end = (uintptr_t)f.dlfo_map_end;
	o->eh_hdr = f.dlfo_eh_frame;
	o->map = f.dlfo_link_map;
	o->bias = f.dlfo_link_map->l_addr;
	/* The program comes first in the list. */
	o->name = f.dlfo_link_map->l_prev && f.dlfo_link_map->l_name
			  ? f.dlfo_link_map->l_name
			  : "";
	return true;
}

/*
 * Does the library have the object's name?  If the loader's free() wasn't seen,
 * another library may be at the same place with the same handle.
 */
static bool
is_named(const struct mmi_module *m, const struct object *o)
{
	return m->exe || !strncmp(m->path, o->name, sizeof(m->path) - 1);
}

/* The entry of a library that is loaded now. */
static const struct mmi_module *
module_find(const struct object *o)
{
	struct mmi_module *m;

	for (unsigned i = mmi_modules_count(); i-- > 0;) {
		m = mmi_array_at(&modules, i);
		if (!m || !LOAD_ACQ(&m->ready) || m->start != o->start ||
		    m->end != o->end || m->map != o->map || LOAD(&m->gone))
			continue;
		if (is_named(m, o))
			return m;
		module_gone(m, 1);
		mmi_modules_next(MMI_MODULES_EPOCH);
	}
	return NULL;
}

bool
mmi_modules_find(uintptr_t pc, struct mmi_object *o)
{
	const struct mmi_module *m;
	struct object f;

	if (!object_find(pc, &f))
		return false;
	m = module_find(&f);
	if (!m)
		m = module_add(&f);
	o->eh_hdr = f.eh_hdr;
	o->gen = m ? m->gen : MMI_GEN_NONE;
#ifdef MEMMON_STATIC
	o->loader = o->own = false;
#else
	o->loader = f.start == mmi_process_loader();
	o->own = (uintptr_t)mmi_modules_find - f.start < f.end - f.start;
#endif
	return true;
}

#ifndef MEMMON_STATIC
/* A longer list is one that is being changed. */
#define OBJECTS_MOST 65536u

/* The loader's data of the object l at `at'; false: it isn't mapped. */
static bool
object_copy(struct object *o, uintptr_t at, const struct link_map *l,
	    char *name, size_t size)
{
	struct dl_find_object f;

	if (!l->l_ld || _dl_find_object((void *)l->l_ld, &f) != 0 ||
	    (uintptr_t)f.dlfo_link_map != at ||
	    !mmi_peek_text(name, size, (uintptr_t)l->l_name))
		return false;
	o->start = (uintptr_t)f.dlfo_map_start;
	o->end = (uintptr_t)f.dlfo_map_end;
	o->eh_hdr = f.dlfo_eh_frame;
	o->map = f.dlfo_link_map;
	o->bias = l->l_addr;
	o->name = l->l_prev ? name : "";
	return true;
}

void
mmi_modules_survey(void)
{
	static char name[sizeof(((struct mmi_module *)0)->path)];
	uintptr_t at = (uintptr_t)mmi_lookup_exe();
	struct link_map l;
	struct object o;

	surveys = true;
	for (unsigned n = 0; at && n < OBJECTS_MOST; n++) {
		if (!mmi_peek(&l, at, sizeof(l)))
			break;
		if (object_copy(&o, at, &l, name, sizeof(name)) &&
		    !module_find(&o))
			module_add(&o);
		at = (uintptr_t)l.l_next;
	}
	surveys = false;
}
#endif

void
mmi_modules_freed(const void *p)
{
	struct mmi_module *m;

	for (unsigned i = 0; i < mmi_modules_count(); i++) {
		m = mmi_array_at(&modules, i);
		if (!m || !LOAD_ACQ(&m->ready) || LOAD(&m->map) != p ||
		    LOAD(&m->gone))
			continue;
		module_gone(m, 1);
		mmi_modules_next(MMI_MODULES_EPOCH);
	}
}

const struct mmi_module *
mmi_modules_data(uintptr_t a, unsigned *number)
{
	const struct mmi_module *m;

	for (*number = mmi_modules_count(); (*number)-- > 0;) {
		m = mmi_modules_at(*number);
		if (m && !LOAD(&m->gone) && a >= m->start && a < m->end)
			return a - m->code < m->code_end - m->code ? NULL : m;
	}
	return NULL;
}

void
mmi_modules_init(const char *exe)
{
	struct mmi_module *m;
#ifndef MEMMON_STATIC
	struct object o;

	if (object_find(mmi_process_loader(), &o)) {
		mmi_modules_loader.start = o.start;
		mmi_modules_loader.size = o.end - o.start;
	}
#endif
	exe_path = exe;
	/* The program's entry may have been made before the path was known. */
	for (unsigned i = 0; i < mmi_modules_count(); i++) {
		m = mmi_array_at(&modules, i);
		if (m && LOAD_ACQ(&m->ready) && m->exe && !m->path[0])
			copy_path(m->path, sizeof(m->path), exe);
	}
}

void
mmi_modules_unload_begin(void)
{
	closing++;
	mmi_modules_next(MMI_MODULES_EPOCH + 1);
}

/* Is it still loaded?  Its memory and the loader's data may be gone by now. */
static bool
is_there(const struct mmi_module *m)
{
	struct dl_find_object f;

	return _dl_find_object((void *)m->start, &f) == 0 &&
	       f.dlfo_link_map == m->map &&
	       (uintptr_t)f.dlfo_map_start == m->start;
}

void
mmi_modules_unload_end(void)
{
	struct mmi_module *m;

	for (unsigned i = 0; i < mmi_modules_count(); i++) {
		m = mmi_array_at(&modules, i);
		if (m && LOAD_ACQ(&m->ready) && !LOAD(&m->gone) && !is_there(m))
			module_gone(m, 1);
	}
	closing--;
	mmi_modules_next(MMI_MODULES_EPOCH - 1);
}

int
mmi_modules_of_key(uint64_t k)
{
	uintptr_t pc = MMI_KEY_ADDR(k) - 1;
	const struct mmi_module *m;

	for (unsigned i = 0; i < mmi_modules_count(); i++) {
		m = mmi_modules_at(i);
		if (m && pc >= m->start && pc < m->end &&
		    m->gen == MMI_KEY_GEN(k))
			return (int)i;
	}
	return -1;
}

void
mmi_modules_fork(void)
{
	/* If a destructor has forked, this thread continues to unload. */
	mmi_modules_state =
		(mmi_modules_state & ~MMI_MODULES_CLOSING) + closing;
	mmi_modules_next(MMI_MODULES_EPOCH);
}

/* SPDX-License-Identifier: MIT */
/* Modules: load them, pass events to them, merge them. */
#include "monitor/events/driver.h"

#include <dlfcn.h>
#include <limits.h>

#include "monitor/base/internal.h"
#include "monitor/events/restricted.h"
#include "monitor/events/results.h"

/* ------------------------------------------------ what modules call -- */

/* An option: its name; its value, which ends at `next'. */
struct option {
	const char *name, *value, *next;
	size_t n;
	unsigned i; /* from 1 */
};

/* The next option of ":anti,least=3 next".  False: there is none. */
static bool
option_next(struct option *x)
{
	const char *s = x->next;

	while (*s == ':' || *s == ',')
		s++;
	x->name = s;
	while (*s && *s != ',' && *s != ' ' && *s != '=')
		s++;
	x->n = (size_t)(s - x->name);
	x->value = s + (*s == '=');
	while (*s && *s != ',' && *s != ' ')
		s++;
	x->next = s;
	x->i++;
	return s > x->name;
}

static void *
host_map(struct memmon_host *h, size_t size)
{
	struct driver_host *o = (struct driver_host *)h;
	char *p;

	if (size > DRIVER_POOL / 8)
		return mmi_places_map(o->driver, size);
	size = (size + 15) & ~15ul;
	if (size > o->pool_left) {
		o->pool = mmi_places_map(o->driver, DRIVER_POOL);
		o->pool_left = o->pool ? DRIVER_POOL : 0;
		if (!o->pool)
			return NULL;
	}
	p = o->pool;
	o->pool += size;
	o->pool_left -= size;
	return p;
}

static void
host_unmap(struct memmon_host *h, void *p, size_t size)
{
	(void)h;
	if (p && size > DRIVER_POOL / 8)
		arch_syscall(SYS_munmap, (long)p, (long)size, 0, 0, 0, 0);
}

/* "name:anti,least=3 next": the value of `least' is "3", of `anti' "". */
static const char *
host_option(struct memmon_host *h, const char *name)
{
	struct driver_module *o = ((struct driver_host *)h)->module;
	static __thread char value[128];
	const char *found = NULL;
	struct option x;
	size_t n = strlen(name), k;

	for (x.next = o->options, x.i = 0; option_next(&x);) {
		if (x.n != n || memcmp(x.name, name, n) != 0)
			continue;
		o->known |= 1ull << x.i % 64;
		if (found)
			continue;
		k = (size_t)(x.next - x.value);
		k = k < sizeof(value) ? k : sizeof(value) - 1;
		memcpy(value, x.value, k);
		value[k] = '\0';
		found = value;
	}
	return found;
}

static bool
host_place(struct memmon_host *h, uint32_t where, struct memmon_where *w)
{
	return mmi_places_find(((struct driver_host *)h)->driver, where, w);
}

static uint32_t
host_places(struct memmon_host *h)
{
	return LOAD(&((struct driver_host *)h)->driver->h->places);
}

static void
host_row(struct memmon_host *h, unsigned table, const union memmon_cell *cell)
{
	mmi_results_row(((struct driver_host *)h)->module->results, table,
			cell);
}

static void
host_note(struct memmon_host *h, const char *text)
{
	mmi_results_note(((struct driver_host *)h)->module->results, text);
}

/* -------------------------------------------------------- modules -- */

/* dlopen() the module that `word' names; its options follow a colon. */
static void
module_load(struct driver *d, struct driver_module *o, const char *word,
	    size_t n)
{
	char path[PATH_MAX];
	const char *name = word + n;
	size_t home = strlen(d->home), len;
	bool slash;
	void *so;

	while (name > word && name[-1] != '/')
		name--;
	slash = name > word;
	len = n - (size_t)(name - word);
	if (len > 3 && !memcmp(name + len - 3, ".so", 3))
		len -= 3;
	if (len >= sizeof(o->name))
		len = sizeof(o->name) - 1;
	memcpy(o->name, name, len);
	o->why = "the module's name is too long";
	if (home + n + 20 > sizeof(path))
		return;
	memcpy(path, d->home, home);
	memcpy(path + home, "/modules/", 9);
	memcpy(slash ? path : path + home + 9, word, n);
	memcpy(slash ? path + n : path + home + 9 + n, slash ? "" : ".so",
	       slash ? 1 : 4);
	so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	o->why = so ? "the file defines no memmon_module"
		    : "the module can't be loaded";
	o->m = so ? dlsym(so, "memmon_module") : NULL;
	if (!o->m)
		return;
	o->why = o->m->version == MEMMON_MODULE_VERSION
			 ? NULL
			 : "the module is for another version of memmon";
}

static void
module_start(struct driver *d, struct driver_module *o)
{
	unsigned n = o->m->parallel == MEMMON_ALONE ? 1 : d->workers;

	for (unsigned w = 0; w < n && !o->why; w++) {
		struct driver_host *h = &o->host[w];

		h->host = (struct memmon_host){
			.version = MEMMON_MODULE_VERSION,
			.worker = w,
			.workers = n,
			.map = host_map,
			.unmap = host_unmap,
			.option = host_option,
			.place = host_place,
			.places = host_places,
			.row = host_row,
			.note = host_note,
		};
		h->driver = d;
		h->module = o;
		o->state[w] = host_map(&h->host, o->m->state + 1);
		if (!o->state[w] ||
		    (o->m->init && !o->m->init(o->state[w], &h->host)))
			o->why = "not enough memory for the module";
	}
}

/* Load the words of the list that aren't loaded yet. */
static void
load_modules(struct driver *d)
{
	const char *s = d->h->modules;
	uint32_t i = 0;

	while (i < DRIVER_MODULES) {
		struct driver_module *o = &d->module[i];
		size_t n = 0;

		while (*s == ' ')
			s++;
		if (!*s)
			return;
		while (s[n] && s[n] != ' ' && s[n] != ':')
			n++;
		if (i++ >= d->nmodules) {
			d->nmodules = i;
			o->options = s + n;
			module_load(d, o, s, n);
			if (!o->why)
				module_start(d, o);
		}
		for (s += n; *s && *s != ' ';)
			s++;
	}
}

bool
mmi_driver_open(struct driver *d, struct stream_head *h, const char *home)
{
	d->h = h;
	d->home = home;
	d->workers = h->workers >= 8   ? 8
		     : h->workers >= 4 ? 4
		     : h->workers >= 2 ? 2
				       : 1;
	d->blocks = mmi_places_map(d, MEMMON_PLACES * sizeof(*d->blocks));
	return d->blocks != NULL;
}

void
mmi_driver_update(struct driver *d)
{
	uint32_t n = LOAD_ACQ(&d->h->nlists);

	for (; d->nlists < n; d->nlists++)
		mmi_places_add(d, d->nlists);
	load_modules(d);
}

void
mmi_driver_batch(struct driver *d, unsigned worker, uint32_t thread,
		 const uint64_t *words, const uint64_t *end)
{
	struct memmon_batch b = { .words = words,
				  .end = end,
				  .blocks = d->blocks,
				  .nblocks = d->nblocks,
				  .thread = thread,
				  .worker = worker };

	if (!worker)
		d->words += (uint64_t)(end - words);
	for (uint32_t i = 0; i < d->nmodules; i++) {
		struct driver_module *o = &d->module[i];

		b.workers = o->host[worker].host.workers;
		if (!o->why && o->state[worker])
			o->m->events(o->state[worker], &b);
	}
}

const uint64_t *
mmi_driver_partial(const struct driver *d, uint64_t *words, const uint64_t *end)
{
	uint64_t *p = words, *last = words;

	while (p < end) {
		unsigned kind =
			*p >> MEMMON_EVENT_KIND_SHIFT & MEMMON_EVENT_KIND_MASK;
		uint64_t n = (*p >> MEMMON_EVENT_ADDRESS_SHIFT & 1) +
			     (*p >> MEMMON_EVENT_VALUE_SHIFT & 1);
		bool whole = true;

		if (kind == MEMMON_EVENT_BLOCK)
			n = *p >> MEMMON_EVENT_SIZE_SHIFT &
			    MEMMON_EVENT_SIZE_MAX;
		if (n >= (uint64_t)(end - p))
			break;
		/* Words that were reserved and not filled aren't an event. */
		if (kind == MEMMON_EVENT_BLOCK && n)
			whole = p[1] || p[n];
		if (kind && !whole)
			memset(p, 0, (n + 1) * 8);
		p += n + 1;
		if (kind && whole)
			last = p;
	}
	(void)d;
	return last;
}

/* Report the options that the module never asked for. */
static void
note_options(struct driver_module *o)
{
	char text[512] = "unknown options without effect:";
	struct option x;
	size_t n = strlen(text);
	bool some = false;

	for (x.next = o->options, x.i = 0; option_next(&x);) {
		size_t len = (size_t)(x.next - x.name);

		if (o->known >> x.i % 64 & 1 || n + len + 3 > sizeof(text))
			continue;
		if (some)
			text[n++] = ',';
		text[n++] = ' ';
		memcpy(text + n, x.name, len);
		n += len;
		text[n] = '\0';
		some = true;
	}
	if (some)
		mmi_results_note(o->results, text);
}

static void
module_finish(struct driver *d, struct driver_module *o)
{
	struct memmon_host *h = &o->host[0].host;

	o->results = mmi_results_open(d, o);
	if (!o->results)
		return;
	mmi_restricted_note(d, o->results);
	if (!o->why) {
		for (unsigned w = 1; w < h->workers; w++)
			if (o->m->merge)
				o->m->merge(o->state[0], o->state[w]);
		o->m->finish(o->state[0], h);
		note_options(o);
	}
	mmi_results_write(o->results);
}

void
mmi_driver_finish(struct driver *d)
{
	for (uint32_t i = 0; i < d->nmodules; i++)
		module_finish(d, &d->module[i]);
}

void
mmi_driver_failed(struct driver *d, const char *why)
{
	load_modules(d);
	for (uint32_t i = 0; i < d->nmodules; i++) {
		d->module[i].why = why;
		module_finish(d, &d->module[i]);
	}
}

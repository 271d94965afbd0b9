/* SPDX-License-Identifier: MIT */
/* Results of modules: rows become lines, lines become a file. */
#include "monitor/events/results.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "monitor/base/internal.h"

#define TABLES 16u

/* A text that grows; `failed': it got no memory once. */
struct text {
	char *v;
	size_t n, room;
	bool failed;
};

struct results {
	struct driver *d;
	struct driver_module *o;
	struct text head, table[TABLES], tail;
	uint64_t *seen; /* a bit for each memmon_index() of a place */
};

static void
put(struct text *t, const char *s, size_t n)
{
	if (t->n + n > t->room) {
		size_t room = (t->room ? 2 * t->room : 1ul << 16) + n;
		long p = arch_syscall(SYS_mmap, 0, (long)room,
				      PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p < 0 && p > -4096) {
			t->failed = true;
			return;
		}
		memcpy((char *)p, t->v, t->n);
		if (t->v)
			arch_syscall(SYS_munmap, (long)t->v, (long)t->room, 0,
				     0, 0, 0);
		t->v = (char *)p;
		t->room = room;
	}
	memcpy(t->v + t->n, s, n);
	t->n += n;
}

static void
put_string(struct text *t, const char *s)
{
	put(t, s, strlen(s));
}

static void
put_number(struct text *t, uint64_t n)
{
	char digits[20];
	unsigned k = sizeof(digits);

	do
		digits[--k] = (char)('0' + n % 10);
	while (n /= 10);
	put(t, digits + k, sizeof(digits) - k);
}

/* Add a field after a tab; tabs in the field are escaped. */
static void
put_field(struct text *t, const char *s)
{
	put(t, "\t", 1);
	for (; *s; s++) {
		if (*s == '\t')
			put(t, "\\t", 2);
		else if (*s == '\n')
			put(t, "\\n", 2);
		else if (*s == '\\')
			put(t, "\\\\", 2);
		else
			put(t, s, 1);
	}
}

static void
put_field_number(struct text *t, uint64_t n)
{
	put(t, "\t", 1);
	put_number(t, n);
}

static void
put_ratio(struct text *t, double real)
{
	uint64_t n = real <= 0 ? 0 : (uint64_t)(real * 1e6 + 0.5);
	char digits[7] = ".";

	if (real < 0) {
		put(t, "\t-", 2);
		return;
	}
	put_field_number(t, n / 1000000);
	n %= 1000000;
	for (unsigned i = 6; i; i--, n /= 10)
		digits[i] = (char)('0' + n % 10);
	put(t, digits, 7);
}

static void
put_histogram(struct text *t, const uint64_t *v)
{
	unsigned n = v ? MEMMON_HISTOGRAM_SIZE : 0;

	while (n && !v[n - 1])
		n--;
	put(t, n ? "\t" : "\t-", n ? 1 : 2);
	for (unsigned i = 0; i < n; i++) {
		if (i)
			put(t, ",", 1);
		put_number(t, v[i]);
	}
}

static const char *const types[] = { "place", "count", "bytes",
				     "ratio", "text",  "histogram" };

static void
put_table(struct text *t, const struct memmon_table *table)
{
	put_string(t, "table");
	put_field(t, table->name);
	put_field_number(t, table->n);
	put_field(t, table->title);
	for (unsigned i = 0; i < table->n; i++) {
		put_string(t, "\ncolumn");
		put_field(t, table->column[i].name);
		put_field(t, types[table->column[i].type]);
		put_field(t, table->column[i].about);
	}
	put(t, "\n", 1);
}

struct results *
mmi_results_open(struct driver *d, struct driver_module *o)
{
	struct results *r = mmi_places_map(d, sizeof(*r));

	if (!r)
		return NULL;
	r->d = d;
	r->o = o;
	r->seen = mmi_places_map(d, MEMMON_PLACES / 8);
	for (unsigned i = 0; o->m && i < o->m->ntables && i < TABLES; i++)
		put_table(&r->table[i], &o->m->table[i]);
	return r->seen ? r : NULL;
}

void
mmi_results_row(struct results *r, unsigned table,
		const union memmon_cell *cell)
{
	const struct memmon_table *of = &r->o->m->table[table];
	struct text *t = &r->table[table];

	if (table >= r->o->m->ntables || table >= TABLES)
		return;
	put_string(t, "row");
	for (unsigned i = 0; i < of->n; i++) {
		uint64_t n = cell[i].n;

		switch (of->column[i].type) {
		case MEMMON_PLACE:
			if (n)
				r->seen[memmon_index((uint32_t)n) / 64] |=
					1ull << n % 64;
			else
				n = MEMMON_UNKNOWN; /* fallthrough */
		case MEMMON_COUNT:
		case MEMMON_BYTES:
			if (n == MEMMON_UNKNOWN)
				put(t, "\t-", 2);
			else
				put_field_number(t, n);
			break;
		case MEMMON_RATIO:
			put_ratio(t, cell[i].real);
			break;
		case MEMMON_TEXT:
			put_field(t, cell[i].text ? cell[i].text : "");
			break;
		case MEMMON_HISTOGRAM:
			put_histogram(t, cell[i].histogram);
			break;
		}
	}
	put(t, "\n", 1);
}

void
mmi_results_note(struct results *r, const char *text)
{
	put_string(&r->tail, "note");
	put_field(&r->tail, text);
	put(&r->tail, "\n", 1);
}

static void
put_hex(struct text *t, uint64_t n)
{
	char digits[16];
	unsigned k = sizeof(digits);

	do
		digits[--k] = "0123456789abcdef"[n & 15];
	while (n >>= 4);
	put(t, "\t0x", 3);
	put(t, digits + k, sizeof(digits) - k);
}

static void
put_place(struct results *r, uint32_t where)
{
	static const char *const kinds[] = { "?",	 "load",     "store",
					     "pointer",	 "alloc",    "free",
					     "stack",	 "stack",    "object",
					     "function", "function", "loop",
					     "loop",	 "loop" };
	struct text *t = &r->tail;
	struct memmon_where w, f;

	if (!mmi_places_find(r->d, where, &w))
		return;
	if (!mmi_places_find(r->d, w.function, &f))
		f.name = "";
	put_string(t, w.code ? "code" : "place");
	put_field_number(t, where);
	if (w.code) {
		put_hex(t, w.code);
	} else {
		put_field(t, w.kind < sizeof(kinds) / sizeof(*kinds)
				     ? kinds[w.kind]
				     : "?");
		put_field(t, w.file);
		put_field_number(t, w.line);
		put_field_number(t, w.column);
		put_field_number(t, w.ordinal);
		put_field(t, f.name);
		put_field(t, w.name);
	}
	put(t, "\n", 1);
}

static void
put_places(struct results *r)
{
	for (uint32_t i = 0; i < MEMMON_PLACES / 64; i++)
		for (uint64_t v = r->seen[i]; v; v &= v - 1)
			put_place(r,
				  memmon_place(i * 64 +
					       (uint32_t)__builtin_ctzll(v)));
}

static void
put_head(struct results *r)
{
	const struct stream_head *h = r->d->h;
	struct text *t = &r->head;
	const char *end = r->o->options ? r->o->options : "";

	put_string(t, "memmon-module\t1");
	put_field(t, r->o->name);
	put_field(t, r->o->m && !r->o->why ? r->o->m->about : "");
	put_string(t, "\nrun");
	put_field_number(t, h->pid);
	put_field_number(t, h->workers);
	put_field_number(t, r->d->words);
	put_field_number(t, h->lost_words);
	put_field_number(t, h->lost_words ? h->lost_at - h->started : 0);
	put_field_number(t, h->run);
	put(t, "\n", 1);
	if (*end == ':') {
		put_string(t, "options\t");
		for (end++; *end && *end != ' '; end++)
			put(t, end, 1);
		put(t, "\n", 1);
	}
	if (r->o->why) {
		put_string(t, "failed");
		put_field(t, r->o->why);
		put(t, "\n", 1);
	}
	if (h->unregistered)
		mmi_results_note(r, "some files had too many places; the "
				    "tables don't contain their events");
}

/* FNV-1a: it detects a damaged file, not a forged one. */
static uint64_t
sum_of(uint64_t sum, const struct text *t)
{
	for (size_t i = 0; i < t->n; i++)
		sum = (sum ^ (unsigned char)t->v[i]) * 0x100000001b3u;
	return sum;
}

static bool
write_all(long fd, const struct text *t)
{
	size_t at = 0;

	while (at < t->n) {
		long n = arch_syscall(SYS_write, fd, (long)(t->v + at),
				      (long)(t->n - at), 0, 0, 0);

		if (n <= 0 && n != -EINTR)
			return false;
		at += n > 0 ? (size_t)n : 0;
	}
	return !t->failed;
}

/* to = the data file's name, ".", the module's name, and `end'. */
static bool
file_name(const struct results *r, char *to, size_t n, const char *end)
{
	size_t a = strlen(r->d->h->path), b = strlen(r->o->name),
	       c = strlen(end);

	if (!a || a + b + c + 2 > n)
		return false;
	memcpy(to, r->d->h->path, a);
	to[a] = '.';
	memcpy(to + a + 1, r->o->name, b);
	memcpy(to + a + 1 + b, end, c + 1);
	return true;
}

void
mmi_results_write(struct results *r)
{
	char path[PATH_MAX + 80], part[PATH_MAX + 80];
	uint64_t sum = 0xcbf29ce484222325u;
	struct text *all[TABLES + 3], last = { 0 };
	unsigned n = 0;
	bool ok = true;
	long fd;

	put_places(r);
	put_head(r);
	all[n++] = &r->head;
	for (unsigned i = 0; i < TABLES; i++)
		all[n++] = &r->table[i];
	all[n++] = &r->tail;
	for (unsigned i = 0; i < n; i++)
		sum = sum_of(sum, all[i]);
	put_string(&last, "end");
	put_hex(&last, sum);
	put(&last, "\n", 1);
	all[n++] = &last;
	if (!file_name(r, path, sizeof(path), "") ||
	    !file_name(r, part, sizeof(part), ".part"))
		return;
	fd = arch_syscall(SYS_openat, AT_FDCWD, (long)part,
			  O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
			  0666, 0, 0);
	for (unsigned i = 0; i < n && fd >= 0; i++)
		ok = ok && write_all(fd, all[i]);
	arch_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	if (ok && fd >= 0)
		arch_syscall(SYS_renameat, AT_FDCWD, (long)part, AT_FDCWD,
			     (long)path, 0, 0);
	else if (fd >= 0)
		arch_syscall(SYS_unlinkat, AT_FDCWD, (long)part, 0, 0, 0, 0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hash tables, vectors and strings that grow, caches, members of members. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	struct entry *next;
	uint32_t hash;
	char *key;
	void *value;
};
struct table {
	struct entry **bucket;
	size_t nbuckets, n;
	void (*release)(void *);
};
/* Open addressing: entries in the array itself. */
struct slot {
	uint64_t key;
	int32_t count;
};
struct map {
	struct slot *slots;
	uint8_t *used;
	size_t mask;
};
struct vector {
	void **items;
	size_t n, room;
};
struct ints {
	int *v;
	size_t n, room;
};
struct string {
	char *s;
	size_t n, room;
};
struct lru {
	struct lru_node {
		struct lru_node *newer, *older;
		int key;
		struct string text;
	} * newest, *oldest;
	int left;
};
struct module {
	const char *name;
	struct {
		struct table symbols;
		struct {
			struct ints lines;
			struct string *files;
			unsigned nfiles;
		} debug;
	} info;
	struct module *deps[4];
	unsigned ndeps;
};
/* clang-format off */
typedef
struct record record;
/* clang-format on */
typedef record *record_ref;
struct record {
	record_ref parent;
	uint64_t *words;
	const char **tags;
	struct slot own[2];
};
struct bitmap {
	size_t bits;
	uint64_t word[];
};
struct graph {
	int n;
	int **edges;
	bool *seen;
	struct edge {
		int from, to;
		float cost;
	} * list;
};

static struct table *symbols;
static struct module *modules[8];
static unsigned nmodules;
struct map counts;
static record_ref last;

static uint32_t
hash_of(const char *s)
{
	uint32_t h = 5381;

	while (*s)
		h = h * 33 ^ (unsigned char)*s++;
	return h;
}

static int
table_init(struct table *t, size_t n)
{
	t->bucket = calloc(n, sizeof(*t->bucket)); /*= struct entry * */
	t->nbuckets = n;
	t->n = 0;
	t->release = free;
	return t->bucket ? 0 : -1;
}

static struct table *
table_new(size_t n)
{
	struct table *t = malloc(sizeof(*t)); /*= struct table */

	if (t && table_init(t, n) < 0) {
		free(t);
		t = NULL;
	}
	return t;
}

static void
table_grow(struct table *t)
{
	size_t n = 2 * t->nbuckets, i;
	struct entry **bucket, *e, *next;

	bucket = calloc(n, sizeof(*bucket)); /*= struct entry * */

	if (!bucket)
		return;
	for (i = 0; i < t->nbuckets; i++) {
		for (e = t->bucket[i]; e; e = next) {
			next = e->next;
			e->next = bucket[e->hash % n];
			bucket[e->hash % n] = e;
		}
	}
	free(t->bucket);
	t->bucket = bucket;
	t->nbuckets = n;
}

static struct entry *
table_find(struct table *t, const char *key)
{
	uint32_t h = hash_of(key);
	struct entry *e;

	for (e = t->bucket[h % t->nbuckets]; e; e = e->next)
		if (e->hash == h && strcmp(e->key, key) == 0)
			return e;
	if (t->n == t->nbuckets)
		table_grow(t);
	e = malloc(sizeof(struct entry)); /*= struct entry */
	if (!e)
		return NULL;
	e->key = malloc(strlen(key) + 1); /*= char */
	if (!e->key) {
		free(e);
		return NULL;
	}
	strcpy(e->key, key);
	e->hash = h;
	e->value = NULL;
	e->next = t->bucket[h % t->nbuckets];
	t->bucket[h % t->nbuckets] = e;
	t->n++;
	return e;
}

static void
map_init(struct map *m, size_t n)
{
	m->slots = malloc(n * sizeof(struct slot)); /*= struct slot */
	m->used = calloc(n, 1); /*= uint8_t */
	m->mask = n - 1;
}

static void
map_count(struct map *m, uint64_t key)
{
	size_t i = key & m->mask;

	while (m->used[i] && m->slots[i].key != key)
		i = (i + 1) & m->mask;
	if (!m->used[i])
		m->slots[i] = (struct slot){ key, 0 };
	m->used[i] = 1;
	m->slots[i].count++;
}

static void
vector_add(struct vector *v, void *item)
{
	if (v->n == v->room) {
		size_t room = v->room ? v->room + v->room / 2 : 4;
		void **items;

		items = realloc(v->items, room * sizeof(*items)); /*= void * */
		if (!items)
			abort();
		v->items = items;
		v->room = room;
	}
	v->items[v->n++] = item;
}

static bool
ints_add(struct ints *a, int i)
{
	if (a->n >= a->room) {
		int *v;

		a->room += 8;
		v = realloc(a->v, a->room * sizeof(int)); /*= int */
		if (!v)
			return false;
		a->v = v;
	}
	a->v[a->n++] = i;
	return true;
}

static void
string_add(struct string *s, const char *text)
{
	size_t n = strlen(text);

	if (s->n + n + 1 > s->room) {
		while (s->n + n + 1 > s->room)
			s->room = s->room ? 2 * s->room : 8;
		s->s = realloc(s->s, s->room); /*= char */
	}
	memcpy(s->s + s->n, text, n + 1);
	s->n += n;
}

static void
lru_add(struct lru *c, int key, const char *text)
{
	struct lru_node *n;

	if (c->left) {
		n = calloc(1, sizeof(*n)); /*= struct lru_node */
		c->left--;
	} else {
		n = c->oldest;
		c->oldest = n->newer;
		c->oldest->older = NULL;
		n->text.n = 0;
	}
	n->key = key;
	string_add(&n->text, text);
	n->newer = NULL;
	n->older = c->newest;
	if (c->newest)
		c->newest->newer = n;
	else
		c->oldest = n;
	c->newest = n;
}

static struct module *
module_load(const char *name)
{
	struct module *m = calloc(1, sizeof(*m)); /*= struct module */
	unsigned i;

	m->name = name;
	table_init(&m->info.symbols, 4);
	m->info.debug.nfiles = 3;
	m->info.debug.files =
		calloc(3, sizeof(struct string)); /*= struct string */
	for (i = 0; i < m->info.debug.nfiles; i++)
		string_add(&m->info.debug.files[i], name);
	ints_add(&m->info.debug.lines, 3);
	modules[nmodules++] = m;
	return m;
}

static void
module_depend(struct module *m)
{
	m->deps[m->ndeps] = malloc(sizeof(struct module)); /*= struct module */
	memset(m->deps[m->ndeps], 0, sizeof(struct module));
	m->deps[m->ndeps]->info.symbols.bucket =
		calloc(2, sizeof(struct entry *)); /*= struct entry * */
	m->ndeps++;
}

static void
record_new(size_t words)
{
	record_ref r = malloc(sizeof(*r)); /*= record|struct record */

	r->parent = last;
	r->words = malloc(words * sizeof(*r->words)); /*= uint64_t */
	r->words[0] = words;
	r->tags = calloc(words, sizeof(*r->tags)); /*= const char *|char * */
	last = r;
}

static struct bitmap *
bitmap_new(size_t bits)
{
	size_t words = (bits + 63) / 64;
	struct bitmap *b;

	b = calloc(1, sizeof(*b) + words * 8); /*= struct bitmap */

	b->bits = bits;
	b->word[0] = 1;
	return b;
}

static int
graph_init(struct graph *g, int n)
{
	int i;

	g->n = n;
	g->seen = calloc((size_t)n, sizeof(bool)); /*= _Bool|bool */
	g->edges = malloc((size_t)n * sizeof(int *)); /*= int * */
	if (!g->seen || !g->edges)
		goto failed;
	for (i = 0; i < n; i++) {
		g->edges[i] = malloc((size_t)(i + 2) * sizeof(int)); /*= int */
		if (!g->edges[i])
			goto failed;
		g->edges[i][0] = i;
		g->edges[i][i + 1] = -1;
	}
	g->list = NULL;
	for (i = 1; i <= n; i *= 2) {
		size_t size = (size_t)i * sizeof(struct edge);
		struct edge *grown;

		grown = realloc(g->list, size); /*= struct edge */
		if (!grown)
			goto failed;
		g->list = grown;
		g->list[i - 1] = (struct edge){ i, i + 1, 0.5f };
	}
	return 0;
failed:
	free(g->seen);
	free(g->edges);
	return -1;
}

int
main(int argc, char **argv)
{
	static const char *const words[] = { "if",    "else", "for", "while",
					     "break", "if",   "do",  "goto" };
	struct vector v = { 0 };
	struct lru cache = { .left = 2 };
	struct graph g;
	size_t i;

	(void)argv;
	symbols = table_new(2);
	if (!symbols)
		return 1;
	map_init(&counts, 16);
	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		struct entry *e = table_find(symbols, words[i]);

		if (!e->value)
			e->value = malloc(sizeof(double)); /*= ?|double */
		*(double *)e->value = (double)i;
		vector_add(&v, e);
		map_count(&counts, e->hash % 7);
		lru_add(&cache, (int)i, words[i]);
	}
	module_depend(module_load("base"));
	module_load("main");
	for (i = 0; i < 3; i++)
		record_new(i + (size_t)argc);
	if (graph_init(&g, 5) < 0)
		return 1;
	i = bitmap_new(100)->bits;
	printf("%zu %zu %u ", symbols->n, v.n, nmodules); /*= ?|char */
	printf("%zu %d\n", i, g.edges[3][0]);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bulk memory, aligned, by out parameters; text; threads; the library's own. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

struct chunk {
	struct chunk *next;
	size_t used, size;
	_Alignas(16) char bytes[];
};
struct arena {
	struct chunk *chunks;
	size_t chunk_size;
};
/* Objects of one size; free ones are linked through themselves. */
struct pool {
	struct free_one {
		struct free_one *next;
	} * free;
	struct slab {
		struct slab *next;
		unsigned n;
	} * slabs;
	size_t size;
};
struct particle {
	float at[3], speed[3];
	int age;
};
struct world {
	struct particle *particles;
	struct {
		double *x, *y;
		size_t n;
	} grid;
	struct particle **by_age;
	uint32_t *pixels;
	int (*map)[8];
};
struct line {
	struct line *next;
	char *text;
	size_t length;
};
struct text {
	struct line *first, *last;
	wchar_t *title;
	char **words;
	size_t nwords;
};
struct task {
	pthread_t thread;
	struct result {
		long sum;
		long *parts;
	} * result;
	int from, to;
};
struct cache_line {
	_Alignas(64) long hot;
	long cold;
};
struct ring {
	unsigned head, tail, mask;
	struct ring_slot {
		uint64_t stamp;
		void *what;
	} * slots;
};
struct header {
	size_t size;
	unsigned magic;
};

static struct ring *rings[2];
static struct text document;
static const char story[] = "it was\na dark and\nstormy night\n";

static void *
arena_alloc(struct arena *a, size_t n)
{
	struct chunk *c = a->chunks;
	size_t size = a->chunk_size;

	n = (n + 15) & ~(size_t)15;
	if (!c || c->used + n > c->size) {
		if (size < n)
			size = n;
		c = malloc(sizeof(*c) + size); /*= struct chunk */
		if (!c)
			return NULL;
		c->next = a->chunks;
		c->used = 0;
		c->size = size;
		a->chunks = c;
	}
	c->used += n;
	return c->bytes + c->used - n;
}

static void *
pool_get(struct pool *p)
{
	struct free_one *f = p->free;
	unsigned i;

	if (!f) {
		size_t bytes = sizeof(struct slab) + 8 * p->size;
		struct slab *s = malloc(bytes); /*= struct slab */

		s->next = p->slabs;
		s->n = 8;
		p->slabs = s;
		for (i = 0; i < s->n; i++) {
			f = (struct free_one *)((char *)(s + 1) + i * p->size);
			f->next = p->free;
			p->free = f;
		}
		f = p->free;
	}
	p->free = f->next;
	return f;
}

/* The part before the block is the allocator's own. */
static void *
guarded(size_t n)
{
	struct header *h = malloc(sizeof(*h) + n); /*= struct header */

	if (!h)
		return NULL;
	h->size = n;
	h->magic = 0xfeedu;
	return h + 1;
}

static int
world_make(struct world **out, size_t n)
{
	struct particle *p;
	struct world *w;
	size_t i;

	*out = NULL;
	w = calloc(1, sizeof(struct world)); /*= struct world */
	if (!w)
		return -1;
	w->particles = malloc(n * sizeof(*p)); /*= struct particle */
	w->by_age = malloc(n * sizeof(*w->by_age)); /*= struct particle * */
	for (i = 0; i < n; i++) {
		p = &w->particles[i];
		p->age = (int)i;
		w->by_age[i] = p;
	}
	w->grid.n = 2 * n;
	w->grid.x = calloc(w->grid.n, sizeof(double)); /*= double */
	w->grid.y = calloc(w->grid.n, sizeof(double)); /*= double */
	w->pixels = malloc(n * n * 4); /*= uint32_t */
	memset(w->pixels, 0, n * n * 4);
	w->map = malloc(n * sizeof(*w->map)); /*= int|int[8]|int [8] */
	w->map[0][1] = 2;
	*out = w;
	return 0;
}

static int
ring_make(struct ring **out, unsigned size)
{
	struct ring *r;
	size_t bytes;
	void *p;

	if (posix_memalign(&p, 64, sizeof(struct ring))) /*= struct ring */
		return -1;
	r = p;
	r->head = r->tail = 0;
	r->mask = size - 1;
	bytes = size * sizeof(struct ring_slot);
	r->slots = aligned_alloc(32, bytes); /*= struct ring_slot */
	r->slots[0].stamp = 0;
	*out = r;
	return 0;
}

static long
lines(void)
{
	struct cache_line *c;
	long cold;
	int i;

	i = posix_memalign((void **)&c, 64, 512); /*= struct cache_line */
	if (i)
		return -1;
	for (i = 0; i < 4; i++)
		c[i].hot = c[i].cold = i;
	cold = c[3].cold;
	free(c);
	return cold;
}

static void
text_line(struct text *t, const char *from, size_t n)
{
	struct line *l = malloc(sizeof(*l)); /*= struct line */

	l->text = strndup(from, n); /*= char */
	l->length = n;
	l->next = NULL;
	if (t->last)
		t->last->next = l;
	else
		t->first = l;
	t->last = l;
}

static void
text_read(struct text *t, const char *s)
{
	const char *end;
	wchar_t *title;

	for (; (end = strchr(s, '\n')); s = end + 1)
		text_line(t, s, (size_t)(end - s));
	title = malloc(8 * sizeof(*title)); /*= wchar_t|int */
	wcscpy(title, L"A story");
	t->title = title;
}

static size_t
text_words(struct text *t)
{
	const struct line *l;
	char *s, *word, *rest;

	for (l = t->first; l; l = l->next) {
		s = malloc(l->length + 1); /*= char */
		memcpy(s, l->text, l->length + 1);
		for (word = strtok_r(s, " ", &rest); word;
		     word = strtok_r(NULL, " ", &rest)) {
			size_t n = (t->nwords + 1) * sizeof(char *);

			t->words = realloc(t->words, n); /*= char * */
			t->words[t->nwords++] = strdup(word); /*= char */
		}
		free(s);
	}
	return t->nwords;
}

static char *
describe(const struct text *t)
{
	char *s = NULL;

	if (asprintf(&s, "%zu words", t->nwords) < 0) /*= char */
		return NULL;
	return s;
}

static void *
run(void *arg)
{
	struct task *t = arg;
	struct result *r = malloc(sizeof(*r)); /*= struct result */
	int i, n = t->to - t->from;

	r->sum = 0;
	r->parts = malloc((size_t)n * sizeof(long)); /*= long|long int */
	for (i = 0; i < n; i++) {
		r->parts[i] = t->from + i;
		r->sum += r->parts[i];
	}
	t->result = r;
	return r;
}

static long
run_all(int n)
{
	struct task *tasks, *t;
	long sum = 0;

	tasks = calloc((size_t)n, sizeof(*tasks)); /*= struct task */
	for (t = tasks; t < tasks + n; t++) {
		t->from = (int)(t - tasks) * 10;
		t->to = t->from + 10;
		pthread_create(&t->thread, NULL, run, t); /*= ?|dtv_t */
	}
	for (t = tasks; t < tasks + n; t++) {
		pthread_join(t->thread, NULL);
		sum += t->result->sum;
	}
	return sum;
}

/* A scratch buffer; no code says of which type. */
static unsigned
checksum(size_t n)
{
	void *p = malloc(n); /*= ? */
	unsigned sum;

	memset(p, 3, n);
	memcpy(&sum, p, sizeof(sum));
	free(p);
	return sum;
}

int
main(int argc, char **argv)
{
	struct arena a = { NULL, 256 };
	struct pool pool = { NULL, NULL, sizeof(struct particle) };
	struct particle *p, *q;
	struct world *w;
	char *line = NULL;
	size_t room = 0;
	long *kept;
	FILE *f;
	int i;

	p = arena_alloc(&a, sizeof(*p));
	for (i = 0; i < 20; i++) {
		q = pool_get(&pool);
		q->age = i;
		q = arena_alloc(&a, sizeof(*q));
		q->age = p->age = i;
	}
	kept = guarded(10 * sizeof(*kept));
	kept[0] = argc;
	if (world_make(&w, 5) || ring_make(&rings[0], 8) ||
	    ring_make(&rings[1], 16))
		return 1;
	text_read(&document, story);
	text_words(&document);
	f = fopen(argv[0], "r"); /*= ?|struct locked_FILE */
	if (f && getline(&line, &room, f) < 0) /*= char|? */
		return 1;
	printf("%d %ld %u ", p->age, run_all(3), checksum(32)); /*= ?|char */
	printf("%s %d %ld\n", describe(&document), w->map[0][1], lines());
	return 0;
}

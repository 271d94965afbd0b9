/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutual recursion.
 *
 *	recurse fg		the paper's: main > F > G > F > G > malloc(10)
 *	recurse self N		main > count > count ... N deep > malloc(24)
 *	recurse parse EXPR	a recursive-descent parser: parse_sum >
 *				parse_product > parse_factor > parse_sum ...,
 *				a node of 40 bytes for each number and operator
 *	recurse twins N M	main > twins > twin_count ... N deep >
 *				malloc(24), 2M times, by turns from two places
 *	recurse stairs N	stair ... N deep; each allocates 16 bytes on the
 *				way down and 16 on the way up, and frees them
 *	recurse graph SEED N	N random walks of up to 24 calls in a random
 *				graph of 8 functions with 4 calls each; each
 *				walk ends with a block of 1 to 40 bytes; half of
 *				the blocks are freed later
 *	recurse insert N	a binary tree of N nodes of 24 bytes, each put
 *				in by recursion at a random place
 *	recurse teeth N D M	M times N + (0 ... D) deep and back: tooth
 *				allocates 32 bytes where it turns round
 *	recurse ladder N	one function that calls itself from 16 places;
 *				N (at most 16) of them are called in orders that
 *				each add one call to an earlier order: a block
 *				of 24 bytes for each, N (N + 1) / 2
 *	recurse race T N	ladder N in each of T threads at once
 *	recurse handler N	climb ... 1 to N deep > raise > a handler, which
 *				counts 1 to N deep and parses an expression
 *	recurse plug N LIB...	N times: load the next library, go plug_deep
 *				1 to N deep in it, and close it
 *	recurse jit N		count ... 1 to N deep, through code that belongs
 *				to no module and has no unwind tables
 *
 * For fg: one allocation of 10 bytes; F and G are each twice on the call path.
 * For parse "(1+2)*(3+(4*5))": 5 numbers and 4 operators, 9 nodes, 360 bytes,
 * not freed; main and parse_sum have all 360.  For stairs N: 2N allocations;
 * for each d = 1 ... N two have d frames of stair on their call path.  For
 * twins: M blocks on each path.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *F(int n);
void *G(int n);

void *
G(int n)
{
	return n ? F(n - 1) : malloc(10);
}

void *
F(int n)
{
	return G(n);
}

static void *
count(int n)
{
	void *p = n > 1 ? count(n - 1) : malloc(24);

	/* Not a tail call. */
	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

struct node {
	struct node *left, *right;
	long value;
	char op;
	char pad[15];
};

static const char *at;

static struct node *parse_sum(void);

static struct node *
parse_number(void)
{
	struct node *n = calloc(1, sizeof(*n));
	char *end;

	n->value = strtol(at, &end, 10);
	at = end;
	return n;
}

static struct node *
parse_factor(void)
{
	struct node *n;

	if (*at != '(')
		return parse_number();
	at++;
	n = parse_sum();
	at++;
	return n;
}

static struct node *
binary(char op, struct node *left, struct node *right)
{
	struct node *n = malloc(sizeof(*n));

	n->op = op;
	n->left = left;
	n->right = right;
	return n;
}

static struct node *
parse_product(void)
{
	struct node *n = parse_factor();

	while (*at == '*') {
		at++;
		n = binary('*', n, parse_factor());
	}
	return n;
}

static struct node *
parse_sum(void)
{
	struct node *n = parse_product();

	while (*at == '+') {
		at++;
		n = binary('+', n, parse_product());
	}
	return n;
}

static void *
twin_count(int n)
{
	void *p = n > 1 ? twin_count(n - 1) : malloc(24);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static void *
twins(int n, int m)
{
	void *p = NULL;

	for (int i = 0; i < m; i++) {
		p = twin_count(n);
		p = twin_count(n);
	}
	return p;
}

static void
stair(int n)
{
	free(malloc(16));
	if (n > 1)
		stair(n - 1);
	free(malloc(16));
}

static void
tooth(int n)
{
	if (n > 1)
		tooth(n - 1);
	else
		free(malloc(32));
	__asm__ volatile("" : : : "memory");
}

/* Which function calls which, from which place. */
static unsigned edge[8][4];
static uint64_t graph_seed;

static unsigned
draw(unsigned n)
{
	graph_seed =
		graph_seed * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(graph_seed >> 33) % n;
}

struct leaf {
	struct leaf *less, *more;
	uint64_t key;
};

static __attribute__((noinline)) struct leaf *
insert(struct leaf *l, uint64_t key)
{
	if (!l) {
		l = calloc(1, sizeof(*l));
		l->key = key;
	} else if (key < l->key) {
		l->less = insert(l->less, key);
	} else {
		l->more = insert(l->more, key);
	}
	__asm__ volatile("" : : "r"(l) : "memory");
	return l;
}

#define RUNG(i) \
	case i: \
		p = rung(way + 1, n - 1); \
		__asm__ volatile("# rung " #i : : "r"(p) : "memory"); \
		return p;

/* Calls itself from the n places of way. */
static __attribute__((noinline)) void *
rung(const unsigned *way, unsigned n)
{
	void *p = NULL;

	if (!n) {
		p = malloc(24);
		__asm__ volatile("# rung" : : "r"(p) : "memory");
		return p;
	}
	switch (*way) {
		RUNG(0)
		RUNG(1)
		RUNG(2)
		RUNG(3)
		RUNG(4)
		RUNG(5)
		RUNG(6)
		RUNG(7)
		RUNG(8)
		RUNG(9)
		RUNG(10)
		RUNG(11)
		RUNG(12)
		RUNG(13)
		RUNG(14)
		RUNG(15)
	}
	return p;
}

/* All places taken before, once each, then the last one, then the next. */
static void
ladder(unsigned n)
{
	unsigned way[18], last = 0, known = 0;

	for (unsigned s = 0; s < n && s < 16; s++)
		for (unsigned j = 0; j <= s; j++) {
			for (unsigned i = 0; i < known; i++)
				way[i] = i;
			way[known] = last;
			last = j ? j - 1 : s;
			way[known + 1] = last;
			rung(way, known + 2);
			known = s + (j > 0);
		}
}

static void *(*const graph[8])(unsigned n);

/* Each call has its own code, and so its own address. */
#define CALL(f, i) \
	case i: \
		p = graph[edge[f][i]](n - 1); \
		__asm__ volatile("# " #f " " #i : : "r"(p) : "memory"); \
		return p;
#define FUNCTION(f) \
	static __attribute__((noinline)) void *graph_##f(unsigned n) \
	{ \
		void *p = NULL; \
		if (!n) { \
			p = malloc(1 + draw(40)); \
			__asm__ volatile("# " #f : : "r"(p) : "memory"); \
			return p; \
		} \
		switch (draw(4)) { \
			CALL(f, 0) \
			CALL(f, 1) \
			CALL(f, 2) \
			CALL(f, 3) \
		} \
		return p; \
	}
FUNCTION(0)
FUNCTION(1)
FUNCTION(2)
FUNCTION(3)
FUNCTION(4)
FUNCTION(5)
FUNCTION(6)
FUNCTION(7)
static void *(*const graph[8])(unsigned n) = { graph_0, graph_1, graph_2,
					       graph_3, graph_4, graph_5,
					       graph_6, graph_7 };

static void
walks(unsigned seed, unsigned n)
{
	void *last[16] = { NULL };
	unsigned reach;

	graph_seed = seed;
	/* Some graphs are all one cycle, some have no cycle. */
	reach = 1 + draw(8);
	for (unsigned f = 0; f < 8; f++)
		for (unsigned i = 0; i < 4; i++)
			edge[f][i] = (f + draw(reach) + (reach < 3)) % 8;
	while (n-- > 0) {
		void *p = graph[draw(2)](draw(24));
		unsigned i = draw(32);

		if (i < 16) {
			free(last[i]);
			last[i] = p;
		}
	}
}

static pthread_barrier_t start;

static void *
racer(void *arg)
{
	pthread_barrier_wait(&start);
	ladder(*(unsigned *)arg);
	return NULL;
}

static void
race(unsigned threads, unsigned n)
{
	pthread_t id[64];

	threads = threads < 64 ? threads : 64;
	pthread_barrier_init(&start, NULL, threads);
	for (unsigned i = 0; i < threads; i++)
		pthread_create(&id[i], NULL, racer, &n);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(id[i], NULL);
}

static int deepest;

static void
on_signal(int sig)
{
	(void)sig;
	for (int i = 1; i <= deepest; i++)
		count(i);
	at = "(1+2)*(3+4)";
	parse_sum();
}

static void
climb(int n)
{
	if (n > 1)
		climb(n - 1);
	else
		raise(SIGUSR1);
	__asm__ volatile("" : : : "memory");
}

static void
climbs(int n)
{
	deepest = n;
	signal(SIGUSR1, on_signal);
	for (int i = 1; i <= n; i++)
		climb(i);
}

static void
plugs(int n, char **lib, int libs)
{
	for (int i = 0; i < n; i++) {
		void *h = dlopen(lib[i % libs], RTLD_NOW);
		void *(*deep)(int) = NULL;

		if (h && !(deep = (void *(*)(int))dlsym(h, "plug_deep")))
			deep = (void *(*)(int))dlsym(h, "other_deep");
		for (int k = 1; deep && k <= n; k++)
			deep(k);
		if (h)
			dlclose(h);
	}
}

/* Calls f with a frame pointer and no unwind tables. */
static void *(*through)(int n, void *(*f)(int));

static void *
jitted(int n)
{
	void *p = n > 1 ? through(n - 1, jitted) : count(3);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static void
jit(int n)
{
	static const unsigned char code[] = {
		0x55, 0x48, 0x89, 0xe5, /* push %rbp; mov %rsp, %rbp */
		0xff, 0xd6, 0x5d, 0xc3	/* call *%rsi; pop %rbp; ret */
	};
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return;
	memcpy(page, code, sizeof(code));
	through = (void *(*)(int, void *(*)(int)))page;
	for (int i = 1; i <= n; i++)
		jitted(i);
}

static int
other_kinds(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (!strcmp(what, "race") && argc > 3)
		race((unsigned)n, (unsigned)atoi(argv[3]));
	else if (!strcmp(what, "handler"))
		climbs(n);
	else if (!strcmp(what, "plug") && argc > 3)
		plugs(n, argv + 3, argc - 3);
	else if (!strcmp(what, "jit"))
		jit(n);
	return 0;
}

int
main(int argc, char **argv)
{
	void *volatile p = NULL;

	if (argc > 1 && !strcmp(argv[1], "fg"))
		p = F(1);
	else if (argc > 2 && !strcmp(argv[1], "self"))
		p = count(atoi(argv[2]));
	else if (argc > 2 && !strcmp(argv[1], "parse"))
		p = (at = argv[2], parse_sum());
	else if (argc > 3 && !strcmp(argv[1], "twins"))
		p = twins(atoi(argv[2]), atoi(argv[3]));
	else if (argc > 2 && !strcmp(argv[1], "stairs"))
		stair(atoi(argv[2]));
	else if (argc > 3 && !strcmp(argv[1], "graph"))
		walks((unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]));
	else if (argc > 2 && !strcmp(argv[1], "insert"))
		for (int i = 0; i < atoi(argv[2]); i++)
			p = insert(p, draw(1u << 30));
	else if (argc > 4 && !strcmp(argv[1], "teeth"))
		for (int i = 0; i < atoi(argv[4]); i++)
			tooth(atoi(argv[2]) + i % (atoi(argv[3]) + 1));
	else if (argc > 2 && !strcmp(argv[1], "ladder"))
		ladder((unsigned)atoi(argv[2]));
	else
		return other_kinds(argc, argv);
	return p == NULL;
}

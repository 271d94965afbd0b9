/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kinds of code whose instructions access-cost.t counts.  The function
 * measured_KIND runs a number of rounds of a kind.  Each kind runs a few rounds
 * before, so that the cost of the first ones isn't counted.
 *
 *	cost ROUNDS [KIND]
 *
 * The comment above a kind describes a round.  cost_plain.c has the functions
 * that are not recorded.
 */
#include <fcntl.h>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <pthread.h>
#include <queue>
#include <regex>
#include <semaphore.h>
#include <sstream>
#include <string>
#include <variant>
#include <vector>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define KIND __attribute__((noinline)) static void

struct tree {
	tree *child[2];
	unsigned long key;
};
struct item {
	item *next;
	unsigned long value;
};
extern "C" {
void use(const void *p);
void use_tree(const tree *t);
void use_link(const item *l);
}

static volatile unsigned long sink;
static const unsigned side = 100;
static double *matrix;
static char *text, *target, *large;
static std::vector<std::string> *many;
static item *head, *ring;
static tree *root;
static int zero;

/* Goes through a row of varying length and place. */
KIND rows(unsigned rounds)
{
	double sum = 0;

	for (unsigned i = 0; i < rounds; i++) {
		const double *row = matrix + i % side * side;
		for (unsigned k = 0, n = 40 + i * 7 % 60; k < n; k++)
			sum += row[k];
	}
	sink = (unsigned long)sum;
}

/* Adds a row to another one. */
KIND products(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		const double *from = matrix + i % side * side;
		double *to = matrix + i * 7 % side * side;
		for (unsigned k = 0; k < side; k++)
			to[k] += from[k] * 3;
	}
}

/* One memcpy of varying length and place. */
KIND copies(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		memcpy(target + i % 1000, text + i % 777, 100 + i * 37 % 3000);
}

/* One memset of varying length and place. */
KIND fills(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		memset(target + i % 1000, 'x', 100 + i * 37 % 3000);
}

/* One read() of varying length. */
KIND reads(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		if (read(zero, target + i % 1000, 100 + i * 37 % 3000) < 0)
			abort();
}

/* 100 accesses, each in another row. */
KIND columns(unsigned rounds)
{
	double sum = 0;

	for (unsigned i = 0; i < rounds; i++)
		for (unsigned row = 0; row < side; row++)
			sum += matrix[row * side + i % side];
	sink = (unsigned long)sum;
}

/* 100 bytes, one by one, up to the one that ends them. */
KIND bytes(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		const char *p = text + i % 100 * 101;
		unsigned long words = 0;
		while (*p != '\n')
			words += *p++ == ' ';
		sink = words;
	}
}

/* 100 links of a list: 200 accesses. */
KIND lists(unsigned rounds)
{
	unsigned long sum = 0;

	for (unsigned i = 0; i < rounds; i++)
		for (const item *l = head; l; l = l->next)
			sum += l->value;
	sink = sum;
}

static unsigned long sum(const tree *t)
{
	return t ? t->key + sum(t->child[0]) + sum(t->child[1]) : 0;
}

/* 127 nodes of a tree: 381 accesses. */
KIND trees(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		sink = sum(root);
}

/* A string of 100 characters: 100 times push_back. */
KIND strings(unsigned rounds)
{
	std::string s;

	for (unsigned i = 0; i < rounds; i++) {
		s.clear();
		for (unsigned k = 0; k < 100; k++)
			s.push_back((char)('a' + k % 26));
		sink = s.size();
	}
}

/* Ten times append. */
KIND appends(unsigned rounds)
{
	std::string s;

	for (unsigned i = 0; i < rounds; i++) {
		s.clear();
		for (unsigned k = 0; k < 10; k++)
			s.append("a few letters");
		sink = s.size();
	}
}

/* A word and a number into a stream, which is then emptied: three calls. */
KIND streams(unsigned rounds)
{
	auto out = std::make_unique<std::ostringstream>();

	for (unsigned i = 0; i < rounds; i++) {
		*out << "word" << i;
		out->seekp(0);
	}
	sink = (unsigned long)out->tellp();
}

/* Searches a short line for a pattern. */
KIND patterns(unsigned rounds)
{
	static const std::regex pattern("([a-z]+)=([0-9]+)");
	const std::string line = "size=123";

	for (unsigned i = 0; i < rounds; i++)
		sink = std::regex_match(line, pattern);
}

/* Copies a shared pointer, and calls a function that holds one. */
KIND shared(unsigned rounds)
{
	auto one = std::make_shared<unsigned long>(1);
	std::function<unsigned long(unsigned)> f = [one](unsigned i) {
		return *one + i;
	};

	for (unsigned i = 0; i < rounds; i++) {
		std::shared_ptr<unsigned long> copy = one;
		sink = f(i) + *copy;
	}
}

/* Puts a task into a queue and takes it out; gets the result of its future. */
KIND futures(unsigned rounds)
{
	std::queue<std::packaged_task<unsigned long()>> tasks;

	for (unsigned i = 0; i < rounds; i++) {
		tasks.emplace([i] { return i + 1ul; });
		std::future<unsigned long> result = tasks.front().get_future();
		tasks.front()();
		tasks.pop();
		sink = result.get();
	}
}

static sem_t turn[2];
static unsigned long *counters;
static unsigned turns;

static void take_turns(unsigned me, unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		sem_wait(&turn[me]);
		for (unsigned k = 0; k < 10; k++) {
			__atomic_store_n(&counters[me], k, __ATOMIC_RELAXED);
			__atomic_store_n(&counters[me + 8], k, __ATOMIC_RELAXED);
		}
		sem_post(&turn[1 - me]);
	}
}

extern "C" __attribute__((noinline)) void *other_thread(void *)
{
	take_turns(1, turns);
	return nullptr;
}

/* Two threads write to their counters in turn, 20 times each, and the counters
 * are in the same granules. */
KIND sharing(unsigned rounds)
{
	pthread_t other;

	turns = rounds;
	pthread_create(&other, nullptr, other_thread, nullptr);
	sem_post(&turn[0]);
	take_turns(0, rounds);
	pthread_join(other, nullptr);
	sem_wait(&turn[0]);
}

/* A function that isn't recorded gets a large block. */
KIND blocks(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		use(text);
}

/* ... the middle of one. */
KIND insides(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		use(text + 5000 + i % 100);
}

/* ... a tree of 127 nodes. */
KIND reached_trees(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		use_tree(root);
}

/* ... a ring of 1000 links, each time at another link, which has changed. */
KIND reached_rings(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		use_link(ring);
		ring = ring->next;
	}
}

/* ... a tree of 127 nodes, after one of them has changed. */
KIND reached_changes(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		tree *t = root->child[i & 1];
		std::swap(t->child[0], t->child[1]);
		use_tree(root);
	}
}

/* ... a place far inside a block of 4 MB. */
KIND far_insides(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		use(large + (3 << 20) + i % 1000 * 64);
}

/* Appends to a string that is in a vector of 10,000 strings. */
KIND members(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		(*many)[i * 7 % many->size()].append("letters");
}

/* Puts a name into a map of 100 names, where it replaces another name. */
KIND maps(unsigned rounds)
{
	std::map<std::string, std::unique_ptr<item>> names;

	for (unsigned i = 0; i < rounds; i++) {
		if (names.size() >= 100)
			names.erase(names.begin());
		names.emplace(std::string(1, (char)('a' + i % 26)) +
				      std::string(20, (char)('a' + i % 7)),
			      nullptr);
	}
}

struct value {
	std::variant<double, std::string, std::vector<value>,
		     std::map<std::string, value>> is;
};

/* Puts an object of two members into a list of up to 1000 of them: two names,
 * one string, five blocks. */
KIND variants(unsigned rounds)
{
	std::vector<value> list;

	for (unsigned i = 0; i < rounds; i++) {
		std::map<std::string, value> o;
		o["number"] = { (double)i };
		o["name"] = { std::string("some letters that need a block") };
		if (list.size() == 1000)
			list.clear();
		list.push_back({ std::move(o) });
	}
	sink = list.size();
}

static tree *make(unsigned depth)
{
	tree *t = (tree *)malloc(sizeof(*t));

	t->key = depth;
	t->child[0] = depth ? make(depth - 1) : nullptr;
	t->child[1] = depth ? make(depth - 1) : nullptr;
	return t;
}

static item *links(unsigned n)
{
	item *first = nullptr;

	for (unsigned i = 0; i < n; i++)
		first = new item{ first, i };
	return first;
}

#define KINDS(k) k(rows) k(products) k(copies) k(fills) k(reads) k(columns) \
	k(bytes) k(lists) k(trees) k(strings) k(appends) k(streams) \
	k(patterns) k(shared) k(futures) k(sharing) k(blocks) k(insides) \
	k(reached_trees) k(reached_rings) k(reached_changes) k(far_insides) \
	k(members) k(maps) k(variants)
#define MEASURED(kind) \
	extern "C" __attribute__((noinline)) void measured_##kind(unsigned n) \
	{ \
		kind(n); \
		sink = n; \
	}
KINDS(MEASURED)

int main(int argc, char **argv)
{
	unsigned rounds = (unsigned)atoi(argv[1]);
	const char *only = argc > 2 ? argv[2] : nullptr;
	item *last;

	zero = open("/dev/zero", O_RDONLY);
	matrix = (double *)calloc(side * side, sizeof(*matrix));
	text = (char *)malloc(10100);
	target = (char *)malloc(5000);
	large = (char *)malloc(4 << 20);
	many = new std::vector<std::string>(10000);
	counters = (unsigned long *)calloc(16, sizeof(*counters));
	for (unsigned i = 0; i < 10100; i++)
		text[i] = "ab \n"[i % 101 == 100 ? 3 : i % 3];
	head = links(100);
	ring = last = links(1000);
	while (last->next)
		last = last->next;
	last->next = ring;
	root = make(6);
	sem_init(&turn[0], 0, 0);
	sem_init(&turn[1], 0, 0);
#define RUN(kind) \
	if (!only || strcmp(only, #kind) == 0) { \
		kind(20); \
		measured_##kind(rounds); \
	}
	KINDS(RUN)
	puts("done");
	return 0;
}

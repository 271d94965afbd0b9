/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first words of live blocks, at the end.  From one place each, in main:
 *
 *	circle	30 objects of 24 bytes, 10 deleted
 *	square	20 objects of 32 bytes, none deleted
 *	mixed	15 circles and 5 squares from one call of new
 *	hidden	8 circles on a page that can't be read: memmon can't know them
 *	plain	50 blocks of numbers; 3 of less than a word
 *	code	5 blocks that begin with the address of a function
 *	table	4 blocks of 16 bytes that begin with the address of a variable
 *
 * With arguments N SIZE: N more circles, each in a block
 * of SIZE bytes.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

struct shape {
	virtual ~shape() {}
	virtual int corners() const = 0;
};

struct circle : shape {
	double r[2];
	int corners() const override { return 0; }
};

struct square : shape {
	double r[3];
	int corners() const override { return 4; }
};

static long variable[4];
static shape *circles[30], *squares[20], *mixed[20];
static void *plain[53], *code[5], *table[4], *hidden;

static __attribute__((noinline)) void *
make(bool round)
{
	return operator new(round ? sizeof(circle) : sizeof(square));
}

static void
others()
{
	void (*f)() = others;
	void *p = variable;

	for (int i = 0; i < 50; i++) {
		plain[i] = malloc(40);
		memset(plain[i], i, 40);
	}
	for (int i = 50; i < 53; i++)
		plain[i] = malloc(4);
	for (int i = 0; i < 5; i++)
		memcpy(code[i] = malloc(16), &f, sizeof(f));
	for (int i = 0; i < 4; i++)
		memcpy(table[i] = malloc(16), &p, sizeof(p));
	hidden = aligned_alloc(4096, 4096);
	for (int i = 0; i < 8; i++)
		new (static_cast<char *>(hidden) + 24 * i) circle;
	mprotect(hidden, 4096, PROT_NONE);
}

int
main(int argc, char **argv)
{
	static void **more;
	size_t n = argc > 1 ? strtoul(argv[1], nullptr, 10) : 0;
	size_t size = argc > 2 ? strtoul(argv[2], nullptr, 10) : 24;

	for (auto &c : circles)
		c = new circle;
	for (auto &s : squares)
		s = new square;
	for (int i = 0; i < 20; i++) {
		void *p = make(i < 15);

		if (i < 15)
			mixed[i] = new (p) circle;
		else
			mixed[i] = new (p) square;
	}
	for (int i = 0; i < 10; i++)
		delete circles[3 * i];
	others();
	more = n ? static_cast<void **>(malloc(n * sizeof(void *))) : nullptr;
	for (size_t i = 0; i < n; i++)
		more[i] = new (malloc(size)) circle;
	return 0;
}

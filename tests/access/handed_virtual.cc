// SPDX-License-Identifier: GPL-3.0-or-later
//
// Objects whose virtual functions are in a library that isn't recorded (PART
// 0), and others; each virtual call is of one place.  Blocks, and how many of
// them were handed over:
//
//	foreign		1 1	to an object of the library's
//	own		1 0	to one of the program's
//	beside		1 0	... by its second base
//	virtually	1 0	... by one that is virtual
//	object		2 2	the library's objects, made by the program
//	mine		4 0	the program's, by the same calls
//	thrown		3 3	to a function of the library's that throws
//	caught		1 0	... of the program's
#include <cstdlib>

#define NOINLINE __attribute__((noinline, noclone))

struct first {
	long a;
	virtual void one(char *p) = 0;
	virtual ~first();
};
struct sink {
	long b;
	virtual void fill(char *p) = 0;
	virtual ~sink();
};
struct theirs : sink {
	void fill(char *p) override;
};
struct thrower : sink {
	void fill(char *p) override;
};

#if PART == 0
first::~first() = default;
sink::~sink() = default;
void
theirs::fill(char *p)
{
	((volatile char *)p)[b] = 1;
}
void
thrower::fill(char *p)
{
	((volatile char *)p)[b] = 1;
	throw p;
}
#else
struct ours : sink {
	void
	fill(char *p) override
	{
		((volatile char *)p)[b] = 1;
	}
};
struct both : first, ours {
	void
	one(char *p) override
	{
		fill(p);
	}
	void
	fill(char *p) override
	{
		((volatile char *)p)[b + 1] = 1;
	}
};
struct ours_throws : sink {
	void
	fill(char *p) override
	{
		((volatile char *)p)[b] = 1;
		throw p;
	}
};
struct apart : virtual sink {
	long c = 0;
	void
	fill(char *p) override
	{
		((volatile char *)p)[c] = 1;
	}
};

extern "C" {
NOINLINE char *
foreign()
{
	return (char *)calloc(1, 64);
}
NOINLINE char *
own()
{
	return (char *)calloc(1, 64);
}
NOINLINE char *
beside()
{
	return (char *)calloc(1, 64);
}
NOINLINE char *
virtually()
{
	return (char *)calloc(1, 64);
}
NOINLINE char *
thrown()
{
	return (char *)calloc(1, 64);
}
NOINLINE char *
caught()
{
	return (char *)calloc(1, 64);
}
NOINLINE sink *
object(bool throws)
{
	return throws ? (sink *)new thrower() : new theirs();
}
NOINLINE sink *
mine(int kind)
{
	switch (kind) {
	case 0:
		return new ours();
	case 1:
		return new both();
	case 2:
		return new ours_throws();
	default:
		return new apart();
	}
}
}

NOINLINE void
fill(sink *s, char *p)
{
	s->b = 0;
	s->fill(p);
}

struct at_end {
	unsigned *n;
	~at_end()
	{
		++*n;
	}
};

// How many of n calls throw, as they must.
NOINLINE static unsigned
fill_all(sink *s, char *(*block)(), int n)
{
	unsigned ends = 0, catches = 0;

	for (int i = 0; i < n; i++) {
		char *p = block();

		try {
			at_end e = { &ends };

			s->fill(p);
		} catch (char *q) {
			catches += q == p;
		}
	}
	return ends == catches ? catches : 0;
}

int
main()
{
	fill(object(false), foreign());
	fill(mine(0), own());
	fill(mine(1), beside());
	fill(mine(3), virtually());
	return fill_all(object(true), thrown, 3) != 3 ||
	       fill_all(mine(2), caught, 1) != 1;
}
#endif

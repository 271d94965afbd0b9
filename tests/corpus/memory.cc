// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to memory: arrays, placement, the program's own allocators, operators.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#if __has_include(<memory_resource>)
#include <memory_resource>
#endif
#include <new>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))

const void *volatile sink;

struct point {
	double x, y, z;
};

struct particle {
	point at, speed;
	int id;
	particle() : at(), speed(), id(7)
	{
	}
	~particle()
	{
		sink = this;
	}
};

struct matrix {
	int rows, columns;
	double *cells;
	matrix(int r, int c) : rows(r), columns(c)
	{
		cells = new double[(size_t)(r * c)](); //= double
	}
	~matrix()
	{
		delete[] cells;
	}
};

struct alignas(64) line {
	char bytes[64];
	line()
	{
		bytes[0] = 1;
	}
};

/* An allocator that counts. */
template <class T> struct counting {
	using value_type = T;
	counting() = default;
	template <class U> counting(const counting<U> &)
	{
	}
	T *
	allocate(size_t n)
	{
		used += n * sizeof(T);
		return static_cast<T *>(::operator new(n * sizeof(T)));
	}
	void
	deallocate(T *p, size_t)
	{
		::operator delete(p);
	}
	bool
	operator==(const counting &) const
	{
		return true;
	}
	bool
	operator!=(const counting &) const
	{
		return false;
	}
	static size_t used;
};
template <class T> size_t counting<T>::used;

/* An allocator that calls malloc. */
template <class T> class mallocator {
public:
	typedef T value_type;
	mallocator() = default;
	template <class U> mallocator(const mallocator<U> &)
	{
	}
	T *
	allocate(std::size_t n)
	{
		void *p = std::malloc(n * sizeof(T));
		if (!p)
			throw std::bad_alloc();
		return static_cast<T *>(p);
	}
	void
	deallocate(T *p, std::size_t)
	{
		std::free(p);
	}
	friend bool
	operator==(const mallocator &, const mallocator &)
	{
		return true;
	}
	friend bool
	operator!=(const mallocator &, const mallocator &)
	{
		return false;
	}
};

/* A class with its own operators. */
struct cell {
	long value;
	cell *next;
	explicit cell(long v) : value(v), next(nullptr)
	{
	}
	static void *
	operator new(size_t n)
	{
		count++;
		return malloc(n);
	}
	static void
	operator delete(void *p)
	{
		free(p);
	}
	static int count;
};
int cell::count;

/* A pool of things, which are taken from blocks. */
template <class T, size_t N> class pool {
	union slot {
		slot *next;
		alignas(T) unsigned char bytes[sizeof(T)];
	};
	struct chunk {
		chunk *next;
		slot slots[N];
	};
	chunk *chunks_ = nullptr;
	slot *free_ = nullptr;

	NOINLINE void
	more()
	{
		chunk *c = new chunk; //= pool<particle, 16>::chunk|pool<cell, 8>::chunk
		c->next = chunks_;
		chunks_ = c;
		for (slot &s : c->slots) {
			s.next = free_;
			free_ = &s;
		}
	}

public:
	template <class... A>
	T *
	make(A... a)
	{
		if (!free_)
			more();
		slot *s = free_;
		free_ = s->next;
		return ::new (s->bytes) T(a...);
	}
	~pool()
	{
		while (chunks_) {
			chunk *c = chunks_;
			chunks_ = c->next;
			delete c;
		}
	}
};

/* An arena hands out bytes. */
class arena {
	struct block {
		block *next;
		size_t used;
		char data[4096 - 16];
	};
	block *top_ = nullptr;

public:
	NOINLINE void *
	get(size_t n)
	{
		if (!top_ || top_->used + n > sizeof(top_->data)) {
			block *b = static_cast<block *>(malloc(sizeof(block))); //= arena::block
			b->next = top_;
			b->used = 0;
			top_ = b;
		}
		void *p = top_->data + top_->used;
		top_->used += (n + 15) / 16 * 16;
		return p;
	}
	~arena()
	{
		while (top_) {
			block *b = top_;
			top_ = b->next;
			free(b);
		}
	}
};

static void
arrays(int n)
{
	auto *a = new point[(size_t)n]; //= point
	sink = a;
	delete[] a;
	auto *b = new particle[(size_t)n]; //= particle
	sink = b;
	delete[] b;
	auto *c = new std::string[5]; //= std::string
	sink = c;
	delete[] c;
	auto *d = new int[20](); //= int
	sink = d;
	delete[] d;
	point **e = new point *[10]; //= point*
	sink = e;
	for (int i = 0; i < 10; i++)
		e[i] = new point{ 1, 2, (double)i }; //= point
	for (int i = 0; i < 10; i++)
		delete e[i];
	delete[] e;
	double(*f)[4] = new double[3][4]; //= double|double[4]
	sink = f;
	delete[] f;
	auto *g = new (std::nothrow) particle; //= particle
	if (g)
		g->id = n;
	delete g;
	auto *h = new (std::nothrow) unsigned short[30]; //= unsigned short
	sink = h;
	delete[] h;
	line *i = new line; //= line
	sink = i;
	delete i;
	matrix m(n, n + 1);
	sink = m.cells;
	matrix *k = new matrix(2, 2); //= matrix|double
	sink = k;
	delete k;
	auto *l = new std::vector<int>[3]; //= std::vector<int>
	l[0].assign(9, n); //= int
	sink = l;
	delete[] l;
	char *s = new char[100]; //= char
	strcpy(s, "text");
	sink = s;
	delete[] s;
	wchar_t *w = new wchar_t[16]; //= wchar_t
	sink = w;
	delete[] w;
	bool *flags = new bool[64]; //= bool
	flags[n & 63] = true;
	sink = flags;
	delete[] flags;
}

static void
placements(int n)
{
	void *raw = malloc(sizeof(particle)); //= particle
	particle *p = new (raw) particle;
	sink = p;
	p->~particle();
	free(raw);
	matrix *m = static_cast<matrix *>(::operator new(sizeof(matrix))); //= matrix
	new (m) matrix(n, n); //= double
	sink = m;
	m->~matrix();
	::operator delete(m);
	point *q = static_cast<point *>(calloc(5, sizeof(point))); //= point
	sink = q;
	free(q);
	q = (point *)malloc(3 * sizeof *q); //= point
	q = (point *)realloc(q, 6 * sizeof *q); //= point
	sink = q;
	free(q);
	cell *c = new cell(n); //= cell
	c->next = new cell(2); //= cell
	sink = c;
	delete c->next;
	delete c;
	pool<particle, 16> particles;
	sink = particles.make();
	pool<cell, 8> cells;
	sink = cells.make(3L);
	arena a;
	for (int i = 0; i < 100; i++)
		sink = new (a.get(sizeof(particle))) particle;
	std::string *t = static_cast<std::string *>(malloc(sizeof(std::string))); //= std::string
	new (t) std::string(60, 'b'); //= std::string chars
	sink = t;
	t->~basic_string();
	free(t);
}

static void
allocators(int n)
{
	std::vector<point, counting<point>> v;
	v.resize((size_t)n); //= point
	std::list<int, counting<int>> l;
	l.push_back(n); //= std::list<int> node|std::list<int, counting<int>> node
	std::map<int, long, std::less<int>, counting<std::pair<const int, long>>> m;
	m[n] = 1; //= std::map<int, long> node|std::map<int, long, std::less<int>, counting<std::pair<const int, long>>> node
	std::vector<double, mallocator<double>> d;
	d.push_back(n); //= double
	std::basic_string<char, std::char_traits<char>, mallocator<char>> s;
	s.assign(80, 'z'); //= char|std::basic_string<char, std::char_traits<char>, mallocator<char>> chars
	std::allocator<particle> own;
	particle *p = std::allocator_traits<std::allocator<particle>>::allocate(own, 2); //= particle
	sink = p;
	own.deallocate(p, 2);
	auto shared = std::allocate_shared<point>(counting<point>()); //= std::make_shared<point>
	sink = shared.get();
	std::vector<point> sorted(64); //= point
	std::stable_sort(sorted.begin(), sorted.end(), [](const point &a, const point &b) { return a.x < b.x; }); //= point
	sink = &sorted;
}

static void
resources(int n)
{
#if __has_include(<memory_resource>)
	std::pmr::monotonic_buffer_resource chunks(1024);
	std::pmr::vector<int> v(&chunks);
	v.resize((size_t)n + 10); //= std::pmr::monotonic_buffer_resource chunk
	auto *heap = std::pmr::new_delete_resource();
	std::pmr::vector<point> w(heap);
	w.resize(5); //= point
	std::pmr::string s("a string of quite some length", heap); //= std::pmr::string chars
	std::pmr::list<long> l(heap);
	l.push_back(n); //= std::pmr::list<long> node
	std::pmr::map<int, int> m(heap);
	m[n] = n; //= std::pmr::map<int, int> node
	sink = &s;
#endif
	sink = &n;
}

int
main(int argc, char **)
{
	arrays(argc + 2);
	placements(argc);
	allocators(argc + 3);
	resources(argc);
	return 0;
}

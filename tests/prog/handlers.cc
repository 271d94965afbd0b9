/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Handlers that the library calls, never the program itself.  Each of them
 * keeps one block of its own size:
 *
 *	std::function in a map	on_open 1001, on_read 1002, lambdas 1003 and
 *				1018, shop::counter::operator() 1004
 *	std::sort, qsort	by_name 1005, by_size 1006
 *	std::thread, async	work 1007, later 1008
 *	virtual calls		shop::circle::draw 1009
 *	std::for_each		std::string shop::text<int> 1010, a template
 *				whose result is the library's
 *	templates		shop::pool<std::string>::get 1011,
 *				std::vector<shop::item>::reserve 1012, by main
 *	core::start, alloc::start
 *				1013, 1014: namespaces of Rust's library, here
 *				the program's own
 *	an allocator		shop::arena<int>::allocate 1016, for a vector of
 *				fill's
 *	std::function		deep 1017, by a function of its own, inner
 */
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <string>
#include <thread>
#include <vector>

#define NOINLINE __attribute__((noinline))

static void *volatile sink;

/* In the function itself; the store keeps it from being a jump. */
#define KEEP(size) (sink = std::malloc(size))

static std::map<std::string, std::function<void(int)>> handlers;

static void
on_open(int)
{
	KEEP(1001);
}

static void
on_read(int)
{
	KEEP(1002);
}

namespace shop
{

struct counter {
	NOINLINE void
	operator()(int) const
	{
		KEEP(1004);
	}
};

struct shape {
	virtual void draw() = 0;
	virtual ~shape() = default;
};

struct circle : shape {
	void
	draw() override
	{
		KEEP(1009);
	}
};

struct item {
	char bytes[1012];
};

template <class T> struct pool {
	NOINLINE void
	get()
	{
		KEEP(1011);
	}
};

template <class T> struct arena {
	using value_type = T;
	NOINLINE T *
	allocate(std::size_t n)
	{
		return static_cast<T *>(KEEP(n * sizeof(T)));
	}
	void
	deallocate(T *p, std::size_t)
	{
		std::free(p);
	}
	bool
	operator==(const arena &) const
	{
		return true;
	}
	bool
	operator!=(const arena &) const
	{
		return false;
	}
};

template <class T>
NOINLINE std::string
text(T)
{
	KEEP(1010);
	return "";
}

} // namespace shop

namespace core
{
NOINLINE void
start()
{
	KEEP(1013);
}
} // namespace core

namespace alloc
{
NOINLINE void
start()
{
	KEEP(1014);
}
} // namespace alloc

NOINLINE static void
inner()
{
	KEEP(1017);
}

static void
deep(int)
{
	inner();
	sink = nullptr;
}

static bool once_by_name = true;

static bool
by_name(int a, int b)
{
	if (once_by_name)
		KEEP(1005);
	once_by_name = false;
	return a < b;
}

static bool once_by_size = true;

static int
by_size(const void *a, const void *b)
{
	if (once_by_size)
		KEEP(1006);
	once_by_size = false;
	return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static void
work()
{
	KEEP(1007);
}

static int
later()
{
	KEEP(1008);
	return 0;
}

NOINLINE static void
dispatch(const std::string &name)
{
	handlers[name](1);
}

NOINLINE static void
order()
{
	int v[] = { 3, 1, 2 };

	std::sort(v, v + 3, by_name);
	std::qsort(v, 3, sizeof v[0], by_size);
}

NOINLINE static void
fill()
{
	static std::vector<char, shop::arena<char>> v;

	v.reserve(1016);
}

int
main()
{
	static std::vector<shop::item> items;
	shop::shape *shape = new shop::circle;
	shop::pool<std::string> pool;
	int one[] = { 1 };

	handlers["open"] = on_open;
	handlers["read"] = on_read;
	handlers["close"] = [](int) { KEEP(1003); };
	handlers["flush"] = [](int) { KEEP(1018); };
	handlers["count"] = shop::counter();
	handlers["deep"] = deep;
	for (const auto &h : std::vector<std::string>{
		     "open", "read", "close", "flush", "count", "deep" })
		dispatch(h);
	order();
	std::thread(work).join();
	std::async(std::launch::async, later).get();
	shape->draw();
	std::for_each(one, one + 1, shop::text<int>);
	pool.get();
	items.reserve(1);
	core::start();
	alloc::start();
	fill();
	delete shape;
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C++: exceptions, objects returned in memory, coroutines.  plugin.t has the
 * expected counts.
 */
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "tests/access/plug_runtime.h"

#define NOINLINE __attribute__((noinline, noclone))

struct Three {
	volatile long a[3];
	Three()
	{
		a[0] = 1;
		a[2] = 3;
	}
	Three(const Three &o)
	{
		a[0] = o.a[0];
	}
};
struct Plain {
	long a[20];
};

struct Steps {
	struct promise_type {
		volatile long *p;
		promise_type(volatile long *q) : p(q)
		{
		}
		Steps
		get_return_object()
		{
			return { std::coroutine_handle<
				promise_type>::from_promise(*this) };
		}
		std::suspend_always
		initial_suspend()
		{
			return {};
		}
		std::suspend_always
		final_suspend() noexcept
		{
			return {};
		}
		void
		return_void()
		{
		}
		void
		unhandled_exception()
		{
			std::terminate();
		}
	};
	std::coroutine_handle<promise_type> h;
};

NOINLINE static Three
make()
{
	return Three();
}

NOINLINE static Plain
plain(long x)
{
	Plain p = {};

	p.a[19] = x;
	return p;
}

NOINLINE static void
thrower(volatile long *p)
{
	p[0] = p[0] + 1;
	if (p[0] == 1)
		throw 7;
	p[2] = 9;
}

NOINLINE static void
catcher(volatile long *p)
{
	try {
		thrower(p);
		p[4] = 9;
	} catch (int n) {
		p[6] = p[6] + n;
	}
}

static Steps
steps(volatile long *p)
{
	p[0] = 1;
	co_await std::suspend_always{};
	p[2] = p[0];
}

int
main()
{
	char *block = static_cast<char *>(std::aligned_alloc(64, 256));
	volatile long *p = reinterpret_cast<volatile long *>(block);

	new (block) Three(make());
	plug_show("object", block, 64);
	*reinterpret_cast<Plain *>(block) = plain(3);
	/* Written by plain() itself, or copied, twice in some places. */
	for (int i = 0; i < 160; i += 16)
		if (plug_reads(block + i) != 0 || plug_writes(block + i) == 0)
			std::printf("plain: granule %d is wrong\n", i / 16);
	plug_forget(block, 160);
	p[0] = 0;
	catcher(p);
	plug_show("exceptions", block, 64);
	Steps s = steps(p);
	s.h.resume();
	s.h.resume();
	s.h.destroy();
	plug_show("coroutine", block, 64);
	std::free(block);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Like shapes_heap.c, for C++: exceptions that pass accesses, objects with
 * virtual functions, containers, values returned and passed by reference.
 */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define APART __attribute__((noinline))

static volatile int zero, one = 1, ten = 10;
static unsigned long sum;

struct base {
	int key;
	char text[20];
	base(int k) : key(k), text()
	{
	}
	virtual ~base()
	{
		sum += key;
	}
	virtual int
	value() const
	{
		return key;
	}
};

struct derived : base {
	long more[5];
	derived(int k) : base(k), more()
	{
		more[3] = k;
	}
	~derived()
	{
		more[4] = zero;
		sum += more[4];
	}
	int
	value() const override
	{
		return more[3] + base::value();
	}
};

/* Leaves after some of its accesses, in a group of them. */
APART static void
maybe_throw(int *p, int n)
{
	p[0] = 1;
	p[n] = 2;
	if (p[n + 1] == 0)
		throw std::runtime_error("gone");
	p[2 * n] = 3;
}

APART static void
exceptions()
{
	std::unique_ptr<int[]> p(new int[40]()), q(new int[40]());

	q[11] = 1;
	for (int *v : { p.get(), q.get() })
		try {
			maybe_throw(v, ten);
			v[33] = 1;
		} catch (const std::runtime_error &e) {
			v[39] = e.what()[0];
		}
	sum += p[39] + q[20];
}

APART static void
objects()
{
	std::vector<std::unique_ptr<base>> v;

	for (int i = 0; i < ten; i++)
		if (i % 2)
			v.emplace_back(new base(i));
		else
			v.emplace_back(new derived(i));
	for (const auto &o : v)
		sum += o->value();
	v.back()->key = 4;
	v.pop_back();
	sum += v.back()->value();
}

struct triple {
	long a, b, c;
	bool
	operator<(const triple &o) const
	{
		return b < o.b;
	}
};

APART static void
containers()
{
	std::vector<triple> v;
	std::map<std::string, triple> m;
	std::string s;
	std::function<long(long)> f;
	std::vector<int> w(100, 3);

	for (int i = 0; i < 30; i++)
		v.push_back({ i, i * 7 % 30, one });
	std::sort(v.begin(), v.end());
	for (const auto &t : v)
		m[std::to_string(t.a * 1000000007l * 1000000007l)] = t;
	for (const auto &e : m)
		s += e.first;
	f = [v, s](long i) { return v[i].a + s[i]; };
	sum += f(ten) + v.front().a + m.begin()->second.b + s.size();
	w.resize(ten);
	w.erase(w.begin() + 2, w.begin() + 5);
	for (auto i = w.rbegin(); i != w.rend(); ++i)
		sum += *i;
	*w.rbegin() = 5;
}

int
main()
{
	exceptions();
	objects();
	containers();
	printf("%lu\n", sum);
	return 0;
}

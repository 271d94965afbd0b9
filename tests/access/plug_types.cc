/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of new, templates, containers, inlined constructors. */
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

struct Base {
	virtual ~Base()
	{
	}
	int a;
};
struct Derived : Base {
	long x[5];
	explicit Derived(int v)
	{
		x[0] = v;
	}
};
struct Counted {
	Counted();
	~Counted();
	int q;
};
struct Pod {
	int a, b;
};
template <class T> struct Holder {
	T v;
	Holder *next;
};
namespace
{
template <class T>
T *
many(int n)
{
	return static_cast<T *>(std::calloc(n, sizeof(T)));
}
} // namespace

Base *
f_base()
{
	return new Derived(3);
}
Pod *
f_pod()
{
	return new Pod;
}
Pod *
f_pods(int n)
{
	return new Pod[n];
}
Counted *
f_counted(int n)
{
	return new Counted[n];
}
Derived **
f_pointers(int n)
{
	return new Derived *[n];
}
Pod *
f_nothrow()
{
	return new (std::nothrow) Pod();
}
std::pair<int, char> *
f_pair()
{
	return many<std::pair<int, char>>(3);
}
std::unique_ptr<Holder<int>>
f_unique()
{
	return std::make_unique<Holder<int>>();
}
void
f_vector(std::vector<Holder<char>> &v)
{
	v.push_back({ 1, nullptr });
}
void
f_map(std::map<int, long> &m)
{
	m[3] = 4;
}

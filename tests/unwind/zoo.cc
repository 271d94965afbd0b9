// SPDX-License-Identifier: GPL-3.0-or-later
// C++ frames for the comparison of two unwinders: exceptions, destructors,
// virtual calls, lambdas, containers.  Prints "done".
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Noisy {
	std::string name;
	explicit Noisy(int n) : name("a name that is too long to be inline")
	{
		name += std::to_string(n);
	}
	~Noisy()
	{
		name += " goes away now, with some more text";
	}
};

static int __attribute__((noinline))
thrower(int n)
{
	Noisy a(n);

	if (n == 0)
		throw std::runtime_error("thrown");
	return thrower(n - 1) + static_cast<int>(a.name.size());
}

struct Base {
	virtual ~Base() {}
	virtual std::string talk(int n) = 0;
};
struct Left : virtual Base {
	std::string talk(int n) override
	{
		return std::string(static_cast<size_t>(n) + 20, 'l');
	}
};
struct Right : virtual Base {
};
struct Both : Left, Right {
	std::string talk(int n) override
	{
		return Left::talk(n) + "both";
	}
};

int
main()
{
	std::map<std::string, std::vector<int>> m;
	std::function<int(int)> f = [&](int n) {
		m["key number " + std::to_string(n) + " which is long"]
			.push_back(n);
		return n ? f(n - 1) : 0;
	};
	std::vector<std::string> v;

	f(20);
	for (int i = 0; i < 10; i++)
		try {
			thrower(i);
		} catch (const std::exception &e) {
			v.push_back(std::string(e.what()) +
				    " and caught, at some length");
		}
	std::sort(v.begin(), v.end(),
		  [](std::string a, std::string b) { return a > b; });
	std::unique_ptr<Base> b(new Both);
	for (int i = 0; i < 5; i++)
		v.push_back(b->talk(i));
	std::thread t([&] { v.push_back(std::string(100, 'x')); });
	t.join();
	std::puts("done");
	return 0;
}

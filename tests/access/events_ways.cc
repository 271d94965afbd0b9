/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Odd ways to leave functions and loops: exceptions, in several threads. */
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct guard {
	int &n;
	guard(int &count)
	    : n(count)
	{
		n++;
	}
	~guard()
	{
		n--;
	}
};

static thread_local int depth;

static int
sink(int n)
{
	guard g(depth);

	if (n == 0)
		throw std::runtime_error("bottom");
	return sink(n - 1) + 1;
}

static int
bare(int n)
{
	return n == 0 ? sink(2) : bare(n - 1) + 1;
}

static int
work(int n)
{
	std::map<std::string, int> m;
	std::vector<int> v;
	int sum = 0;

	for (int i = 0; i < n; i++)
		v.push_back(i * n);
	for (int x : v)
		m["k" + std::to_string(x)] = x;
	for (int i = 0; i < n; i++) {
		try {
			for (int j = 0; j < 3; j++)
				sum += bare(j);
		} catch (const std::exception &e) {
			sum += e.what()[0];
			continue;
		}
		sum++;
	}
	for (const auto &x : m) {
		if (x.second > 20)
			goto out;
		sum += x.second;
	}
out:
	switch (n & 3) {
	case 0:
		for (int i = n; i; i /= 2)
			sum += i;
		/* fallthrough */
	case 1:
		return sum;
	default:
		return sum + depth;
	}
}

int
main()
{
	std::vector<std::thread> all;
	int sums[4];

	for (int i = 0; i < 4; i++)
		all.emplace_back([&sums, i] { sums[i] = work(5 + i); });
	for (std::thread &t : all)
		t.join();
	std::printf("%d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
	return 0;
}

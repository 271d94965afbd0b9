/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shortest ways in a map of roads: Dijkstra's algorithm and a search by
 * breadth, with the containers of the standard library.
 *
 *	route [searches]			(50)
 */
#include <algorithm>
#include <deque>
#include <queue>
#include <set>
#include <unordered_map>
#include <vector>

#include "bench.h"

namespace {

struct road {
	uint32_t to, length;
};

struct town {
	std::vector<road> roads;
};

using country = std::vector<town>;
using stop = std::pair<uint64_t, uint32_t>; /* how far, which town */

country make(uint32_t n, uint64_t *seed)
{
	country c(n);

	for (uint32_t i = 0; i < n; i++)
		for (unsigned k = 0; k < 4; k++) {
			uint32_t to = (uint32_t)((i + rnd(seed) % 3000) % n);
			uint32_t length = 1 + (uint32_t)(rnd(seed) >> 54);

			c[i].roads.push_back({ to, length });
			c[to].roads.push_back({ i, length });
		}
	return c;
}

std::vector<uint32_t> shortest(const country &c, uint32_t from, uint32_t to)
{
	std::unordered_map<uint32_t, stop> best; /* how far, and the last town */
	std::priority_queue<stop, std::vector<stop>, std::greater<stop>> next;
	std::vector<uint32_t> way;

	best[from] = { 0, from };
	next.push({ 0, from });
	while (!next.empty()) {
		auto [far, at] = next.top();

		next.pop();
		if (at == to)
			break;
		if (far > best[at].first)
			continue;
		for (const road &r : c[at].roads) {
			auto [known, fresh] =
				best.try_emplace(r.to, far + r.length, at);
			if (!fresh && known->second.first <= far + r.length)
				continue;
			known->second = { far + r.length, at };
			next.push({ far + r.length, r.to });
		}
	}
	for (uint32_t at = to; at != from; at = best[at].second)
		way.push_back(at);
	std::reverse(way.begin(), way.end());
	return way;
}

uint64_t reached(const country &c, uint32_t from, unsigned steps)
{
	std::deque<std::pair<uint32_t, unsigned>> next{ { from, 0 } };
	std::set<uint32_t> seen{ from };

	while (!next.empty()) {
		auto [at, n] = next.front();

		next.pop_front();
		if (n == steps)
			continue;
		for (const road &r : c[at].roads)
			if (seen.insert(r.to).second)
				next.emplace_back(r.to, n + 1);
	}
	return seen.size();
}

} // namespace

int
main(int argc, char **argv)
{
	unsigned long searches = arg(argc, argv, 1, 50);
	uint64_t seed = 1, sum = 0;
	const country c = make(30000, &seed);

	for (unsigned long i = 0; i < searches; i++) {
		uint32_t from = (uint32_t)(rnd(&seed) % c.size());
		uint32_t to = (uint32_t)(rnd(&seed) % c.size());

		for (uint32_t town : shortest(c, from, to))
			sum = mix(sum, town);
		sum = mix(sum, reached(c, from, 4));
	}
	printf("route %lu %016" PRIx64 "\n", searches, sum);
	return 0;
}

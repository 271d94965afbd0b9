/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The game of life on bits of a std::vector<bool>.
 *
 *	life [generations]			(120)
 */
#include <vector>

#include "bench.h"

namespace {

constexpr size_t side = 512;

class world {
public:
	explicit world(uint64_t *seed) : cells(side * side)
	{
		for (size_t i = 0; i < cells.size(); i++)
			cells[i] = rnd(seed) >> 62 == 0;
	}

	void step()
	{
		std::vector<bool> next(side * side);

		for (size_t y = 0; y < side; y++)
			for (size_t x = 0; x < side; x++) {
				unsigned n = around(x, y);
				next[y * side + x] =
					n == 3 || (n == 2 && cells[y * side + x]);
			}
		cells.swap(next);
	}

	uint64_t sum() const
	{
		uint64_t s = 0, at = 0;

		for (bool alive : cells)
			if (at++, alive)
				s = mix(s, at);
		return s;
	}

private:
	std::vector<bool> cells;

	/* The world has no edges. */
	unsigned around(size_t x, size_t y) const
	{
		unsigned n = 0;

		for (size_t dy = side - 1; dy <= side + 1; dy++)
			for (size_t dx = side - 1; dx <= side + 1; dx++)
				n += cells[(y + dy) % side * side +
					   (x + dx) % side];
		return n - cells[y * side + x];
	}
};

} // namespace

int
main(int argc, char **argv)
{
	unsigned long generations = arg(argc, argv, 1, 120);
	uint64_t seed = 1;
	world w(&seed);

	for (unsigned long i = 0; i < generations; i++)
		w.step();
	printf("life %lu %016" PRIx64 "\n", generations, w.sum());
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records with strings: made, copied, sorted by one field and by two, written to
 * a stream.
 *
 *	sorted [records]			(240000)
 */
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "bench.h"

namespace {

struct record {
	std::string name, sequence, quality, tags;
	uint32_t position;
	uint16_t flags;
};

bool by_name(const record &a, const record &b)
{
	return a.name != b.name ? a.name < b.name : a.position < b.position;
}

record make(uint64_t *seed)
{
	record r;

	r.name = "run7:" + std::to_string(rnd(seed) % 100003);
	r.sequence.assign(60 + rnd(seed) % 60, "ACGT"[rnd(seed) >> 62]);
	r.quality.assign(r.sequence.size(), 'F');
	r.tags = "NM:0";
	r.position = (uint32_t)(rnd(seed) >> 36);
	r.flags = (uint16_t)(rnd(seed) & 15);
	return r;
}

} // namespace

int
main(int argc, char **argv)
{
	unsigned long n = arg(argc, argv, 1, 240000);
	uint64_t seed = 1, sum = 0;
	std::vector<record> records;

	for (unsigned long i = 0; i < n; i++)
		records.push_back(make(&seed));
	std::stable_sort(records.begin(), records.end(),
			 [](const record &a, const record &b) {
				 return a.position < b.position;
			 });
	std::vector<record> named(records);
	std::sort(named.begin(), named.end(), by_name);
	for (const record &r : named) {
		std::ostringstream line;
		line << r.name << '\t' << r.position << '\t' << r.flags << '\t'
		     << r.sequence;
		for (char c : line.str())
			sum = mix(sum, (unsigned char)c);
	}
	for (const record &r : records)
		sum = mix(sum, r.quality.size() + r.tags.size());
	printf("sorted %lu %016" PRIx64 "\n", n, sum);
	return 0;
}

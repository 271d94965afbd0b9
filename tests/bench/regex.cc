/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patterns of <regex> on the lines of a log.
 *
 *	regex [lines]				(150000)
 */
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "bench.h"

namespace {

std::string line(uint64_t *seed)
{
	static const char *const verbs[] = { "GET", "PUT", "POST", "DELETE" };
	uint64_t r = rnd(seed);

	return "10." + std::to_string(r >> 8 & 255) + "." +
	       std::to_string(r >> 16 & 255) + ".7 - [12/Mar/2024:08:" +
	       std::to_string(10 + (r >> 24) % 50) + ":00] \"" +
	       verbs[r >> 32 & 3] + " /item/" + std::to_string(r >> 44) +
	       (r & 1 ? "?page=2&sort=up" : "") + " HTTP/1.1\" " +
	       std::to_string(r & 6 ? 200 : 404) + " " + std::to_string(r >> 50);
}

} // namespace

int
main(int argc, char **argv)
{
	unsigned long n = arg(argc, argv, 1, 150000);
	uint64_t seed = 1, sum = 0;
	const std::regex whole("^([0-9.]+) - \\[([^\\]]+)\\] \"([A-Z]+) "
			       "([^ ?]+)(\\?[^ ]*)? [^\"]+\" ([0-9]{3}) ([0-9]+)$");
	const std::regex pair("([a-z]+)=([a-z0-9]+)");
	std::map<std::string, uint64_t> bytes;

	for (unsigned long i = 0; i < n; i++) {
		const std::string s = line(&seed);
		std::smatch m;

		if (!std::regex_match(s, m, whole))
			return 1;
		bytes[m[3].str() + m[6].str()] += std::stoul(m[7].str());
		const std::string query = m[5].str();
		for (std::sregex_iterator p(query.begin(), query.end(), pair), e;
		     p != e; ++p)
			bytes[(*p)[1].str()]++;
	}
	for (const auto &[name, many] : bytes)
		sum = mix(sum, name.size() + many);
	printf("regex %lu %016" PRIx64 "\n", n, sum);
	return 0;
}

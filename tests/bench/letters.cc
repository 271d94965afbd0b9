/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text templates: parsed once into parts that know how to print themselves, filled
 * from maps of strings, with loops and conditions.
 *
 *	letters [letters]			(120000)
 */
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench.h"

namespace {

using fields = std::unordered_map<std::string, std::string>;

struct data {
	fields own;
	std::vector<fields> rows;
};

using filter = std::function<std::string(const std::string &)>;

struct part {
	virtual ~part() = default;
	virtual void print(std::ostream &to, const data &d, const fields *row) const = 0;
};
using parts = std::vector<std::shared_ptr<part>>;

struct plain : part {
	std::string text;
	explicit plain(std::string text) : text(std::move(text)) {}
	void print(std::ostream &to, const data &, const fields *) const override
	{
		to << text;
	}
};

struct field : part {
	std::string name;
	filter how;
	field(std::string name, filter how)
		: name(std::move(name)), how(std::move(how)) {}
	void print(std::ostream &to, const data &d, const fields *row) const override
	{
		if (row)
			if (auto at = row->find(name); at != row->end()) {
				to << how(at->second);
				return;
			}
		if (auto at = d.own.find(name); at != d.own.end())
			to << how(at->second);
	}
};

struct each : part {
	parts inside;
	void print(std::ostream &to, const data &d, const fields *) const override
	{
		for (const fields &row : d.rows)
			for (const auto &p : inside)
				p->print(to, d, &row);
	}
};

std::string upper(const std::string &s)
{
	std::string t;
	for (char c : s)
		t += c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
	return t;
}

std::string padded(const std::string &s)
{
	return s.size() < 12 ? std::string(12 - s.size(), ' ') + s : s;
}

/* {name}, {name!filter}, {*} ... {.} for each row. */
parts parse(const std::string &text, size_t &at,
	    const std::unordered_map<std::string, filter> &filters)
{
	parts all;

	while (at < text.size()) {
		size_t brace = text.find('{', at);
		if (brace != at)
			all.push_back(std::make_shared<plain>(
				text.substr(at, brace - at)));
		if (brace == std::string::npos)
			break;
		size_t end = text.find('}', brace);
		std::string name = text.substr(brace + 1, end - brace - 1);
		at = end + 1;
		if (name == ".")
			return all;
		if (name == "*") {
			auto loop = std::make_shared<each>();
			loop->inside = parse(text, at, filters);
			all.push_back(loop);
			continue;
		}
		size_t mark = name.find('!');
		all.push_back(std::make_shared<field>(
			name.substr(0, mark),
			filters.at(mark == std::string::npos ? "" :
					   name.substr(mark + 1))));
	}
	return all;
}

} // namespace

int
main(int argc, char **argv)
{
	unsigned long n = arg(argc, argv, 1, 120000);
	uint64_t seed = 1, sum = 0;
	size_t at = 0;
	const parts letter = parse(
		"Dear {who!upper},\nthank you for order {number}:\n"
		"{*}{what!right}  {price!right} for {who}\n{.}Yours, {from}\n",
		at,
		{ { "", [](const std::string &s) { return s; } },
		  { "upper", upper },
		  { "right", padded } });

	for (unsigned long i = 0; i < n; i++) {
		data d;
		std::ostringstream to;

		d.own = { { "who", "reader " + std::to_string(rnd(&seed) >> 54) },
			  { "number", std::to_string(i) },
			  { "from", "the people of the shop" } };
		for (unsigned k = 0; k < 6; k++)
			d.rows.push_back(
				{ { "what", "thing " + std::to_string(k) },
				  { "price", std::to_string(rnd(&seed) >> 52) } });
		for (const auto &p : letter)
			p->print(to, d, nullptr);
		for (char c : to.str())
			sum = mix(sum, (unsigned char)c);
	}
	printf("letters %lu %016" PRIx64 "\n", n, sum);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A tree of JSON values: text is parsed into std::variant, std::map and
 * std::vector, changed and printed.
 *
 *	json [rounds]				(60)
 */
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "bench.h"

namespace {

struct value;
using list = std::vector<value>;
using object = std::map<std::string, value>;

struct value {
	std::variant<std::nullptr_t, bool, double, std::string, list, object> is;
};

class parser {
public:
	explicit parser(const std::string &text) : text(text) {}

	value parse()
	{
		skip();
		switch (text[at]) {
		case '{': return { members() };
		case '[': return { items() };
		case '"': return { string() };
		case 't': at += 4; return { true };
		case 'f': at += 5; return { false };
		case 'n': at += 4; return { nullptr };
		default: return { number() };
		}
	}

private:
	const std::string &text;
	size_t at = 0;

	void skip()
	{
		while (text[at] == ' ' || text[at] == '\n')
			at++;
	}

	/* Is c the next character?  Then reads it. */
	bool take(char c)
	{
		skip();
		if (text[at] != c)
			return false;
		at++;
		return true;
	}

	double number()
	{
		double sign = take('-') ? -1 : 1, n = 0;

		while (text[at] >= '0' && text[at] <= '9')
			n = n * 10 + (text[at++] - '0');
		return sign * n;
	}

	std::string string()
	{
		std::string s;

		for (at++; text[at] != '"'; at++) {
			if (text[at] == '\\')
				at++;
			s.push_back(text[at]);
		}
		at++;
		return s;
	}

	list items()
	{
		list l;

		at++;
		while (!take(']')) {
			l.push_back(parse());
			take(',');
		}
		return l;
	}

	object members()
	{
		object o;

		at++;
		while (!take('}')) {
			skip();
			std::string name = string();
			take(':');
			o.insert_or_assign(std::move(name), parse());
			take(',');
		}
		return o;
	}
};

struct printer {
	std::string &out;

	void operator()(std::nullptr_t) { out += "null"; }
	void operator()(bool b) { out += b ? "true" : "false"; }
	void operator()(double d) { out += std::to_string((long)d); }
	void operator()(const std::string &s)
	{
		out += '"';
		for (char c : s) {
			if (c == '"' || c == '\\')
				out += '\\';
			out += c;
		}
		out += '"';
	}
	void operator()(const list &l)
	{
		const char *before = "[";

		for (const value &v : l) {
			out += before;
			std::visit(*this, v.is);
			before = ", ";
		}
		out += l.empty() ? "[]" : "]";
	}
	void operator()(const object &o)
	{
		const char *before = "{";

		for (const auto &[name, v] : o) {
			out += before;
			(*this)(name);
			out += ": ";
			std::visit(*this, v.is);
			before = ",\n";
		}
		out += o.empty() ? "{}" : "}";
	}
};

/* Records as a service would send them. */
std::string records(unsigned n, uint64_t *seed)
{
	std::string s = "[";

	for (unsigned i = 0; i < n; i++) {
		s += i ? ",\n{\"number\": " : "{\"number\": ";
		s += std::to_string(i) + ", \"owner\": \"a name of some length " +
		     std::to_string(rnd(seed) >> 50) + "\", \"open\": " +
		     (rnd(seed) & 1 ? "true" : "false") +
		     ", \"labels\": [\"a\", \"bc\", null, \"quite a long label\"]" +
		     ", \"size\": {\"wide\": " + std::to_string(rnd(seed) >> 55) +
		     ", \"high\": -" + std::to_string(rnd(seed) >> 55) + "}}";
	}
	return s + "]";
}

} // namespace

int
main(int argc, char **argv)
{
	unsigned long rounds = arg(argc, argv, 1, 60);
	uint64_t seed = 1, sum = 0;
	std::string text = records(4000, &seed);

	for (unsigned long i = 0; i < rounds; i++) {
		value v = parser(text).parse();
		std::string printed;

		for (value &one : std::get<list>(v.is)) {
			object &o = std::get<object>(one.is);
			o.erase("open");
			o["seen"] = { (double)i };
		}
		std::visit(printer{ printed }, v.is);
		for (char c : printed)
			sum = mix(sum, (unsigned char)c);
	}
	printf("json %lu %016" PRIx64 "\n", rounds, sum);
	return 0;
}

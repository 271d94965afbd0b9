/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for JSON as people write them: a class of tagged pointers behind an
 * interface like the standard containers', events from a reader, a writer to a
 * stream, comparison, deep copies, and look-ups by path.
 *
 *	values [rounds]				(500)
 */
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench.h"

namespace {

class value {
public:
	enum kind { NOTHING, NUMBER, STRING, ARRAY, OBJECT };
	using array = std::vector<value>;
	using object = std::unordered_map<std::string, value>;

	value() = default;
	value(double n) : is(NUMBER) { as.number = n; }
	value(std::string s) : is(STRING) { as.string = new std::string(std::move(s)); }
	value(array a) : is(ARRAY) { as.items = new array(std::move(a)); }
	value(object o) : is(OBJECT) { as.members = new object(std::move(o)); }
	value(const value &o) { copy(o); }
	value(value &&o) noexcept : is(o.is), as(o.as) { o.is = NOTHING; }
	~value() { drop(); }
	value &operator=(value o) noexcept
	{
		std::swap(is, o.is);
		std::swap(as, o.as);
		return *this;
	}

	value &operator[](const std::string &name)
	{
		if (is == NOTHING)
			*this = object();
		return (*as.members)[name];
	}
	const value &at(const std::string &path) const
	{
		const value *v = this;
		std::istringstream parts(path);
		std::string part;

		while (std::getline(parts, part, '/')) {
			if (v->is == ARRAY)
				v = &v->as.items->at(std::stoul(part));
			else if (v->is == OBJECT)
				v = &v->as.members->at(part);
			else
				throw std::out_of_range(part);
		}
		return *v;
	}
	bool operator==(const value &o) const
	{
		if (is != o.is)
			return false;
		switch (is) {
		case NUMBER: return as.number == o.as.number;
		case STRING: return *as.string == *o.as.string;
		case ARRAY: return *as.items == *o.as.items;
		case OBJECT: return *as.members == *o.as.members;
		default: return true;
		}
	}
	void write(std::ostream &to) const
	{
		const char *before = "";

		switch (is) {
		case NUMBER: to << as.number; break;
		case STRING: to << '"' << *as.string << '"'; break;
		case ARRAY:
			to << '[';
			for (const value &v : *as.items) {
				to << before;
				v.write(to);
				before = ",";
			}
			to << ']';
			break;
		case OBJECT:
			to << '{';
			for (const auto &[name, v] : *as.members) {
				to << before << '"' << name << "\":";
				v.write(to);
				before = ",";
			}
			to << '}';
			break;
		default: to << "null";
		}
	}

	static value read(std::istream &in)
	{
		char c;

		in >> c;
		if (c == '"')
			return { word(in) };
		if (c == '[') {
			array a;
			for (in >> c; c != ']'; in >> c) {
				if (c != ',')
					in.unget();
				a.push_back(read(in));
			}
			return { std::move(a) };
		}
		if (c == '{') {
			object o;
			for (in >> c; c != '}'; in >> c) {
				if (c == ',')
					in >> c;
				std::string name = word(in);
				in >> c;
				o.emplace(std::move(name), read(in));
			}
			return { std::move(o) };
		}
		in.unget();
		double d;
		in >> d;
		return { d };
	}

private:
	kind is = NOTHING;
	union {
		double number;
		std::string *string;
		array *items;
		object *members;
	} as{};

	static std::string word(std::istream &in)
	{
		std::string s;
		std::getline(in, s, '"');
		return s;
	}
	void copy(const value &o)
	{
		is = o.is;
		as = o.as;
		if (is == STRING)
			as.string = new std::string(*o.as.string);
		else if (is == ARRAY)
			as.items = new array(*o.as.items);
		else if (is == OBJECT)
			as.members = new object(*o.as.members);
	}
	void drop()
	{
		if (is == STRING)
			delete as.string;
		else if (is == ARRAY)
			delete as.items;
		else if (is == OBJECT)
			delete as.members;
	}
};

} // namespace

int
main(int argc, char **argv)
{
	unsigned long rounds = arg(argc, argv, 1, 500);
	uint64_t seed = 1, sum = 0;

	for (unsigned long i = 0; i < rounds; i++) {
		value::array all;
		for (unsigned k = 0; k < 300; k++) {
			value v;
			v["number"] = (double)(rnd(&seed) >> 54);
			v["name"] = "item " + std::to_string(k);
			v["where"]["row"] = (double)k;
			v["where"]["tags"] = value::array{ { std::string("new") }, { 1.5 } };
			all.push_back(v);
		}
		const value sent(std::move(all));
		std::stringstream text;

		sent.write(text);
		const value got = value::read(text);
		sum = mix(sum, (got == sent) + text.str().size());
		for (unsigned k = 0; k < 300; k += 3)
			sum = mix(sum, got.at(std::to_string(k) + "/where/tags/1") ==
					       value(1.5));
	}
	printf("values %lu %016" PRIx64 "\n", rounds, sum);
	return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Strings, streams, and errors that are thrown.
#include <algorithm>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#define NOINLINE __attribute__((noinline))

const void *volatile sink;

namespace csv {

struct row {
	std::vector<std::string> fields;
	int number;
};

struct error : std::runtime_error {
	int line;
	error(const std::string &what, int l) : std::runtime_error(what), line(l)
	{
	}
};

struct unexpected {
	char got;
};

class reader {
public:
	explicit reader(const std::string &text) : in_(text) //= std::string chars
	{
	}
	NOINLINE bool
	next(row &r)
	{
		std::string line;
		if (!std::getline(in_, line)) //= std::string chars
			return false;
		r.fields.clear();
		r.number = ++count_;
		size_t at = 0, end;
		while ((end = line.find(',', at)) != std::string::npos) {
			std::string field = line.substr(at, end - at); //= std::string chars
			r.fields.push_back(field); //= std::string|std::string chars
			at = end + 1;
		}
		r.fields.emplace_back(line, at); //= std::string|std::string chars
		return true;
	}

private:
	std::istringstream in_;
	int count_ = 0;
};

struct table {
	std::map<std::string, std::unique_ptr<row>> rows;
	std::vector<row *> order;

	NOINLINE void
	add(const row &r)
	{
		auto copy = std::make_unique<row>(r); //= csv::row|std::string|std::string chars
		row *p = copy.get();
		if (!rows.emplace(r.fields[0], std::move(copy)).second) //= std::map<std::string, std::unique_ptr<csv::row>> node|std::string chars
			throw error("twice: " + r.fields[0], r.number); //= csv::error|std::string chars
		order.push_back(p); //= csv::row*
	}
};

} // namespace csv

using namespace csv;

static NOINLINE void
check(int n)
{
	switch (n) {
	case 1:
		throw unexpected{ 'x' }; //= csv::unexpected
	case 2:
		throw n; //= int
	case 3:
		throw std::logic_error("wrong in some logical way"); //= std::logic_error|std::string chars
	case 4:
		throw "a constant"; //= const char*
	case 5:
		throw std::string("thrown"); //= std::string
	case 6:
		throw std::bad_alloc(); //= std::bad_alloc
	default:
		throw error("other", n); //= csv::error|std::string chars
	}
}

static void
strings(int n)
{
	std::string a(40, 'a'); //= std::string chars
	std::string b = a; //= std::string chars
	b += "more and more and more"; //= std::string chars
	std::string c = a + b; //= std::string chars
	c.reserve(500); //= std::string chars
	c.insert(3, 200, 'x');
	std::string d(b.begin(), b.end()); //= std::string chars
	std::wstring w(30, L'w'); //= std::wstring chars
	std::u16string u(30, u'u'); //= std::u16string chars
	std::string e = std::to_string(n) + std::string(25, '-'); //= std::string chars
	std::string f(std::string_view("a view of some bytes")); //= std::string chars
	a.replace(2, 3, std::string(60, 'q')); //= std::string chars
	d.resize(300); //= std::string chars
	e.append(100, 'z'); //= std::string chars
	sink = &f;
	sink = &w;
	sink = &u;
	auto *g = new std::string(std::move(c)); //= std::string
	sink = g;
	delete g;
	std::vector<std::string> v(3, a); //= std::string|std::string chars
	sink = &v;
	std::map<std::string, int> count;
	for (const auto &x : v)
		++count[x]; //= std::map<std::string, int> node|std::string chars
}

static void
streams(int n)
{
	std::ostringstream o;
	o << "a number: " << n << " and more than fits"; //= std::string chars
	std::string s = o.str(); //= std::string chars
	auto in = std::make_unique<std::istringstream>(s); //= std::istringstream|std::string chars
	std::vector<std::string> words;
	std::copy(std::istream_iterator<std::string>(*in), {}, std::back_inserter(words)); //= std::string
	auto *both = new std::stringstream; //= std::stringstream
	*both << s; //= std::string chars
	sink = both;
	delete both;
}

int
main(int argc, char **)
{
	std::string text = "one,two,a field that is really long\n" "four,five\n" "four,again\n"; //= std::string chars
	reader r(text);
	table t;
	row line;
	try {
		while (r.next(line))
			t.add(line);
	} catch (const error &e) {
		sink = &e;
	}
	for (int i = 1; i < 8; i++) {
		try {
			check(i);
		} catch (const std::exception &e) {
			sink = &e;
		} catch (...) {
			sink = &i;
		}
	}
	std::exception_ptr p = std::make_exception_ptr(unexpected{ 'y' }); //= csv::unexpected
	sink = &p;
	strings(argc);
	streams(argc);
	return 0;
}

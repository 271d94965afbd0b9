/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document of elements that own each other: XML is parsed by pointers into the
 * text, looked through by path, and written again.
 *
 *	xml [rounds]				(50)
 */
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench.h"

namespace {

struct element {
	std::string name, text;
	std::vector<std::pair<std::string, std::string>> attributes;
	std::vector<std::unique_ptr<element>> children;
	element *parent = nullptr;
};

class reader {
public:
	explicit reader(const char *text) : p(text) {}

	std::unique_ptr<element> read(element *parent)
	{
		auto e = std::make_unique<element>();

		e->parent = parent;
		p++;
		e->name = word();
		while (*p == ' ') {
			p++;
			std::string name = word();
			p += 2;
			e->attributes.emplace_back(std::move(name), until('"'));
		}
		if (*p == '/') {
			p += 2;
			return e;
		}
		p++;
		for (;;) {
			if (*p != '<') {
				e->text += *p++;
			} else if (p[1] == '/') {
				until('>');
				return e;
			} else {
				e->children.push_back(read(e.get()));
			}
		}
	}

private:
	const char *p;

	std::string word()
	{
		const char *start = p;

		while (*p != ' ' && *p != '>' && *p != '/' && *p != '=')
			p++;
		return { start, p };
	}

	std::string until(char end)
	{
		const char *start = p;

		while (*p != end)
			p++;
		return { start, p++ };
	}
};

void write(const element &e, std::string &to)
{
	to += '<' + e.name;
	for (const auto &[name, is] : e.attributes)
		to += ' ' + name + "=\"" + is + '"';
	if (e.children.empty() && e.text.empty()) {
		to += "/>";
		return;
	}
	to += '>' + e.text;
	for (const auto &child : e.children)
		write(*child, to);
	to += "</" + e.name + '>';
}

unsigned depth(const element *e)
{
	unsigned n = 0;

	for (; e; e = e->parent)
		n++;
	return n;
}

void find(const element &e, const std::string &name, uint64_t &sum)
{
	if (e.name == name)
		sum = mix(sum, depth(&e) + e.attributes.size());
	for (const auto &child : e.children)
		find(*child, name, sum);
}

std::string document(unsigned n, uint64_t *seed)
{
	std::string s = "<shelf>";

	for (unsigned i = 0; i < n; i++)
		s += "<book id=\"b" + std::to_string(i) + "\" lang=\"en\"><title>On " +
		     std::to_string(rnd(seed) >> 40) + " things</title><pages n=\"" +
		     std::to_string(rnd(seed) >> 54) +
		     "\"/><by><name>A. Writer</name><born/></by></book>";
	return s + "</shelf>";
}

} // namespace

int
main(int argc, char **argv)
{
	unsigned long rounds = arg(argc, argv, 1, 50);
	uint64_t seed = 1, sum = 0;
	const std::string text = document(5000, &seed);

	for (unsigned long i = 0; i < rounds; i++) {
		auto root = reader(text.c_str()).read(nullptr);
		std::string again;

		find(*root, "name", sum);
		find(*root, "pages", sum);
		write(*root, again);
		sum = mix(sum, again == text);
	}
	printf("xml %lu %016" PRIx64 "\n", rounds, sum);
	return 0;
}

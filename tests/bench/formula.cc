/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas of a sheet: parsed into trees of shared nodes, evaluated with variables
 * in a map, differentiated.
 *
 *	formula [formulas]			(30000)
 */
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench.h"

namespace {

struct expression;
using tree = std::shared_ptr<const expression>;
using variables = std::map<std::string, double>;

struct expression {
	virtual ~expression() = default;
	virtual double value(const variables &v) const = 0;
	virtual tree slope(const std::string &by) const = 0;
};

struct constant : expression {
	double n;
	explicit constant(double n) : n(n) {}
	double value(const variables &) const override { return n; }
	tree slope(const std::string &) const override
	{
		return std::make_shared<constant>(0);
	}
};

struct variable : expression {
	std::string name;
	explicit variable(std::string name) : name(std::move(name)) {}
	double value(const variables &v) const override { return v.at(name); }
	tree slope(const std::string &by) const override
	{
		return std::make_shared<constant>(name == by);
	}
};

struct binary : expression {
	char op;
	tree left, right;
	binary(char op, tree left, tree right)
		: op(op), left(std::move(left)), right(std::move(right)) {}
	double value(const variables &v) const override
	{
		double a = left->value(v), b = right->value(v);

		return op == '+' ? a + b : op == '-' ? a - b : a * b;
	}
	tree slope(const std::string &by) const override
	{
		if (op != '*')
			return std::make_shared<binary>(op, left->slope(by),
							right->slope(by));
		return std::make_shared<binary>(
			'+',
			std::make_shared<binary>('*', left->slope(by), right),
			std::make_shared<binary>('*', left, right->slope(by)));
	}
};

class parser {
public:
	explicit parser(std::string text) : text(std::move(text)) {}

	tree sum()
	{
		tree t = product();

		while (text[at] == '+' || text[at] == '-') {
			char op = text[at++];
			t = std::make_shared<binary>(op, t, product());
		}
		return t;
	}

private:
	std::string text;
	size_t at = 0;

	tree product()
	{
		tree t = factor();

		while (text[at] == '*') {
			at++;
			t = std::make_shared<binary>('*', t, factor());
		}
		return t;
	}

	tree factor()
	{
		if (text[at] == '(') {
			at++;
			tree t = sum();
			at++;
			return t;
		}
		if (text[at] >= '0' && text[at] <= '9') {
			size_t used;
			double n = std::stod(text.substr(at), &used);
			at += used;
			return std::make_shared<constant>(n);
		}
		return std::make_shared<variable>(std::string(1, text[at++]));
	}
};

std::string formula(unsigned depth, uint64_t *seed)
{
	uint64_t r = rnd(seed);

	if (depth == 0)
		return r & 1 ? std::string(1, "xyz"[(r >> 8) % 3]) :
			       std::to_string((r >> 8) % 9) + ".5";
	return "(" + formula(depth - 1, seed) + "+-*"[(r >> 16) % 3] +
	       formula(depth - 1 - (r >> 24) % 2 * (depth > 1), seed) + ")";
}

} // namespace

int
main(int argc, char **argv)
{
	unsigned long n = arg(argc, argv, 1, 30000);
	uint64_t seed = 1, sum = 0;
	variables v = { { "x", .5 }, { "y", -1 }, { "z", .25 } };

	for (unsigned long i = 0; i < n; i++) {
		tree t = parser(formula(6, &seed)).sum(), d = t->slope("x");

		for (unsigned k = 0; k < 4; k++) {
			v["x"] = .25 * k;
			sum = mix(sum, (uint64_t)(int64_t)std::fmod(
					       t->value(v) + d->value(v), 1e9));
		}
	}
	printf("formula %lu %016" PRIx64 "\n", n, sum);
	return 0;
}

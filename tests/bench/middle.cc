/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The middle end of a compiler: functions of blocks of instructions, which know
 * their users, and passes that fold constants, share equal instructions and
 * remove unused ones, until nothing changes.
 *
 *	middle [functions]			(1500)
 */
#include <list>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bench.h"

namespace {

enum op { CONSTANT, ARGUMENT, ADD, MULTIPLY, XOR, RETURN };

struct instruction {
	op code;
	uint64_t number = 0;
	std::vector<instruction *> operands;
	std::unordered_set<instruction *> users;
	std::list<std::unique_ptr<instruction>>::iterator where{};
};

struct block {
	std::list<std::unique_ptr<instruction>> body;

	instruction *add(op code, uint64_t number,
			 std::vector<instruction *> operands)
	{
		body.push_back(std::make_unique<instruction>());
		instruction *i = body.back().get();

		i->code = code;
		i->number = number;
		i->operands = std::move(operands);
		i->where = std::prev(body.end());
		for (instruction *o : i->operands)
			o->users.insert(i);
		return i;
	}

	void remove(instruction *i)
	{
		for (instruction *o : i->operands)
			o->users.erase(i);
		body.erase(i->where);
	}
};

struct function {
	std::vector<block> blocks;
};

void replace(instruction *old, instruction *by)
{
	for (instruction *user : old->users) {
		for (instruction *&o : user->operands)
			if (o == old)
				o = by;
		by->users.insert(user);
	}
	old->users.clear();
}

bool fold(block &b)
{
	bool changed = false;

	for (auto &i : b.body) {
		if (i->code < ADD || i->code > XOR ||
		    i->operands[0]->code != CONSTANT ||
		    i->operands[1]->code != CONSTANT)
			continue;
		uint64_t x = i->operands[0]->number, y = i->operands[1]->number;
		i->number = i->code == ADD ? x + y :
			    i->code == XOR ? x ^ y : x * y;
		for (instruction *o : i->operands)
			o->users.erase(i.get());
		i->operands.clear();
		i->code = CONSTANT;
		changed = true;
	}
	return changed;
}

bool share(block &b)
{
	std::unordered_map<uint64_t, instruction *> seen;
	bool changed = false;

	for (auto &i : b.body) {
		uint64_t key = mix(i->code, i->number);

		if (i->code == RETURN || i->code == ARGUMENT)
			continue;
		for (const instruction *o : i->operands)
			key = mix(key, o->number * 8 + o->code);
		auto [at, fresh] = seen.emplace(key, i.get());
		if (fresh || at->second->code != i->code ||
		    at->second->operands != i->operands || i->users.empty())
			continue;
		replace(i.get(), at->second);
		changed = true;
	}
	return changed;
}

bool sweep(block &b)
{
	bool changed = false;

	for (auto i = b.body.end(); i != b.body.begin();) {
		instruction *last = std::prev(i)->get();

		if (last->code != RETURN && last->users.empty()) {
			b.remove(last);
			changed = true;
		} else {
			--i;
		}
	}
	return changed;
}

function make(uint64_t *seed)
{
	function f;

	f.blocks.resize(4);
	for (block &b : f.blocks) {
		std::vector<instruction *> values;

		for (unsigned i = 0; i < 12; i++)
			values.push_back(b.add(i & 3 ? CONSTANT : ARGUMENT,
					       rnd(seed) >> 61, {}));
		for (unsigned i = 0; i < 120; i++) {
			uint64_t r = rnd(seed);
			values.push_back(b.add((op)(ADD + (r >> 32) % 3), 0,
					       { values[r % values.size()],
						 values[(r >> 16) % values.size()] }));
		}
		b.add(RETURN, 0, { values.back(), values[values.size() - 9] });
	}
	return f;
}

} // namespace

int
main(int argc, char **argv)
{
	unsigned long n = arg(argc, argv, 1, 1500);
	uint64_t seed = 1, sum = 0;
	std::vector<function> module;

	for (unsigned long i = 0; i < n; i++)
		module.push_back(make(&seed));
	for (function &f : module)
		for (block &b : f.blocks)
			while (fold(b) | share(b) | sweep(b))
				sum = mix(sum, b.body.size());
	for (const function &f : module)
		for (const block &b : f.blocks)
			for (const auto &i : b.body)
				sum = mix(sum, i->code + i->number);
	printf("middle %lu %016" PRIx64 "\n", n, sum);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * C++, for gcc's plugin and LLVM's pass: the events that modules request, and a
 * file's list of places (events.h) as text for the assembler.
 */
#ifndef MEMMON_EVENTS_LIST_H
#define MEMMON_EVENTS_LIST_H

#ifdef __cplusplus
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#ifndef MEMMON_ABI_NAMES_ONLY
#define MEMMON_ABI_NAMES_ONLY
#endif
#include "monitor/events.h"
#include "monitor/events_scope.h"

/* Arguments that a kind of event may have. */
#define EVENTS_ADDRESS 1
#define EVENTS_VALUE 2
#define EVENTS_SIZE 4
#define EVENTS_CALLS 8 /* of functions and loops: only around calls */

#define EVENTS_OF_LOOPS \
	(1u << MEMMON_EVENT_LOOP | 1u << MEMMON_EVENT_ITERATION | \
	 1u << MEMMON_EVENT_LOOP_EXIT)
#define EVENTS_OF_FUNCTIONS (1u << MEMMON_EVENT_ENTRY | 1u << MEMMON_EVENT_EXIT)

/* Which events and arguments the modules request. */
struct events_wanted {
      private:
	uint32_t kinds = 0;
	uint32_t everywhere = 0; /* kinds without EVENTS_CALLS */
	unsigned char arguments[MEMMON_EVENT_KINDS] = {};

	static const char *
	name(unsigned kind)
	{
		static const char *const names[] = {
			"",	     "load",	   "store",	"pointer",
			"alloc",     "free",	   "stack_alloc", "stack_free",
			"global",    "entry",	   "exit",	"loop",
			"iteration", "loop_exit", "start",	"end",
			"resume",
		};

		return kind < sizeof(names) / sizeof(names[0]) ? names[kind]
							       : "";
	}

	static unsigned
	argument(const std::string &s)
	{
		return s == "address" ? EVENTS_ADDRESS
		       : s == "value" ? EVENTS_VALUE
		       : s == "size"  ? EVENTS_SIZE
		       : s == "calls" ? EVENTS_CALLS
				      : 0;
	}

	/* "kind" or "kind:argument,argument" */
	bool
	add_word(const std::string &word)
	{
		size_t at = word.find(':'), next;
		unsigned kind = 1, flags = 0;

		while (kind < MEMMON_EVENT_KINDS &&
		       word.substr(0, at) != name(kind))
			kind++;
		if (kind >= MEMMON_EVENT_RESUME + 1)
			return false;
		for (; at != std::string::npos; at = next) {
			size_t from = at + 1;
			unsigned flag;

			next = word.find(',', from);
			flag = argument(
				word.substr(from, next == std::string::npos
							  ? next
							  : next - from));
			if (flag == 0)
				return false;
			flags |= flag;
		}
		kinds |= 1u << kind;
		everywhere |= (uint32_t) !(flags & EVENTS_CALLS) << kind;
		arguments[kind] |= flags;
		return true;
	}

      public:
	/*
	 * Add the requests of a list, whose words are separated by blanks or +.
	 * Returns the first unknown word, or "".
	 */
	std::string
	add(const std::string &list)
	{
		size_t at = 0, end;

		while ((at = list.find_first_not_of(" +\t", at)) !=
		       std::string::npos) {
			end = list.find_first_of(" +\t", at);
			if (end == std::string::npos)
				end = list.size();
			if (!add_word(list.substr(at, end - at)))
				return list.substr(at, end - at);
			at = end;
		}
		/*
		 * Without this event, a frame left by a jump would seem active.
		 */
		if (has(MEMMON_EVENT_ENTRY) || has(MEMMON_EVENT_LOOP))
			add_word("resume:address");
		return "";
	}
	bool
	has(unsigned kind) const
	{
		return kinds >> kind & 1;
	}
	bool
	has(unsigned kind, unsigned what) const
	{
		return has(kind) && (arguments[kind] & what) != 0;
	}
	/* Are some of these kinds requested, and only around calls? */
	bool
	only_calls(uint32_t some) const
	{
		return (kinds & some) && !(everywhere & some);
	}
	uint32_t
	all() const
	{
		return kinds;
	}
};

/* struct memmon_step of events.h. */
struct events_step {
	uint64_t event;
	int32_t delta;
	uint16_t address, value;
};

static inline uint64_t
events_head(unsigned kind, unsigned place, uint64_t size, bool address,
	    bool value)
{
	if (size > MEMMON_EVENT_SIZE_MAX)
		size = MEMMON_EVENT_SIZE_MAX;
	return place | size << MEMMON_EVENT_SIZE_SHIFT |
	       (uint64_t)kind << MEMMON_EVENT_KIND_SHIFT |
	       (uint64_t)address << MEMMON_EVENT_ADDRESS_SHIFT |
	       (uint64_t)value << MEMMON_EVENT_VALUE_SHIFT;
}

/* A place in the source, from the compiler. */
struct events_position {
	unsigned kind, flags;
	std::string file;
	unsigned line, column;
	unsigned function, loop; /* places, or MEMMON_NO_PLACE */
	std::string name;
	uint64_t size;
};

struct events_list {
      private:
	struct row {
		events_position at;
		unsigned ordinal, file, name;
	};
	typedef std::tuple<unsigned, unsigned, unsigned, unsigned> position;

	std::vector<row> places;
	bool is_restricted = false;
	/* For each position, the next ordinal. */
	std::map<position, unsigned> ordinals;
	std::vector<events_step> steps, started;
	std::vector<std::tuple<unsigned, unsigned, unsigned>> blocks;
	std::vector<std::string> addresses;
	std::map<std::string, unsigned> address_of;
	std::string strings = std::string(1, '\0');
	std::map<std::string, unsigned> string_of;

	unsigned
	string(const std::string &s)
	{
		if (s.empty())
			return 0;
		auto known = string_of.find(s);
		if (known != string_of.end())
			return known->second;
		unsigned at = (unsigned)strings.size();
		string_of[s] = at;
		strings += s;
		strings += '\0';
		return at;
	}

	static std::string
	longs(std::vector<uint64_t> numbers)
	{
		std::string s = "\t.long\t";

		for (size_t i = 0; i < numbers.size(); i++)
			s += (i ? ", " : "") +
			     std::to_string((uint32_t)numbers[i]);
		return s + "\n";
	}

	static std::string
	text_of(const events_step &s)
	{
		return "\t.quad\t" + std::to_string(s.event) + "\n\t.long\t" +
		       std::to_string(s.delta) + "\n\t.short\t" +
		       std::to_string(s.address) + ", " +
		       std::to_string(s.value) + "\n";
	}

	static std::string
	text_of(const row &r)
	{
		return "\t.byte\t" + std::to_string(r.at.kind) + ", " +
		       std::to_string(r.at.flags) + "\n\t.short\t" +
		       std::to_string(r.ordinal & 0xffff) + "\n" +
		       longs({ r.at.line, r.at.column, r.file, r.at.function,
			       r.at.loop, r.name,
			       r.at.size > UINT32_MAX ? UINT32_MAX
						      : r.at.size });
	}

	std::string
	strings_text() const
	{
		static const char digits[] = "01234567";
		std::string s;

		for (size_t i = 0; i < strings.size(); i++) {
			unsigned char c = (unsigned char)strings[i];

			if (i == 0 || strings[i - 1] == '\0')
				s += "\t.ascii\t\"";
			if (c == '"' || c == '\\' || c < 32 || c > 126) {
				s += '\\';
				s += digits[c >> 6];
				s += digits[c >> 3 & 7];
				s += digits[c & 7];
			} else {
				s += (char)c;
			}
			if (c == '\0')
				s += "\"\n";
		}
		return s;
	}

      public:
	/* Returns its index. */
	unsigned
	place(const events_position &at)
	{
		unsigned file = string(at.file), name = string(at.name);
		unsigned &ordinal =
			ordinals[position(at.kind, file, at.line, at.column)];

		places.push_back({ at, ordinal++, file, name });
		return (unsigned)places.size() - 1;
	}
	unsigned
	block(const std::vector<events_step> &of, unsigned words)
	{
		blocks.emplace_back(steps.size(), of.size(), words);
		steps.insert(steps.end(), of.begin(), of.end());
		return (unsigned)blocks.size() - 1;
	}
	/* An address for the assembler: a symbol, perhaps plus a distance. */
	unsigned
	address(const std::string &expression)
	{
		auto known = address_of.find(expression);

		if (known != address_of.end())
			return known->second;
		address_of[expression] = (unsigned)addresses.size();
		addresses.push_back(expression);
		return (unsigned)addresses.size() - 1;
	}
	/* An object that exists from the start. */
	void
	start(unsigned place, unsigned address)
	{
		started.push_back({ events_head(MEMMON_EVENT_GLOBAL, place, 0,
						true, false),
				    (int32_t)address, MEMMON_STEP_FIXED, 0 });
	}
	/* Add the restrictions of events, after all other places. */
	void
	restricted(const events_scope &scope)
	{
		for (const events_restriction &r : scope.restrictions()) {
			events_position at = {};

			at.kind = MEMMON_EVENT_START;
			at.flags = r.found ? MEMMON_PLACE_FOUND : 0;
			at.function = at.loop = MEMMON_NO_PLACE;
			at.name = r.line ? "--loop=" + r.name + ":" +
						   std::to_string(r.line)
					 : "--only=" + r.name;
			at.file = r.like;
			at.line = r.like_line;
			place(at);
			is_restricted = true;
		}
	}
	bool
	empty() const
	{
		return blocks.empty() && started.empty() && !is_restricted;
	}

	/*
	 * The list, the variable *first (.LMEMMON_E0) with its value before the
	 * registration, and the constructor that registers the list.
	 */
	std::string
	text(uint32_t wants, const std::string &unit,
	     const std::string &modules)
	{
		unsigned at_unit = string(unit), at_modules = string(modules);
		uint64_t at_steps = sizeof_places + 32 * places.size();
		uint64_t at_blocks =
			at_steps + 16 * (steps.size() + started.size());
		uint64_t at_strings = at_blocks + 8 * blocks.size();
		uint64_t size = (at_strings + strings.size() + 7) & ~7ull;
		std::string s;

		s = "\t.section\t" MEMMON_EVENTS_SECTION ",\"a\",@progbits\n"
		    "\t.balign\t8\n.LMEMMON_EL0:\n";
		s += longs({ MEMMON_PLACES_MAGIC, size, places.size(),
			     at_strings, wants, at_unit, at_modules, at_blocks,
			     blocks.size(), at_steps, steps.size(),
			     addresses.size(), at_steps + 16 * steps.size(),
			     started.size() });
		for (const row &r : places)
			s += text_of(r);
		for (const events_step &step : steps)
			s += text_of(step);
		for (const events_step &step : started)
			s += text_of(step);
		for (const auto &b : blocks)
			s += "\t.long\t" + std::to_string(std::get<0>(b)) +
			     "\n\t.short\t" + std::to_string(std::get<1>(b)) +
			     ", " + std::to_string(std::get<2>(b)) + "\n";
		s += strings_text() + "\t.balign\t8\n";
		s += "\t.data\n\t.balign\t8\n.LMEMMON_E0:\n\t.quad\t" +
		     std::to_string(MEMMON_UNREGISTERED) + "\n";
		s += "\t.section\t.data.rel.ro,\"aw\"\n\t.balign\t8\n"
		     ".LMEMMON_EA0:\n";
		for (const std::string &a : addresses)
			s += "\t.quad\t" + a + "\n";
		return s + constructor();
	}

      private:
	static const unsigned sizeof_places = 56;

	static std::string
	constructor()
	{
		return "\t.text\n\t.p2align\t4\n.LMEMMON_ER0:\n"
		       "\t.cfi_startproc\n\tendbr64\n"
		       "\tsubq\t$8, %rsp\n\t.cfi_def_cfa_offset\t16\n"
		       "\tleaq\t.LMEMMON_EL0(%rip), %rdi\n"
		       "\tleaq\t.LMEMMON_E0(%rip), %rsi\n"
		       "\tleaq\t.LMEMMON_EA0(%rip), %rdx\n"
		       "\tcall\t*__memmon_events_register@GOTPCREL(%rip)\n"
		       "\taddq\t$8, %rsp\n\t.cfi_def_cfa_offset\t8\n"
		       "\tret\n\t.cfi_endproc\n"
		       "\t.section\t.init_array.00100,\"aw\",@init_array\n"
		       "\t.balign\t8\n\t.quad\t.LMEMMON_ER0\n\t.text\n";
	}
};

/*
 * For the rare call of __memmon_events_full(): rax has a number of words, and
 * afterwards the end of these words.  No other register changes.
 */
#define EVENTS_ROOM_TEXT \
	"\t.section\t.text.__memmon_events_room,\"axG\",@progbits," \
	"__memmon_events_room,comdat\n" \
	"\t.p2align\t4\n" \
	"\t.globl\t__memmon_events_room\n" \
	"\t.hidden\t__memmon_events_room\n" \
	"\t.type\t__memmon_events_room, @function\n" \
	"__memmon_events_room:\n" \
	"\t.cfi_startproc\n" \
	"\tpushq\t%rbp\n" \
	"\t.cfi_def_cfa_offset\t16\n" \
	"\t.cfi_offset\t%rbp, -16\n" \
	"\tmovq\t%rsp, %rbp\n" \
	"\t.cfi_def_cfa_register\t%rbp\n" \
	"\tpushq\t%rcx\n\tpushq\t%rdx\n\tpushq\t%rsi\n\tpushq\t%rdi\n" \
	"\tpushq\t%r8\n\tpushq\t%r9\n\tpushq\t%r10\n\tpushq\t%r11\n" \
	"\tpushq\t%rax\n" \
	"\tandq\t$-16, %rsp\n" \
	"\tmovq\t%rax, %rdi\n" \
	"\tcall\t*__memmon_events_full@GOTPCREL(%rip)\n" \
	"\tmovq\t-72(%rbp), %rcx\n" \
	"\tleaq\t(%rax,%rcx,8), %rax\n" \
	"\tleaq\t-64(%rbp), %rsp\n" \
	"\tpopq\t%r11\n\tpopq\t%r10\n\tpopq\t%r9\n\tpopq\t%r8\n" \
	"\tpopq\t%rdi\n\tpopq\t%rsi\n\tpopq\t%rdx\n\tpopq\t%rcx\n" \
	"\tpopq\t%rbp\n" \
	"\t.cfi_def_cfa\t%rsp, 8\n" \
	"\tret\n" \
	"\t.cfi_endproc\n" \
	"\t.size\t__memmon_events_room, .-__memmon_events_room\n" \
	"\t.text\n"
#endif

#endif

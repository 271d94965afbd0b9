/* SPDX-License-Identifier: MIT */
/*
 * C++, for gcc's plugin and LLVM's pass: the functions and loops that memmon-cc
 * --only and --loop restrict events to.
 */
#ifndef MEMMON_EVENTS_SCOPE_H
#define MEMMON_EVENTS_SCOPE_H

#ifdef __cplusplus
#include <algorithm>
#include <set>
#include <string>
#include <vector>

/*
 * A function, or a loop by file and line.  The file's list says whether the
 * file has it, or else what is most similar to it.
 */
struct events_restriction {
	std::string name; /* of a function, or a file */
	unsigned line;	  /* 0: a function */
	bool found = false;
	std::string like = ""; /* the most similar name, if there is one, */
	unsigned like_line = 0;
	unsigned distance = ~0u; /* and its distance from `name' */
};

struct events_scope {
      private:
	std::vector<events_restriction> all;
	std::set<std::string> known; /* functions */

	/* The edit distance: characters to replace, insert or remove. */
	static unsigned
	distance(const std::string &a, const std::string &b)
	{
		std::vector<unsigned> row(b.size() + 1);

		for (size_t k = 0; k <= b.size(); k++)
			row[k] = (unsigned)k;
		for (size_t i = 1; i <= a.size(); i++) {
			unsigned before = row[0];

			row[0] = (unsigned)i;
			for (size_t k = 1; k <= b.size(); k++) {
				unsigned least =
					before + (a[i - 1] != b[k - 1]);

				before = row[k];
				least = std::min(least, row[k] + 1);
				row[k] = std::min(least, row[k - 1] + 1);
			}
		}
		return row[b.size()];
	}

	static void
	liken(events_restriction *r, const std::string &name, unsigned line,
	      unsigned far)
	{
		if (far >= r->distance)
			return;
		r->distance = far;
		r->like = name;
		r->like_line = line;
	}

	static bool
	is_file(const events_restriction &r, const std::string &file)
	{
		size_t n = r.name.size();

		return r.line && file.size() >= n &&
		       file.compare(file.size() - n, n, r.name) == 0 &&
		       (file.size() == n || file[file.size() - n - 1] == '/');
	}

      public:
	void
	add_function(const std::string &name)
	{
		all.push_back({ name, 0 });
	}
	/* Add "FILE:LINE"; false: it has another form. */
	bool
	add_loop(const std::string &at)
	{
		size_t colon = at.rfind(':');

		if (colon == std::string::npos ||
		    at.find_first_not_of("0123456789", colon + 1) !=
			    std::string::npos ||
		    colon + 1 == at.size() || at.size() - colon > 9 ||
		    std::stoul(at.substr(colon + 1)) == 0)
			return false;
		all.push_back({ at.substr(0, colon),
				(unsigned)std::stoul(at.substr(colon + 1)) });
		return true;
	}
	const std::vector<events_restriction> &
	restrictions() const
	{
		return all;
	}
	bool
	is_all() const
	{
		return all.empty();
	}
	bool
	has_function(const std::string &name)
	{
		bool is = false, is_new = known.insert(name).second;

		for (events_restriction &r : all) {
			if (r.line || name.empty())
				continue;
			is |= r.name == name;
			r.found |= r.name == name;
			if (is_new && name.compare(0, 2, "_Z") != 0 &&
			    name.find('(') == std::string::npos) {
				unsigned far = distance(r.name, name);

				if (far <= 1 + r.name.size() / 3)
					liken(&r, name, 0, far);
			}
		}
		return is;
	}
	bool
	has_loop(const std::string &file, unsigned line)
	{
		bool is = false;

		for (events_restriction &r : all) {
			if (!is_file(r, file))
				continue;
			is |= r.line == line;
			r.found |= r.line == line;
			liken(&r, r.name, line,
			      r.line > line ? r.line - line : line - r.line);
		}
		return is;
	}
};
#endif

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a profile is to be made from, and how: a part of profile.h. */
#ifndef MEMMON_REDUCE_OPTIONS_H
#define MEMMON_REDUCE_OPTIONS_H

#include "reduce/model/options.h"
#include "reduce/model/views.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What profile_read() does when the files are of several programs. */
enum profile_several {
	PROFILE_SUM,   /* add them up */
	PROFILE_LIST,  /* fill runs only, of whatever programs */
	PROFILE_DECIDE /* fill runs only, if they are of several */
};

/* A list of strings. */
struct profile_list {
	const char *const *item;
	size_t n;
};

/* Which blocks are left, and which frames of their chains.  All zero: all. */
struct profile_filter {
	/* Symspecs.  Blocks with some frame of focus and none of ignore. */
	struct profile_list focus, ignore;
	struct profile_list hide; /* frames that are left out of chains */
	/* Globs: file names of the modules of the functions that allocated,
	 * types of blocks, names of threads that allocated. */
	struct profile_list module, type, thread;
	/* Memory profiling modules that have results, with blanks; or NULL. */
	const char *results;
	bool sizes; /* only blocks of so many bytes: */
	uint64_t least, largest;
	bool collapse; /* recursion is taken out of chains */
};

/* Where programs, libraries and their debug information are looked for. */
struct profile_where {
	const char *sysroot;	   /* before recorded paths, or NULL */
	struct profile_list debug; /* directories with debug files, first */
	unsigned debuginfod;	   /* seconds to wait for it; 0: isn't asked */
};

struct profile_options {
	const char *exe; /* executable; NULL: as recorded in the file */
	/* Data files, at least one, or directories with such. */
	const char *const *files;
	size_t nfiles;
	const char *const *suppressions; /* files of them */
	size_t nsuppressions;
	bool show_runtime; /* what libraries keep isn't suppressed */
	enum profile_several several;
	bool either; /* exe is the program of one of two runs, perhaps */
	bool mangled; /* don't demangle the names of functions */
	const char *const *wrappers; /* more wrapper globs */
	size_t nwrappers;
	bool no_wrappers;  /* show the raw chains */
	bool offsets;	   /* keep call sites apart (frame.site) */
	bool calls;	   /* the same without their text */
	bool frames;	   /* no cycle is one element of a path (frame.entry) */
	bool no_types;	   /* don't look for types by size (quicker) */
	bool no_guess;	   /* nor in debug information for those of sites */
	size_t guess_most; /* not for more sites than that; 0: for any number */
	bool waste;	   /* what types waste is wanted */
	double tau;	   /* of a run's length: longer gaps between a site's
			   * allocations part groups; 0: 0.001 */
	bool fields;	   /* profile.fields are wanted */
	bool members;	   /* names of members in profile.links are */
	bool lines;	   /* a function for each of its source lines */
	bool sources;	   /* what each source line did is wanted */
	bool each_thread;  /* tell threads of one name apart */
	bool short_names;  /* without template arguments and parameters */
	/*
	 * Called again and again while something takes long, unless NULL:
	 * `done' of `of', 0 unknown, are done of what the text says.  what
	 * NULL: something is to be printed, so it goes from the screen; that
	 * may come from a signal handler.
	 */
	void (*progress)(void *arg, const char *what, uint64_t done,
			 uint64_t of);
	void *progress_arg;
	struct profile_where where;
	struct profile_filter filter;
	struct profile_when when;
	bool times; /* profile.time is wanted */
	bool ranks; /* profile.ranks are */
	bool items; /* profile.items are */
	bool log;   /* profile.log is */
	struct profile_list findings; /* of these modules; or of all that have
				      * some, of a single run: */
	bool all_findings;
	/* Names are kept in it for the next time; NULL: they aren't. */
	struct profile_cache *cache;
	size_t jobs;	     /* threads that read files; 0: as processors */
};

#endif

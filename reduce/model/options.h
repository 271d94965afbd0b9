/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a profile is made from, and how: a part of profile.h. */
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
	PROFILE_LIST,  /* fill runs only, of one program or several */
	PROFILE_DECIDE /* fill runs only if there are several programs */
};

/* A list of strings. */
struct profile_list {
	const char *const *item;
	size_t n;
};

/* Which blocks and which frames of call paths to keep.  All zero: all. */
struct profile_filter {
	/* Symspecs.  Keep blocks with a frame of focus and no frame of
	 * ignore. */
	struct profile_list focus, ignore;
	struct profile_list hide; /* frames to leave out of call paths */
	/* Globs: file names of the modules of the functions that allocated,
	 * types of blocks, names of threads that allocated. */
	struct profile_list module, type, thread;
	/* Profiling modules that have results, separated by blanks; or NULL. */
	const char *results;
	bool sizes; /* only blocks of these sizes, in bytes: */
	uint64_t least, largest;
	bool collapse; /* take recursion out of call paths */
};

/* Where to look for programs, libraries and their debug information. */
struct profile_where {
	const char *sysroot;	   /* put before recorded paths, or NULL */
	struct profile_list debug; /* directories with debug files, searched
				    * first */
	unsigned debuginfod;	   /* seconds to wait for it; 0: don't ask it */
};

struct profile_options {
	const char *exe; /* executable; NULL: as recorded in the file */
	/* Data files, or directories that contain some; at least one. */
	const char *const *files;
	size_t nfiles;
	const char *const *suppressions; /* files of suppressions */
	size_t nsuppressions;
	bool show_runtime; /* don't suppress what libraries keep */
	enum profile_several several;
	bool either; /* of two runs, exe may be the program of only one */
	bool mangled; /* don't demangle the names of functions */
	const char *const *wrappers; /* more wrapper globs */
	size_t nwrappers;
	bool no_wrappers;  /* show the raw call paths */
	bool offsets;	   /* keep call sites apart (frame.site) */
	bool calls;	   /* the same as offsets, but without their text */
	bool kinds;	   /* the same if there are at most guess_most sites */
	bool frames;	   /* don't make a cycle one element of a path
			    * (frame.entry) */
	bool no_types;	   /* don't look for types by size (quicker) */
	bool no_guess;	   /* nor in debug information for the types of sites */
	size_t guess_most; /* the most sites to do it for; 0: any number */
	bool waste;	   /* compute what types waste */
	double tau;	   /* share of a run's length: longer gaps between a
			    * site's allocations separate groups; 0: 0.001 */
	bool fields;	   /* fill profile.fields */
	bool members;	   /* find names of members for profile.links */
	bool lines;	   /* make a function of each of its source lines */
	bool sources;	   /* count by source line, too */
	bool each_thread;  /* list threads of one name separately */
	bool short_names;  /* without template arguments and parameters */
	/*
	 * Called again and again while something takes long, unless NULL:
	 * `done' of `of' are done of the work that the text `what' names; `of'
	 * 0: unknown.  what NULL: take the text from the screen, because
	 * something is going to be printed; a signal handler may make this
	 * call.
	 */
	void (*progress)(void *arg, const char *what, uint64_t done,
			 uint64_t of);
	void *progress_arg;
	struct profile_where where;
	struct profile_filter filter;
	struct profile_when when;
	bool times; /* fill profile.time */
	bool ranks; /* fill profile.ranks */
	bool items; /* fill profile.items */
	bool log;   /* fill profile.log */
	struct profile_list findings; /* of these modules; or of all that have
				       * some, if there is a single run: */
	bool all_findings;
	/* Stores names for the next profile; NULL: they aren't stored. */
	struct profile_cache *cache;
	size_t jobs;	     /* threads that read files; 0: one per CPU */
};

#endif

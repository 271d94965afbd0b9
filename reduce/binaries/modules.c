/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program and its libraries: see modules.h. */
#include "reduce/binaries/modules.h"
#include "reduce/base/clean.h"
#include "reduce/base/str.h"

#include <fnmatch.h>
#include <stdio.h>

/* Does the file name of a path match one of the globs? */
static bool
modules_path_is(const char *path, const char *const *globs, size_t n)
{
	const char *name = str_basename(path);
	size_t i;

	for (i = 0; i < n; i++) {
		if (fnmatch(globs[i], name, 0) == 0)
			return true;
	}
	return false;
}

bool
modules_is_libc(const char *path)
{
	static const char *const globs[] = {
		"libc.so.6",	     "libc-2.*.so",    "libpthread.so.0",
		"libpthread-2.*.so", "ld-musl-*.so.1", "libc.musl-*.so.1",
	};

	return modules_path_is(path, globs, sizeof(globs) / sizeof(globs[0]));
}

bool
modules_is_monitor(const char *path)
{
	static const char *const globs[] = { "libmemmon.so*" };

	return modules_path_is(path, globs, 1);
}

bool
modules_is_system(const char *path)
{
	static const char *const globs[] = { "ld-linux*.so.*", "ld-2.*.so" };

	return modules_path_is(path, globs, 2) || modules_is_libc(path) ||
	       modules_is_monitor(path);
}

bool
modules_is_runtime(const char *path)
{
	static const char *const globs[] = {
		"libstdc++.so*",  "libgcc_s.so*", "libc++.so*",
		"libc++abi.so*",  "libunwind.so*", "libm.so.6",
		"libm-2.*.so",	  "libdl.so.2",	   "librt.so.1",
		"libgomp.so*",	  "libomp.so*",	   "libatomic.so*",
		"lib[alt]san.so*", "libubsan.so*", "libclang_rt.*",
		"libmemmon-access.so*",
	};

	return modules_is_system(path) ||
	       modules_path_is(path, globs, sizeof(globs) / sizeof(globs[0]));
}

/* A longer build-id is shortened; the usual length is 20 bytes. */
enum { MODULES_ID = 64 };

static void
modules_one(struct arena *a, const struct mon_module *from,
	    struct profile_module *to)
{
	size_t n = from->idlen < MODULES_ID ? from->idlen : MODULES_ID, i;
	char *id = arena_alloc(a, 2 * n + 1);

	*to = (struct profile_module){ .path = clean_name(a, from->path),
				       .build_id = id,
				       .start = from->start,
				       .end = from->end,
				       .bias = from->bias,
				       .program = from->flags & MONOUT_M_EXE };
	for (i = 0; i < n; i++)
		snprintf(id + 2 * i, 3, "%02x", from->id[i]);
}

void
modules_make(struct profile *p, const struct mon *m)
{
	size_t i;

	p->modules = arena_array(&p->priv->arena, m->nmodules + 1,
				 sizeof(*p->modules));
	p->modules[0] = (struct profile_module){ .path = "", .build_id = "" };
	p->nmodules = m->nmodules;
	for (i = 1; i < m->nmodules; i++) {
		modules_one(&p->priv->arena, &m->modules[i], &p->modules[i]);
	}
}

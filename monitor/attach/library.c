/* SPDX-License-Identifier: MIT */
/* The library in a process that memmon attaches to. */
#include "monitor/attach/library.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "monitor/attach/root.h"

/* Time limit of a call. */
#define CALL_SECONDS 60

#define RTLD_NOW_LOCAL 2

/* The library's variables as "NAME=VALUE", each ended by NUL. */
size_t
library_settings(char *to, size_t n)
{
	extern char **environ;
	size_t used = 0, len;

	for (char **e = environ; *e; e++) {
		len = strlen(*e) + 1;
		if (strncmp(*e, "MEMMON_", 7) != 0 || len > n - used)
			continue;
		memcpy(to + used, *e, len);
		used += len;
	}
	return used;
}

/*
 * The address of the word that says that the library is loaded
 * (process/attached.h), if it says so; or 0.  If loading failed, a mapping of
 * the library may remain, and nothing in it may be called.
 */
static uintptr_t
loaded_word(const struct target *t, const struct target_module *m)
{
	uintptr_t at = target_find(m, "memmon_attach_loaded");
	const struct target_map *map = at ? target_map(t, at) : NULL;
	uint64_t word;

	return map && map->write && target_get(t, at, &word, sizeof(word)) &&
			       word == MMI_ATTACHED_LOADED
		       ? at
		       : 0;
}

uintptr_t
library_function(const struct target *t, const char *name)
{
	for (size_t i = 0; i < t->nmodules; i++)
		if (t->module[i].kind == TARGET_MONITOR &&
		    target_find(&t->module[i], name) &&
		    loaded_word(t, &t->module[i]))
			return target_find(&t->module[i], name);
	return 0;
}

/* Puts the result of the process's dlerror() into text[n]; "": none. */
static void
loader_said(const struct target *t, struct inject *i, char *text, size_t n)
{
	const uintptr_t arg[3] = { 0, 0, 0 };
	uintptr_t f = target_find(target_of(t, TARGET_LIBC), "dlerror"), at = 0;
	size_t k = 0;
	char *part;

	if (f && inject_call(i, f, arg, CALL_SECONDS, &at, text, n) && at)
		while (k + 1 < n && target_get(t, at + k, text + k, 1) &&
		       text[k])
			k++;
	text[k] = '\0';
	for (size_t c = 0; c < k; c++)
		if ((unsigned char)text[c] < ' ' || text[c] == 127)
			text[c] = '?';
	part = strstr(text, MMI_ATTACHED_PATH);
	if (part)
		memmove(part + 1, part + strlen(MMI_ATTACHED_PATH),
			strlen(part + strlen(MMI_ATTACHED_PATH)) + 1);
}

/*
 * Is the library's file missing where the process looks for it?  Puts the
 * reason into why[n].
 */
static bool
missing(const struct target *t, const char *library, char *why, size_t n)
{
	char file[2 * PATH_MAX], link[64];

	root_link(t->pid, link, sizeof(link));
	snprintf(file, sizeof(file), "%s%s", link, library);
	if (access(file, F_OK) == 0 || errno != ENOENT)
		return false;
	root_path(t->pid, library, file, sizeof(file));
	snprintf(why, n,
		 "its root directory has no %s (a container?); copy this "
		 "memmon's library to %s",
		 library, file);
	return true;
}

bool
library_load(struct target *t, struct inject *i, const char *library, char *why,
	     size_t n)
{
	const struct target_module *c = target_of(t, TARGET_LIBC);
	const char *slash = strrchr(library, '/');
	uintptr_t open = target_find(c, "dlopen"), arg[3];
	char path[PATH_MAX + 4], said[256];

	if (!open || !target_find(c, "_dl_find_object")) {
		snprintf(why, n, "its C library isn't glibc 2.35 or later");
		return false;
	}
	if (missing(t, library, why, n))
		return false;
	snprintf(path, sizeof(path), "%.*s" MMI_ATTACHED_PATH "%s",
		 (int)(slash - library), library, slash + 1);
	arg[0] = inject_room(i, path, strlen(path) + 1);
	arg[1] = RTLD_NOW_LOCAL;
	arg[2] = 0;
	if (!arg[0]) {
		snprintf(why, n, "its stack can't be written to");
		return false;
	}
	if (!inject_call(i, open, arg, CALL_SECONDS, NULL, why, n))
		return false;
	if (target_read(t) && library_function(t, "memmon_attach_begin"))
		return true;
	loader_said(t, i, said, sizeof(said));
	if (said[0])
		snprintf(why, n, "its loader says: %s", said);
	else
		snprintf(why, n, "its loader can't load %s", library);
	return false;
}

/* Evaluates the library's answer; false, with why. */
static bool
judge(const struct mmi_attached_answer *a, char *why, size_t n)
{
	if (!a->done)
		snprintf(why, n, "the monitor in the process didn't answer");
	else if (a->error == -EALREADY)
		snprintf(why, n,
			 "memmon already records this process; to control the "
			 "recording, use memmon --signal");
	else if (a->error == -EPERM)
		snprintf(why, n,
			 "its rights differ from its user's, so the monitor "
			 "writes no file");
	else if (a->error == -ENOMEM)
		snprintf(why, n,
			 "the monitor got no memory; look at the limits of the "
			 "process (ulimit -d, -v)");
	else if (a->error)
		snprintf(why, n, "%s", strerror((int)-a->error));
	else
		return true;
	return false;
}

bool
library_ask(const struct target *t, struct inject *i, const char *function,
	    const char *told, size_t length, struct mmi_attached_answer *a,
	    char *why, size_t n)
{
	uintptr_t at = library_function(t, function), arg[3] = { 0, 0, 0 };
	uintptr_t answer = inject_room(i, NULL, sizeof(*a));

	arg[0] = answer;
	if (told) {
		arg[0] = inject_room(i, told, length + 1);
		arg[1] = length;
		arg[2] = answer;
	}
	if (!at || !answer || !arg[0]) {
		snprintf(why, n,
			 at ? "its stack can't be written to"
			    : "the process contains another libmemmon");
		return false;
	}
	return inject_call(i, at, arg, CALL_SECONDS, NULL, why, n) &&
	       target_get(t, answer, a, sizeof(*a)) && judge(a, why, n);
}

bool
library_is_there(const struct target *t, uintptr_t word)
{
	uint64_t v;

	return target_get(t, word, &v, sizeof(v));
}

uintptr_t
library_word(const struct target *t)
{
	uintptr_t at = 0;

	for (size_t i = 0; i < t->nmodules && !at; i++)
		if (t->module[i].kind == TARGET_MONITOR)
			at = loaded_word(t, &t->module[i]);
	return at;
}

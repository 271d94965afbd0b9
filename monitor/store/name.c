/* SPDX-License-Identifier: MIT */
/* The name of the data file. */
#include "monitor/store/name.h"

#include <limits.h>
#include <string.h>
#include <sys/utsname.h>

#include "monitor/base/process.h"

/* A string being made; `full' once something didn't fit. */
struct text {
	char *at, *end;
	bool full;
};

static void
text_char(struct text *t, char c)
{
	if (t->at == t->end)
		t->full = true;
	else
		*t->at++ = c;
}

static void
text_string(struct text *t, const char *s)
{
	while (*s)
		text_char(t, *s++);
}

static void
text_number(struct text *t, uint64_t v)
{
	char digits[21];

	mmi_process_decimal(digits, v);
	text_string(t, digits);
}

/* Unknown values become "none"; slashes in a value are replaced. */
static void
text_part(struct text *t, const char *s)
{
	for (s = s ? s : "none"; *s; s++)
		text_char(t, *s == '/' ? '_' : *s);
}

static const char *
exe_name(void)
{
	const char *slash = strrchr(mmi_process.exe, '/');

	return slash ? slash + 1 : mmi_process.exe;
}

/* One conversion; false when the letter isn't one. */
static bool
expand(struct text *t, char letter, bool *has_pid)
{
	struct utsname u;

	switch (letter) {
	case 'p':
		*has_pid = true;
		text_number(t, (uint64_t)mmi_process.pid);
		return true;
	case 'e':
		text_string(t, exe_name());
		return true;
	case 'h':
		if (ARCH_SYS(SYS_uname, &u, 0, 0, 0, 0, 0) == 0)
			text_string(t, u.nodename);
		return true;
	case 'r':
		text_part(t, mmi_process.rank);
		return true;
	case 'j':
		text_part(t, mmi_process.job);
		return true;
	case 't':
		text_number(t, mmi_process.start / 1000000000u);
		return true;
	case '%':
		text_char(t, '%');
		return true;
	default:
		return false;
	}
}

/* Expands the pattern; `pid': appends the pid if it isn't there.  Returns the
 * end of the text before an appended pid. */
static char *
expand_all(struct text *t, bool pid, bool *has_pid)
{
	const char *p = mmi_process.pattern;
	char *end;

	*has_pid = false;
	if (*p != '/' && mmi_process.cwd[0]) {
		text_string(t, mmi_process.cwd);
		text_char(t, '/');
	}
	for (; *p; p++) {
		if (*p == '%' && p[1] && expand(t, p[1], has_pid))
			p++;
		else
			text_char(t, *p);
	}
	end = t->at;
	if ((mmi_process.child || pid) && !*has_pid) {
		*has_pid = true;
		text_char(t, '.');
		text_number(t, (uint64_t)mmi_process.pid);
	}
	return end;
}

/* Appends ".3" and so on if other files have the name; 0: appends nothing. */
static void
text_again(struct text *t, unsigned again)
{
	if (again) {
		text_char(t, '.');
		text_number(t, again);
	}
}

/*
 * The name as given ends at `end', and a suffix follows.  If both are longer
 * than a name may be, the given part is shortened.
 */
static bool
text_end(struct text *t, const char *to, char *end)
{
	char *base = t->at;
	size_t over;

	while (base > to && base[-1] != '/')
		base--;
	over = (size_t)(t->at - base) > NAME_MAX
		       ? (size_t)(t->at - base) - NAME_MAX
		       : 0;
	if (over && end < t->at && over < (size_t)(end - base)) {
		memmove(end - over, end, (size_t)(t->at - end));
		t->at -= over;
	}
	*t->at = '\0';
	return !t->full;
}

bool
mmi_name_expand(char *to, size_t n, bool exec, unsigned again, bool *has_pid)
{
	struct text t = { to, to + n - 1, false };
	char *end = expand_all(&t, exec, has_pid);

	if (exec) {
		text_char(&t, '.');
		text_string(&t, exe_name());
	}
	if (again && !*has_pid) {
		text_again(&t, (unsigned)mmi_process.pid);
		again--;
	}
	text_again(&t, again);
	return text_end(&t, to, end);
}

bool
mmi_name_dump(char *to, size_t n, unsigned number)
{
	struct text t = { to, to + n - 1, false };
	bool has_pid;
	char *end = expand_all(&t, true, &has_pid);

	text_again(&t, number);
	return text_end(&t, to, end);
}

bool
mmi_name_log(char *to, size_t n, const char *path)
{
	struct text t = { to, to + n - 1, false };
	char *end;

	text_string(&t, path);
	end = t.at;
	text_string(&t, ".log");
	return text_end(&t, to, end);
}

bool
mmi_name_beside(char *to, size_t n, const char *path, const char *before,
		long pid, unsigned again, const char *after)
{
	struct text t = { to, to + n - 1, false };
	char *end;

	text_string(&t, path);
	end = t.at;
	text_string(&t, before);
	text_number(&t, (uint64_t)pid);
	text_again(&t, again);
	text_string(&t, after);
	return text_end(&t, to, end);
}

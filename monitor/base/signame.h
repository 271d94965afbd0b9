/* SPDX-License-Identifier: MIT */
/*
 * Parses MEMMON_SIGNAL: "NAME[:ACTION]".  The library reads it and the command
 * memmon checks it.  Calls only the libc's functions for the numbers of
 * real-time signals.
 */
#ifndef MEMMON_SIGNAME_H
#define MEMMON_SIGNAME_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum mmi_signame_action {
	MMI_ACTION_DUMP,
	MMI_ACTION_START,
	MMI_ACTION_STOP,
	MMI_ACTION_TOGGLE,
	MMI_ACTION_LEAKS, /* dump, with a leak check, */
	MMI_ACTION_GRAPH, /* and the graph */
	MMI_NACTION
};

/* Does the signal mean that the program has failed? */
static inline bool
mmi_signame_crash(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGILL ||
	       sig == SIGFPE || sig == SIGABRT || sig == SIGTRAP ||
	       sig == SIGSYS;
}

/* Does s begin with `word', in upper case?  Returns the rest, or NULL. */
static inline const char *
mmi_signame_word(const char *s, const char *word)
{
	for (; *word; s++, word++)
		if (*s != *word && !(*s == *word + 32 && *word >= 'A'))
			return NULL;
	return s;
}

/* A number up to 999 at *s, which is moved past it; -1: not a number. */
static inline int
mmi_signame_number(const char **s)
{
	int v = 0;

	if (**s < '0' || **s > '9')
		return -1;
	while (**s >= '0' && **s <= '9' && v < 100)
		v = v * 10 + *(*s)++ - '0';
	return v;
}

/* The number of RTMIN, RTMIN+n or RTMAX-n; 0: another name. */
static inline int
mmi_signame_realtime(const char **s)
{
	const char *min = mmi_signame_word(*s, "RTMIN");
	const char *max = mmi_signame_word(*s, "RTMAX");
	int sig = min ? SIGRTMIN : max ? SIGRTMAX : 0, n = 0;

	if (!sig)
		return 0;
	*s = min ? min : max;
	if (**s == (min ? '+' : '-')) {
		++*s;
		n = mmi_signame_number(s);
		if (n < 0)
			return 0;
	}
	return min ? sig + n : sig - n;
}

/*
 * The signal; *action: what to do when it comes.  0: the signal or action is
 * unknown, or the signal means a fault, or it can't be caught.
 */
static inline int
mmi_signame_parse(const char *s, enum mmi_signame_action *action)
{
	static const struct {
		char name[8];
		unsigned char sig;
	} known[] = {
		{ "HUP", SIGHUP },	 { "INT", SIGINT },
		{ "QUIT", SIGQUIT },	 { "USR1", SIGUSR1 },
		{ "USR2", SIGUSR2 },	 { "PIPE", SIGPIPE },
		{ "ALRM", SIGALRM },	 { "TERM", SIGTERM },
		{ "STKFLT", SIGSTKFLT }, { "CHLD", SIGCHLD },
		{ "CONT", SIGCONT },	 { "TSTP", SIGTSTP },
		{ "TTIN", SIGTTIN },	 { "TTOU", SIGTTOU },
		{ "URG", SIGURG },	 { "XCPU", SIGXCPU },
		{ "XFSZ", SIGXFSZ },	 { "VTALRM", SIGVTALRM },
		{ "PROF", SIGPROF },	 { "WINCH", SIGWINCH },
		{ "IO", SIGIO },	 { "POLL", SIGIO },
		{ "PWR", SIGPWR },
	};
	static const char actions[MMI_NACTION][8] = {
		"DUMP", "START", "STOP", "TOGGLE", "LEAKS", "GRAPH"
	};
	const char *past = mmi_signame_word(s, "SIG"), *end;
	int sig = mmi_signame_number(&s);
	size_t i;

	if (sig < 0) {
		s = past ? past : s;
		sig = mmi_signame_realtime(&s);
		for (i = 0; !sig && i < sizeof(known) / sizeof(*known); i++)
			if ((end = mmi_signame_word(s, known[i].name)) &&
			    (!*end || *end == ':')) {
				sig = known[i].sig;
				s = end;
			}
	} else {
		for (i = 0; i < sizeof(known) / sizeof(*known); i++)
			if (known[i].sig == sig)
				break;
		if (i == sizeof(known) / sizeof(*known) && sig < SIGRTMIN)
			return 0;
	}
	if (sig <= 0 || sig > SIGRTMAX || (*s && *s != ':'))
		return 0;
	*action = MMI_ACTION_DUMP;
	if (!*s)
		return sig;
	for (i = 0; i < MMI_NACTION; i++)
		if ((end = mmi_signame_word(s + 1, actions[i])) && !*end) {
			*action = (enum mmi_signame_action)i;
			return sig;
		}
	return 0;
}

#endif

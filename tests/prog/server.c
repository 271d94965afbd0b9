/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A server whose memory grows, for memmon-faq(7).
 *
 *	server [REQUESTS [WORKERS]]
 *
 * Answers REQUESTS requests and ends; with WORKERS, each child process does.
 * Without REQUESTS: one every millisecond until a signal ends it; after 100,
 * server.pid has the process id.  Each request allocates:
 *
 *	session		200 bytes; one in ten is forgotten and never freed
 *	history		an entry of 100 bytes in a list, kept
 *	reply		4000 bytes (REPLY), freed at once
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef REPLY
#define REPLY 4000
#endif

struct session {
	int number;
	char user[196];
};

struct entry {
	struct entry *next;
	char what[92];
};

static struct entry *history;

static __attribute__((noinline)) struct session *
open_session(int number)
{
	struct session *s = malloc(sizeof(*s));

	s->number = number;
	snprintf(s->user, sizeof(s->user), "user %d", number);
	return s;
}

static __attribute__((noinline)) void
remember(const char *user)
{
	struct entry *e = malloc(sizeof(*e));

	snprintf(e->what, sizeof(e->what), "seen: %.80s", user);
	e->next = history;
	history = e;
}

static __attribute__((noinline)) void
reply(const char *user)
{
	char *text = malloc(REPLY);

	memset(text, ' ', REPLY);
	memcpy(text, user, strlen(user));
	free(text);
}

static __attribute__((noinline)) void
answer(int number)
{
	struct session *s = open_session(number);

	remember(s->user);
	reply(s->user);
	if (number % 10)
		free(s);
}

static void
write_pid(void)
{
	FILE *f = fopen("server.pid.new", "w");

	if (!f)
		exit(1);
	fprintf(f, "%d\n", (int)getpid());
	fclose(f);
	rename("server.pid.new", "server.pid");
}

static void
answer_all(int requests)
{
	for (int i = 0; !requests || i < requests; i++) {
		answer(i);
		if (requests)
			continue;
		if (i == 100)
			write_pid();
		usleep(1000);
	}
}

int
main(int argc, char **argv)
{
	int requests = argc > 1 ? atoi(argv[1]) : 0;
	int workers = argc > 2 ? atoi(argv[2]) : 0;

	if (!workers)
		answer_all(requests);
	for (int i = 0; i < workers; i++)
		if (fork() == 0) {
			answer_all(requests);
			exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}

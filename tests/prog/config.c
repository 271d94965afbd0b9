/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads 2000 lines "nameN = valueN" and counts those that are set.  Each word
 * is put together character by character, in a block that grows by one, and
 * then copied: 48,000 blocks of 330000 bytes, 38,000 of them by realloc(), for
 * 6000 that are kept until the end.  memmon(7) finds that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
	struct setting *next;
	char *name, *value;
};

/* The text up to `end', in a block of its own; *at is moved behind it. */
static char *
take_word(const char **at, char end)
{
	char *word = calloc(1, 1);
	size_t n = 0;

	for (; **at && **at != end; ++*at) {
		word = realloc(word, n + 2);
		word[n++] = **at;
		word[n] = '\0';
	}
	if (**at)
		++*at;
	return word;
}

static char *
trim(char *word)
{
	char *copy = strdup(word + strspn(word, " "));

	copy[strcspn(copy, " ")] = '\0';
	free(word);
	return copy;
}

static struct setting *
parse(const char *line, struct setting *next)
{
	struct setting *s = malloc(sizeof *s);

	s->name = trim(take_word(&line, '='));
	s->value = trim(take_word(&line, '\n'));
	s->next = next;
	return s;
}

int
main(void)
{
	struct setting *all = NULL;
	size_t set = 0;
	char line[80];

	for (int i = 0; i < 2000; i++) {
		snprintf(line, sizeof line, "name%04d = value%04d\n", i, i);
		all = parse(line, all);
	}
	while (all) {
		struct setting *s = all;

		all = s->next;
		set += *s->value != '\0';
		free(s->name);
		free(s->value);
		free(s);
	}
	return set != 2000;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and percentages as text: see number.h. */
#include "display/text/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NS 1000000000u

/* The number of digits of n. */
static size_t
number_digits(uint64_t n)
{
	size_t width = 1;

	for (; n >= 10; n /= 10)
		width++;
	return width;
}

/* Every cell of a table calls this: printf() would take five times as long. */
char *
number_count(char *buf, uint64_t n)
{
	size_t at = number_digits(n);

	buf[at] = '\0';
	do {
		buf[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	return buf;
}

/* n / unit * factor, rounded. */
static uint64_t
in_units(uint64_t n, unsigned factor, uint64_t unit)
{
	return (uint64_t)(((unsigned __int128)n * factor + unit / 2) / unit);
}

/* n in units, with three digits or more as needed, and the unit's name. */
static char *
three_digits(char *buf, uint64_t n, uint64_t unit, const char *name, int len)
{
	uint64_t v;

	if ((v = in_units(n, 100, unit)) < 1000)
		snprintf(buf, NUMBER_SIZE, "%u.%02u%.*s", (unsigned)v / 100,
			 (unsigned)v % 100, len, name);
	else if ((v = in_units(n, 10, unit)) < 1000)
		snprintf(buf, NUMBER_SIZE, "%u.%u%.*s", (unsigned)v / 10,
			 (unsigned)v % 10, len, name);
	else
		snprintf(buf, NUMBER_SIZE, "%" PRIu64 "%.*s",
			 in_units(n, 1, unit), len, name);
	return buf;
}

char *
number_bytes(char *buf, uint64_t n, bool human)
{
	static const char name[] = "KMGTPE";
	uint64_t unit = 1024;
	unsigned i = 0;

	if (!human || n < 1024)
		return number_count(buf, n);
	for (; in_units(n, 1, unit) >= 1024; i++)
		unit *= 1024;
	return three_digits(buf, n, unit, name + i, 1);
}

char *
number_units(char *buf, uint64_t n, bool human)
{
	char *end = buf + strlen(number_bytes(buf, n, human));
	char letter = 0;

	if (!human)
		return buf;
	if (n >= 1024)
		letter = *--end;
	*end++ = ' ';
	if (letter)
		*end++ = letter;
	memcpy(end, "B", 2);
	return buf;
}

char *
number_grouped(char *buf, uint64_t n)
{
	char text[NUMBER_SIZE], *to = buf;
	size_t left = strlen(number_count(text, n));

	for (const char *from = text; *from; from++) {
		*to++ = *from;
		if (--left && left % 3 == 0)
			*to++ = ',';
	}
	*to = '\0';
	return buf;
}

size_t
number_bytes_width(uint64_t n, bool human)
{
	return human && n >= 1000 ? 5 : number_digits(n);
}

char *
number_percent(char *buf, uint64_t part, uint64_t whole)
{
	if (!part || !whole)
		buf[0] = '\0';
	else if (part >= whole)
		snprintf(buf, NUMBER_SIZE, "**");
	else if ((unsigned __int128)part * 100 < whole)
		snprintf(buf, NUMBER_SIZE, ".");
	else
		snprintf(buf, NUMBER_SIZE, "%u",
			 (unsigned)((unsigned __int128)part * 100 / whole));
	return buf;
}

char *
number_cell(char *buf, uint64_t part, uint64_t whole)
{
	char text[NUMBER_SIZE];

	buf[0] = '\0';
	if (*number_percent(text, part, whole))
		snprintf(buf, NUMBER_SIZE, "(%.2s)", text);
	return buf;
}

char *
number_share(char *buf, uint64_t part, uint64_t whole)
{
	char percent[NUMBER_SIZE];

	number_percent(percent, part, whole);
	snprintf(buf, NUMBER_SIZE, "%.3s%%",
		 !*percent		      ? "0"
		 : strcmp(percent, "**") == 0 ? "100"
		 : strcmp(percent, ".") == 0  ? "<1"
					      : percent);
	return buf;
}

char *
number_tenths(char *buf, uint64_t part, uint64_t whole)
{
	unsigned n;

	buf[0] = '\0';
	if (!whole)
		return buf;
	if (part > whole)
		part = whole;
	n = (unsigned)(((unsigned __int128)part * 1000 + whole / 2) / whole);
	snprintf(buf, NUMBER_SIZE, "%u.%u", n / 10, n % 10);
	return buf;
}

char *
number_classes(char *buf, const uint64_t part[PROFILE_NCLASS], uint64_t whole)
{
	char text[NUMBER_SIZE];
	char *end = buf;

	for (int i = 0; i < PROFILE_NCLASS; i++)
		end += snprintf(end, 4, " %2.2s",
				number_percent(text, part[i], whole));
	return buf;
}

char *
number_seconds(char *buf, uint64_t ns)
{
	if (ns >= NS)
		snprintf(buf, NUMBER_SIZE, "%" PRIu64 ".%03u", ns / NS,
			 (unsigned)(ns % NS / 1000000));
	else
		snprintf(buf, NUMBER_SIZE, "0.%06u", (unsigned)(ns / 1000));
	return buf;
}

char *
number_time(char *buf, uint64_t ns)
{
	static const char *const name[] = { "us", "ms", "s" };
	uint64_t unit = 1000;
	unsigned i = 0;

	if (ns < 1000) {
		snprintf(buf, NUMBER_SIZE, "%uns", (unsigned)ns);
		return buf;
	}
	for (; i < 2 && in_units(ns, 1, unit) >= 1000; i++)
		unit *= 1000;
	return three_digits(buf, ns, unit, name[i], 2);
}

char *
number_score(char *buf, double score)
{
	/* As a double, 0.29 is a little below 29 hundredths. */
	double hundredths = score * 100 + 1e-9;

	if (!(score >= 0))
		snprintf(buf, NUMBER_SIZE, score < 0 ? "0.00" : "-");
	else if (score > 0 && hundredths < 1)
		snprintf(buf, NUMBER_SIZE, "<.01");
	else if (score >= 1)
		snprintf(buf, NUMBER_SIZE, "1.00");
	else
		snprintf(buf, NUMBER_SIZE, "0.%02u", (unsigned)hundredths);
	return buf;
}

uint64_t
number_mean(uint64_t sum, uint64_t n)
{
	return n ? in_units(sum, 1, n) : 0;
}

_Static_assert((int)NUMBER_SPREAD * 2 == (int)PROFILE_NLIFE, "two bins each");

char *
number_spread(char *buf, const struct life *a)
{
	size_t len = 0;

	for (size_t i = 0; i < NUMBER_SPREAD; i++) {
		unsigned __int128 n = a->bin[2 * i];

		n += a->bin[2 * i + 1];
		if (n == 0)
			buf[i] = ' ';
		else if (n >= a->weight)
			buf[i] = '*';
		else if (n * 10 < a->weight)
			buf[i] = '.';
		else
			buf[i] = (char)('0' + (int)(n * 10 / a->weight));
		if (n)
			len = i + 1;
	}
	buf[len] = '\0';
	return buf;
}

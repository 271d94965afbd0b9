/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and percentages as text.  Each function writes into buf, which holds
 * NUMBER_SIZE bytes, and returns it.
 */
#ifndef MEMMON_NUMBER_H
#define MEMMON_NUMBER_H

#include "reduce/profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_SIZE = 32, NUMBER_SPREAD = 24 };

char *number_count(char *buf, uint64_t n);

/*
 * n bytes: all digits.  human: three digits and K, M, G, T, P or E (powers of
 * 1024), or four digits for 1000 to 1023 of a unit.
 */
char *number_bytes(char *buf, uint64_t n, bool human);

/*
 * The same with the unit spelled out, "44.5 MB"; and n with commas between
 * groups of three digits, "1,234,567".
 */
char *number_units(char *buf, uint64_t n, bool human);
char *number_grouped(char *buf, uint64_t n);

/* The largest width that number_bytes() takes for 0 to n. */
size_t number_bytes_width(uint64_t n, bool human);

/*
 * part as a percentage of whole, in at most two characters, rounded down: ""
 * for 0 or if whole is 0, "." above 0 and below 1, "1" to "99", and "**" for
 * 100 and more.
 */
char *number_percent(char *buf, uint64_t part, uint64_t whole);

/* The same in parentheses; "" stays "". */
char *number_cell(char *buf, uint64_t part, uint64_t whole);

/* part of whole for running text, rounded down: "98%", "<1%", "0%", "100%". */
char *number_share(char *buf, uint64_t part, uint64_t whole);

/* The percentage with one decimal, rounded: "50.2"; "" if whole is 0. */
char *number_tenths(char *buf, uint64_t part, uint64_t whole);

/*
 * The s, m, l and x fields: each of part[] as a percentage of whole, in two
 * columns after a blank, 12 columns in all.
 */
char *number_classes(char *buf, const uint64_t part[PROFILE_NCLASS],
		     uint64_t whole);

/* ns as seconds, truncated to milliseconds or, below 1 s, microseconds. */
char *number_seconds(char *buf, uint64_t ns);

/*
 * ns with three digits and a unit, rounded: "999ns", "1.00us", "12.3ms",
 * "456s".  From 1000 seconds on it has all digits.
 */
char *number_time(char *buf, uint64_t ns);

/*
 * A score from 0 to 1 with two decimals, rounded down: "0.29"; "<.01" above 0
 * and below 0.01; "-" for NaN.
 */
char *number_score(char *buf, double score);

/* sum / n, rounded; 0 if n is 0. */
uint64_t number_mean(uint64_t sum, uint64_t n);

/*
 * The histogram of lifetimes: a character for every two bins, a factor of four.
 * " " for no blocks, "." below 10 percent of the blocks, "1" to "9" for 10 to
 * 99 percent, rounded down, and "*" for all.  No trailing blanks; at most
 * NUMBER_SPREAD characters.
 */
char *number_spread(char *buf, const struct life *a);

#endif

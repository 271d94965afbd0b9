/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with units: each unit, text that isn't a number, and the limits. */
#include "reduce/base/units.h"
#include "tests/tap.h"

#include <stdint.h>
#include <string.h>

static const struct {
	const char *text;
	long double value;
	enum units_kind kind;
	const char *rest;
} good[] = {
	{ "0", 0, UNITS_COUNT, "" },
	{ "12", 12, UNITS_COUNT, "" },
	{ "007", 7, UNITS_COUNT, "" },
	{ "1.5", 1.5L, UNITS_COUNT, "" },
	{ ".5", .5L, UNITS_COUNT, "" },
	{ "18446744073709551615", 18446744073709551615.0L, UNITS_COUNT, "" },
	{ "1k", 1024, UNITS_COUNT, "" },
	{ "1K", 1024, UNITS_COUNT, "" },
	{ "2M", 2097152, UNITS_COUNT, "" },
	{ "1G", 1073741824, UNITS_COUNT, "" },
	{ "1T", 1099511627776, UNITS_COUNT, "" },
	{ "1.5K", 1536, UNITS_COUNT, "" },
	{ "3B", 3, UNITS_BYTES, "" },
	{ "1KB", 1024, UNITS_BYTES, "" },
	{ "1MB", 1048576, UNITS_BYTES, "" },
	{ "1GB", 1073741824, UNITS_BYTES, "" },
	{ "1TB", 1099511627776, UNITS_BYTES, "" },
	{ "1KiB", 1024, UNITS_BYTES, "" },
	{ "1MiB", 1048576, UNITS_BYTES, "" },
	{ "1GiB", 1073741824, UNITS_BYTES, "" },
	{ "1TiB", 1099511627776, UNITS_BYTES, "" },
	{ "5ns", 5, UNITS_TIME, "" },
	{ "5us", 5000, UNITS_TIME, "" },
	{ "2.5ms", 2500000, UNITS_TIME, "" },
	{ "1s", 1000000000, UNITS_TIME, "" },
	{ "2m", 120000000000, UNITS_TIME, "" },
	{ "1h", 3600000000000, UNITS_TIME, "" },
	{ "50%", 0.5L, UNITS_SHARE, "" },
	/* The text that follows is the caller's. */
	{ "1M)", 1048576, UNITS_COUNT, ")" },
	{ "1 M", 1, UNITS_COUNT, " M" },
	{ "1..2", 1, UNITS_COUNT, "..2" },
	{ "1.", 1, UNITS_COUNT, "." },
	{ "5%%", .05L, UNITS_SHARE, "%" },
};
static const char *const bad[][3] = {
	/* the text, the place of the error, a word of its message */
	{ "", "", "number" },
	{ "-1", "-1", "number" },
	{ "+1", "+1", "number" },
	{ " 1", " 1", "number" },
	{ "x", "x", "number" },
	{ ".", ".", "number" },
	{ "1x", "x", "unit" },
	{ "1Ki", "Ki", "unit" },
	{ "0x10", "x10", "unit" },
	{ "1e3", "e3", "unit" },
	{ "1MM", "MM", "unit" },
	{ "1sec", "sec", "unit" },
	{ "18446744073709551616", "18446744073709551616", "large" },
	{ "16777216T", "16777216T", "large" },
	{ "6000000h", "6000000h", "large" },
	{ "99999999999999999999999999", "99999999999999999999999999", "large" },
};

static void
test_read(void)
{
	const char *s, *why;
	struct units u;
	size_t i;

	for (i = 0; i < sizeof good / sizeof *good; i++) {
		s = good[i].text;
		why = units_read(&s, &u);
		ok(!why && u.value == good[i].value && u.kind == good[i].kind,
		   "%s is %Lg", good[i].text, good[i].value);
		is_str(s, good[i].rest, "... and leaves '%s'", good[i].rest);
	}
	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		s = bad[i][0];
		why = units_read(&s, &u);
		ok(why && strstr(why, bad[i][2]), "'%s': %s", bad[i][0],
		   bad[i][2]);
		is_str(s, bad[i][1], "... from there");
	}
}

static void
test_kinds(void)
{
	static const struct {
		const char *text;
		enum units_kind kind;
		long double value; /* -1: not a number */
	} v[] = {
		{ "10", UNITS_COUNT, 10 },
		{ "1K", UNITS_COUNT, 1024 },
		{ "1.5", UNITS_COUNT, -1 },
		{ "1B", UNITS_COUNT, -1 },
		{ "1s", UNITS_COUNT, -1 },
		{ "1%", UNITS_COUNT, -1 },
		{ "10", UNITS_BYTES, 10 },
		{ "1K", UNITS_BYTES, 1024 },
		{ "1KB", UNITS_BYTES, 1024 },
		{ "1.5K", UNITS_BYTES, 1536 },
		{ "1.0001K", UNITS_BYTES, -1 },
		{ "1s", UNITS_BYTES, -1 },
		{ "1%", UNITS_BYTES, -1 },
		{ "1.5", UNITS_TIME, 1500000000 },
		{ "1ms", UNITS_TIME, 1000000 },
		{ "1K", UNITS_TIME, -1 },
		{ "1B", UNITS_TIME, -1 },
		{ "1%", UNITS_TIME, -1 },
		{ "18446744073709551615", UNITS_TIME, -1 },
		{ "50", UNITS_SHARE, .5L },
		{ "50%", UNITS_SHARE, .5L },
		{ "1K", UNITS_SHARE, -1 },
		{ "1s", UNITS_SHARE, -1 },
		{ "1 ", UNITS_COUNT, -1 },
		{ "1,", UNITS_BYTES, -1 },
		{ "", UNITS_TIME, -1 },
		{ "-1", UNITS_SHARE, -1 },
	};
	static const char range[] = "1K..2K";
	long double value;
	size_t i;

	for (i = 0; i < sizeof v / sizeof *v; i++) {
		const char *end = v[i].text + strlen(v[i].text);

		if (!units_parse(v[i].text, end, v[i].kind, &value))
			value = -1;
		ok(value == v[i].value, "'%s' as kind %d: %Lg", v[i].text,
		   (int)v[i].kind, v[i].value);
	}
	ok(units_parse(range, range + 2, UNITS_BYTES, &value) && value == 1024,
	   "up to an end");
	ok(!units_parse(range, range + 1, UNITS_BYTES, &value),
	   "not beyond it");
}

static void
test_option(void)
{
	static const struct {
		const char *text;
		enum units_kind kind;
		long double least, most;
		const char *want; /* "": it is a number */
	} v[] = {
		{ "1", UNITS_COUNT, 1, 1e9L, "" },
		{ "1000000000", UNITS_COUNT, 1, 1e9L, "" },
		{ "0", UNITS_COUNT, 1, 1e9L,
		  "--x=0: not a number from 1 to 1000000000" },
		{ "1000000001", UNITS_COUNT, 1, 1e9L,
		  "--x=1000000001: not a number from 1 to 1000000000" },
		{ "-1", UNITS_COUNT, 0, 5, "--x=-1: not a number from 0 to 5" },
		{ "", UNITS_COUNT, 0, 5, "--x=: not a number from 0 to 5" },
		{ "3q", UNITS_BYTES, 0, 5,
		  "--x=3q: not a number of bytes from 0 to 5" },
		{ "0.1", UNITS_TIME, .1e9L, 86400e9L, "" },
		{ "86400", UNITS_TIME, .1e9L, 86400e9L, "" },
		{ "100ms", UNITS_TIME, .1e9L, 86400e9L, "" },
		{ "0.09", UNITS_TIME, .1e9L, 86400e9L,
		  "--x=0.09: not a number of seconds from 0.1 to 86400" },
		{ "nan", UNITS_TIME, .1e9L, 86400e9L,
		  "--x=nan: not a number of seconds from 0.1 to 86400" },
		{ "0.1", UNITS_SHARE, .001L, 1, "" },
		{ "100%", UNITS_SHARE, .001L, 1, "" },
		{ "101", UNITS_SHARE, .001L, 1,
		  "--x=101: not a percentage from 0.1 to 100" },
	};
	long double value;
	struct err e;
	size_t i;

	for (i = 0; i < sizeof v / sizeof *v; i++) {
		e.text[0] = '\0';
		is_int(units_option("--x=", v[i].text, v[i].kind, v[i].least,
				    v[i].most, &value, &e),
		       *v[i].want ? -1 : 0, "--x=%s", v[i].text);
		is_str(e.text, v[i].want, "... says so");
	}
}

int
main(void)
{
	test_read();
	test_kinds();
	test_option();
	return done_testing();
}

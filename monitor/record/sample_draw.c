/* SPDX-License-Identifier: MIT */
/*
 * Exponential gaps and their probability.  Without libm, which the program may
 * not have.
 */
#include "monitor/record/sample.h"

/*
 * splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
 * generators, 2014): all seeds are good, even 0.
 */
static uint64_t
draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/*
 * -ln(n / 2^53), n from 1 to 2^53: by ln m = 2 artanh((m - 1) / (m + 1)) of a
 * mantissa m from 0.7 to 1.4; the terms left out are below 5e-13.
 */
static double
minus_log(uint64_t n)
{
	unsigned shift = 63 - (unsigned)__builtin_clzll(n);
	double m = (double)n / (double)(1ull << shift), s, q, sum = 0;

	if (m > 1.4142135623730951) {
		m /= 2;
		shift++;
	}
	s = (m - 1) / (m + 1);
	q = s * s;
	for (int k = 13; k >= 1; k -= 2)
		sum = sum * q + 1.0 / k;
	return (53 - (double)shift) * 0.6931471805599453 - 2 * s * sum;
}

/*
 * Rounded down to whole bytes: a gap is less than k bytes exactly as often as
 * the exponential one, except for the 2^-53 steps of the draw.  The smallest
 * step makes the longest gap: 36.7 times the mean.
 */
uint64_t
mmi_sample_gap(uint64_t *state, uint64_t rate)
{
	return (uint64_t)(minus_log((draw(state) >> 11) + 1) * (double)rate);
}

double
mmi_sample_even(uint64_t *state)
{
	return ((double)(draw(state) >> 56) + 0.5) / 256;
}

/*
 * 1 - exp(-x), x not below 0: the series for x / 2^n, then 1 - exp(-2y) =
 * q (2 - q) where q is 1 - exp(-y).
 */
double
mmi_sample_rest(double x)
{
	double q = 0;
	int n = 0;

	if (!(x < 50))
		return 1;
	for (; x > 0.125; n++)
		x /= 2;
	for (int k = 10; k >= 1; k--)
		q = (1 - q) * x / k;
	/* Here q is x - x^2/2 + x^3/6 ..., by Horner's scheme. */
	while (n--)
		q *= 2 - q;
	return q;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ray tracer: spheres behind an abstract class in a tree of boxes, rays that
 * are mirrored.
 *
 *	rays [side of the picture]		(900)
 */
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "bench.h"

namespace {

struct vec {
	double x, y, z;

	vec operator+(const vec &o) const { return { x + o.x, y + o.y, z + o.z }; }
	vec operator-(const vec &o) const { return { x - o.x, y - o.y, z - o.z }; }
	vec operator*(double f) const { return { x * f, y * f, z * f }; }
	double dot(const vec &o) const { return x * o.x + y * o.y + z * o.z; }
	double axis(unsigned i) const { return i == 0 ? x : i == 1 ? y : z; }
	vec unit() const { return *this * (1 / std::sqrt(dot(*this))); }
};

struct ray {
	vec from, to;
};

struct thing;
struct hit {
	double at = 1e30;
	const thing *what = nullptr;
};

struct thing {
	virtual ~thing() = default;
	virtual void meets(const ray &r, hit &h) const = 0;
	virtual vec normal(const vec &p) const = 0;
	virtual double mirror() const = 0;
};

struct sphere : thing {
	vec middle;
	double radius, shine;

	sphere(vec middle, double radius, double shine)
		: middle(middle), radius(radius), shine(shine) {}
	void meets(const ray &r, hit &h) const override
	{
		vec d = r.from - middle;
		double b = d.dot(r.to), c = d.dot(d) - radius * radius;
		double root = b * b - c;

		if (root < 0)
			return;
		double at = -b - std::sqrt(root);
		if (at > 1e-6 && at < h.at) {
			h.at = at;
			h.what = this;
		}
	}
	vec normal(const vec &p) const override { return (p - middle).unit(); }
	double mirror() const override { return shine; }
};

struct box : thing {
	vec middle{};
	double radius = 0;
	std::vector<std::unique_ptr<thing>> inside;

	void meets(const ray &r, hit &h) const override
	{
		vec d = r.from - middle;
		double b = d.dot(r.to), c = d.dot(d) - radius * radius;

		if (c > 0 && (b > 0 || b * b < c))
			return;
		for (const auto &t : inside)
			t->meets(r, h);
	}
	vec normal(const vec &) const override { return {}; }
	double mirror() const override { return 0; }
};

using spheres = std::vector<std::unique_ptr<sphere>>;

/* The spheres, halved along one axis after the other. */
std::unique_ptr<thing> tree(spheres all, unsigned axis)
{
	auto b = std::make_unique<box>();

	if (all.size() == 1)
		return std::move(all[0]);
	for (const auto &s : all)
		b->middle = b->middle + s->middle * (1.0 / (double)all.size());
	for (const auto &s : all) {
		vec d = s->middle - b->middle;
		b->radius = std::max(b->radius, std::sqrt(d.dot(d)) + s->radius);
	}
	std::sort(all.begin(), all.end(), [axis](const auto &p, const auto &q) {
		return p->middle.axis(axis) < q->middle.axis(axis);
	});
	spheres upper;
	for (size_t half = all.size() / 2; all.size() > half; all.pop_back())
		upper.push_back(std::move(all.back()));
	b->inside.push_back(tree(std::move(all), (axis + 1) % 3));
	b->inside.push_back(tree(std::move(upper), (axis + 1) % 3));
	return b;
}

double light(const thing &world, const ray &r, unsigned depth)
{
	hit h;

	world.meets(r, h);
	if (!h.what)
		return .2 + .1 * r.to.y;
	vec p = r.from + r.to * h.at, n = h.what->normal(p);
	double own = std::max(0.0, n.dot(vec{ .5, .7, -.5 }));
	if (depth == 0 || h.what->mirror() == 0)
		return own;
	ray next = { p, (r.to - n * (2 * n.dot(r.to))).unit() };
	return own + h.what->mirror() * light(world, next, depth - 1);
}

} // namespace

int
main(int argc, char **argv)
{
	unsigned long side = arg(argc, argv, 1, 900);
	uint64_t seed = 1, sum = 0;
	spheres all;

	for (unsigned i = 0; i < 1000; i++)
		all.push_back(std::make_unique<sphere>(
			vec{ (double)(rnd(&seed) >> 54) / 64 - 8,
			     (double)(rnd(&seed) >> 54) / 64 - 8,
			     (double)(rnd(&seed) >> 54) / 64 + 4 },
			.2, i & 1 ? .5 : 0));
	auto world = tree(std::move(all), 0);
	std::vector<double> picture;
	for (unsigned long y = 0; y < side; y++)
		for (unsigned long x = 0; x < side; x++)
			picture.push_back(light(
				*world,
				{ {}, vec{ 2.0 * (double)x / (double)side - 1,
					   2.0 * (double)y / (double)side - 1, 1 }.unit() },
				4));
	for (double d : picture)
		sum = mix(sum, (uint64_t)(d * 255));
	printf("rays %lu %016" PRIx64 "\n", side, sum);
	return 0;
}

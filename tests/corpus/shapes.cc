// SPDX-License-Identifier: GPL-3.0-or-later
// Classes that are derived from others: factories, clones, visitors, CRTP.
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))

const void *volatile sink;

struct shape {
	virtual ~shape() = default;
	virtual double area() const = 0;
	virtual shape *clone() const = 0;
	int color = 0;
};

struct circle : shape {
	double r;
	explicit circle(double x) : r(x)
	{
	}
	double
	area() const override
	{
		return r * r * 3;
	}
	shape *
	clone() const override
	{
		return new circle(*this); //= circle
	}
};

struct square : shape {
	double a;
	double b;
	square(double x, double y) : a(x), b(y)
	{
	}
	double
	area() const override
	{
		return a * b;
	}
	square *
	clone() const override
	{
		return new square(*this); //= square
	}
};

/* Of the same size as a square. */
struct frame : shape {
	double inner, outer;
	frame() : inner(1), outer(2)
	{
	}
	double
	area() const override
	{
		return outer - inner;
	}
	shape *
	clone() const override
	{
		return new frame(*this); //= frame
	}
};

struct group : shape {
	std::vector<shape *> parts;
	std::string name;
	group() = default;
	group(const group &o) : shape(o), name(o.name)
	{
		for (shape *s : o.parts)
			parts.push_back(s->clone()); //= shape*
	}
	~group() override
	{
		for (shape *s : parts)
			delete s;
	}
	double
	area() const override
	{
		double sum = 0;
		for (const shape *s : parts)
			sum += s->area();
		return sum;
	}
	shape *
	clone() const override
	{
		return new group(*this); //= group|shape*|std::string chars
	}
	void
	add(shape *s)
	{
		parts.push_back(s); //= shape*
	}
};

static NOINLINE shape *
make(const char *what, double x)
{
	switch (*what) {
	case 'c':
		return new circle(x); //= circle
	case 's':
		return new square(x, x); //= square
	case 'f':
		return new frame; //= frame
	default:
		return new group; //= group
	}
}

/* Several bases, and a virtual one. */
struct named {
	std::string name;
	named(const std::string &n) : name(n)
	{
	}
	virtual ~named() = default;
};
struct counted {
	virtual ~counted() = default;
	int refs = 1;
};
struct label : named, counted {
	int size;
	label(int s) : named("label"), size(s)
	{
	}
};
struct button : virtual counted {
	int x = 1, y = 2;
};
struct fancy : button {
	double glow = 0.5;
};

/* A pattern whose classes know their type. */
template <class D> struct countable {
	static NOINLINE D *
	create()
	{
		return new D(); //= apple|pear|cart<int>
	}
	D *
	copy() const
	{
		return new D(static_cast<const D &>(*this)); //= apple|pear|cart<int>
	}
	int count = 0;
};
struct apple : countable<apple> {
	int seeds[7] = { 1 };
};
struct pear : countable<pear> {
	long stem = 3;
	pear()
	{
		count = 2;
	}
};
template <class T> struct cart : countable<cart<T>> {
	T load[5] = {};
};

/* An expression that is visited. */
struct visitor;
struct expr {
	virtual ~expr() = default;
	virtual int eval() const = 0;
};
struct number : expr {
	int n;
	number(int x) : n(x)
	{
	}
	int
	eval() const override
	{
		return n;
	}
};
struct binary : expr {
	std::unique_ptr<expr> l, r;
	char op;
	binary(std::unique_ptr<expr> a, char o, std::unique_ptr<expr> b)
	    : l(std::move(a)), r(std::move(b)), op(o)
	{
	}
	int
	eval() const override
	{
		return op == '+' ? l->eval() + r->eval()
				 : l->eval() * r->eval();
	}
};
struct variable : expr {
	std::string name;
	const std::map<std::string, int> *env;
	variable(const char *n, const std::map<std::string, int> *e)
	    : name(n), env(e)
	{
	}
	int
	eval() const override
	{
		return env->at(name);
	}
};

struct parser {
	const char *at;
	std::map<std::string, int> env;
	std::unique_ptr<expr>
	factor()
	{
		if (*at >= '0' && *at <= '9')
			return std::make_unique<number>(*at++ - '0'); //= number
		char name[2] = { *at++, 0 };
		return std::unique_ptr<expr>(new variable(name, &env)); //= variable
	}
	std::unique_ptr<expr>
	term()
	{
		auto l = factor();
		while (*at == '*') {
			at++;
			auto r = factor();
			l = std::make_unique<binary>(std::move(l), '*', std::move(r)); //= binary
		}
		return l;
	}
	NOINLINE std::unique_ptr<expr>
	sum()
	{
		auto l = term();
		while (*at == '+') {
			at++;
			auto r = term();
			expr *e = new binary(std::move(l), '+', std::move(r)); //= binary
			l.reset(e);
		}
		return l;
	}
};

/* Made by name. */
using maker = shape *(*)(double);
static std::map<std::string, maker> makers;

static shape *
make_circle(double x)
{
	return new circle(x); //= circle
}

static shape *
make_square(double x)
{
	return new square(x, x + 1); //= square
}

template <class T, class... A>
static NOINLINE T *
build(A... args)
{
	T *t = new T(args...); //= circle|square|number
	sink = t;
	return t;
}

struct scene {
	shape *first = new circle(1); //= circle
	shape *back;
	std::unique_ptr<frame> border{ new frame }; //= frame
	label *title;
	scene(int n)
	{
		back = new square(n, 2); //= square
		title = new label(n); //= label
	}
	~scene()
	{
		delete first;
		delete back;
		delete title;
	}
};

static void
use(int n)
{
	std::vector<shape *> all;
	for (const char *w : { "c", "s", "f", "g" })
		all.push_back(make(w, n)); //= shape*
	group *g = static_cast<group *>(all[3]);
	g->name = "a group of quite a few shapes";  //= std::string chars
	g->add(all[0]->clone());
	g->add(all[1]->clone());
	g->add(all[2]->clone());
	shape *copy = g->clone();
	sink = copy;
	delete copy;
	for (shape *s : all)
		delete s;
}

int
main(int argc, char **)
{
	use(argc);
	label *l = new label(argc); //= label
	counted *c = l;
	sink = c;
	delete c;
	fancy *f = new fancy(); //= fancy
	sink = f;
	delete f;
	button *b = new fancy; //= fancy
	b->x += b->refs;
	sink = b;
	delete b;
	apple *a = apple::create();
	apple *a2 = a->copy();
	sink = a2;
	delete a;
	delete a2;
	pear *p = pear::create();
	pear *p2 = p->copy();
	sink = p2;
	delete p;
	delete p2;
	cart<int> *t = cart<int>::create();
	sink = t->copy();
	delete (cart<int> *)sink;
	delete t;
	parser q = { "1+2*3+x*x", {} };
	q.env["x"] = 4; //= std::map<std::string, int> node
	int sum = q.sum()->eval();
	makers["c"] = make_circle; //= std::map<std::string, shape* (*)(double)> node
	makers["s"] = make_square; //= std::map<std::string, shape* (*)(double)> node
	for (auto &m : makers) {
		shape *s = m.second(argc);
		sink = s;
		delete s;
	}
	delete build<circle>(2.0);
	delete build<square>(2.0, 3.0);
	delete build<number>(3);
	scene *s = new scene(argc); //= scene|circle|square|frame|label
	sink = s;
	delete s;
	shape *many[3] = { new circle(1), new circle(2), new circle(3) }; //= circle
	for (shape *m : many)
		delete m;
	square *row = static_cast<square *>(operator new(sizeof(square) * 4)); //= square
	for (int i = 0; i < 4; i++)
		new (row + i) square(i, i);
	sink = row;
	operator delete(row);
	return sum - 23;
}

// SPDX-License-Identifier: MIT
//
// The red-black tree below std::map and std::set: functions that <map> and
// <set> call in libstdc++.so (Cormen, Leiserson, Rivest, Stein, Introduction to
// Algorithms, chapter 13).  Weak, so that a libstdc++.a may be linked, too.
//
// The header is a node before the first and behind the last.  Its parent is the
// root, and the root's parent is the header; its left is the first node, its
// right the last.  The header is red and the root black: this tells them apart.
#include <map>

#define WEAK __attribute__((weak))

namespace std
{
typedef _Rb_tree_node_base node;

// One of a node's two sides, left or right.
typedef node *node::*side;

static side
other(side s)
{
	return s == &node::_M_left ? &node::_M_right : &node::_M_left;
}

// The node beside x on that side; x must not be the header.
static node *
beside(node *x, side to)
{
	node *up;

	if (x->*to) {
		for (x = x->*to; x->*other(to); x = x->*other(to))
			continue;
		return x;
	}
	for (up = x->_M_parent; x == up->*to; up = up->_M_parent)
		x = up;
	/* From a root that is the last node, that leads past the header. */
	return x->*to == up ? x : up;
}

static node *
next_of(node *x)
{
	return beside(x, &node::_M_right);
}

static node *
previous_of(node *x)
{
	if (x->_M_color == _S_red && x->_M_parent->_M_parent == x)
		return x->_M_right;
	return beside(x, &node::_M_left);
}

WEAK node *
_Rb_tree_increment(node *x) throw()
{
	return next_of(x);
}

WEAK const node *
_Rb_tree_increment(const node *x) throw()
{
	return next_of(const_cast<node *>(x));
}

WEAK node *
_Rb_tree_decrement(node *x) throw()
{
	return previous_of(x);
}

WEAK const node *
_Rb_tree_decrement(const node *x) throw()
{
	return previous_of(const_cast<node *>(x));
}

// Makes the link that leads to x lead to y.
static void
replace(node *x, node *y, node *&root)
{
	node *up = x->_M_parent;

	if (x == root)
		root = y;
	else if (x == up->_M_left)
		up->_M_left = y;
	else
		up->_M_right = y;
}

// x goes down on side `to'; its child on the other side takes its place.
static void
rotate(node *x, side to, node *&root)
{
	const side from = other(to);
	node *y = x->*from;

	x->*from = y->*to;
	if (y->*to)
		(y->*to)->_M_parent = x;
	y->_M_parent = x->_M_parent;
	replace(x, y, root);
	y->*to = x;
	x->_M_parent = y;
}

// The side of its parent that x is on; the left if x and both sides are NULL.
static side
side_of(const node *x, const node *up)
{
	return x == up->_M_left ? &node::_M_left : &node::_M_right;
}

// x is red, and its parent may be red, too.
static void
repair_insert(node *x, node *&root)
{
	while (x != root && x->_M_parent->_M_color == _S_red) {
		node *up = x->_M_parent, *top = up->_M_parent;
		const side in = side_of(up, top), out = other(in);
		node *uncle = top->*out;

		if (uncle && uncle->_M_color == _S_red) {
			up->_M_color = uncle->_M_color = _S_black;
			top->_M_color = _S_red;
			x = top;
			continue;
		}
		if (x == up->*out) {
			x = up;
			rotate(x, in, root);
			up = x->_M_parent;
		}
		up->_M_color = _S_black;
		top->_M_color = _S_red;
		rotate(top, out, root);
	}
	root->_M_color = _S_black;
}

// Hangs the new node x below p, which may be the header of an empty tree.
WEAK void
_Rb_tree_insert_and_rebalance(const bool left, node *x, node *p,
			      node &header) throw()
{
	x->_M_parent = p;
	x->_M_left = x->_M_right = nullptr;
	x->_M_color = _S_red;
	if (left) {
		p->_M_left = x; /* the header's, too: it is the first */
		if (p == &header)
			header._M_parent = header._M_right = x;
		else if (p == header._M_left)
			header._M_left = x;
	} else {
		p->_M_right = x;
		if (p == header._M_right)
			header._M_right = x;
	}
	repair_insert(x, header._M_parent);
}

static bool
is_black(const node *x)
{
	return !x || x->_M_color == _S_black;
}

// The side of x, which may be NULL, has one black node too few below `up'.
static void
repair_erase(node *x, node *up, node *&root)
{
	while (x != root && is_black(x)) {
		const side in = side_of(x, up), out = other(in);
		node *w = up->*out;

		if (w->_M_color == _S_red) {
			w->_M_color = _S_black;
			up->_M_color = _S_red;
			rotate(up, in, root);
			w = up->*out;
		}
		if (is_black(w->*in) && is_black(w->*out)) {
			w->_M_color = _S_red;
			x = up;
			up = up->_M_parent;
			continue;
		}
		if (is_black(w->*out)) {
			(w->*in)->_M_color = _S_black;
			w->_M_color = _S_red;
			rotate(w, out, root);
			w = up->*out;
		}
		w->_M_color = up->_M_color;
		up->_M_color = _S_black;
		(w->*out)->_M_color = _S_black;
		rotate(up, in, root);
		break;
	}
	if (x)
		x->_M_color = _S_black;
}

// Takes z out, and returns it.
WEAK node *
_Rb_tree_rebalance_for_erase(node *const z, node &header) throw()
{
	node *&root = header._M_parent;
	node *x, *up, *y = z;
	_Rb_tree_color gone = z->_M_color;

	if (z == header._M_left)
		header._M_left = next_of(z);
	if (z == header._M_right)
		header._M_right = previous_of(z);
	if (z->_M_left && z->_M_right) {
		/* The next node, which has no left, takes z's place. */
		for (y = z->_M_right; y->_M_left; y = y->_M_left)
			continue;
		gone = y->_M_color;
		x = y->_M_right;
		up = y == z->_M_right ? y : y->_M_parent;
		if (up != y) {
			up->_M_left = x;
			if (x)
				x->_M_parent = up;
			y->_M_right = z->_M_right;
			y->_M_right->_M_parent = y;
		}
		replace(z, y, root);
		y->_M_parent = z->_M_parent;
		y->_M_left = z->_M_left;
		y->_M_left->_M_parent = y;
		y->_M_color = z->_M_color;
	} else {
		x = z->_M_left ? z->_M_left : z->_M_right;
		up = z->_M_parent;
		replace(z, x, root);
		if (x)
			x->_M_parent = up;
	}
	if (gone == _S_black && root)
		repair_erase(x, up, root);
	return z;
}
}

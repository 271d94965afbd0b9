// SPDX-License-Identifier: MIT
//
// The links of std::list, a ring of nodes: functions that <list> calls in
// libstdc++.so.
// Weak, so that a libstdc++.a may be linked, too.
#include <list>

#define WEAK __attribute__((weak))

namespace std
{
namespace __detail
{
// Puts this node before `next'.
WEAK void
_List_node_base::_M_hook(_List_node_base *next) noexcept
{
	_M_next = next;
	_M_prev = next->_M_prev;
	_M_prev->_M_next = this;
	next->_M_prev = this;
}

WEAK void
_List_node_base::_M_unhook() noexcept
{
	_M_prev->_M_next = _M_next;
	_M_next->_M_prev = _M_prev;
}

// Moves the nodes from `first' to before `last' to before this one.
WEAK void
_List_node_base::_M_transfer(_List_node_base *first,
			     _List_node_base *last) noexcept
{
	_List_node_base *tail, *before;

	if (first == last || this == last)
		return;
	tail = last->_M_prev;
	before = _M_prev;
	first->_M_prev->_M_next = last;
	last->_M_prev = first->_M_prev;
	before->_M_next = first;
	first->_M_prev = before;
	tail->_M_next = this;
	_M_prev = tail;
}

// Reverses the whole ring.
WEAK void
_List_node_base::_M_reverse() noexcept
{
	_List_node_base *node = this;

	do {
		_List_node_base *next = node->_M_next;

		node->_M_next = node->_M_prev;
		node->_M_prev = next;
		node = next;
	} while (node != this);
}

// Puts node a into the place of node b, whose neighbours are next and prev.
static void
take_ring(_List_node_base *a, _List_node_base *next, _List_node_base *prev,
	  const _List_node_base *b)
{
	if (next == b) {
		a->_M_next = a->_M_prev = a;
		return;
	}
	a->_M_next = next;
	a->_M_prev = prev;
	next->_M_prev = prev->_M_next = a;
}

WEAK void
_List_node_base::swap(_List_node_base &a, _List_node_base &b) noexcept
{
	_List_node_base *next = a._M_next, *prev = a._M_prev;

	take_ring(&a, b._M_next, b._M_prev, &b);
	take_ring(&b, next, prev, &a);
}
}
}

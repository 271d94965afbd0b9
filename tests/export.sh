# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# For tests of --export, after tap.sh and monitor.sh: runs of several kinds, and
# mpreduce's own totals for them.

# runs: make them.  $RUNS has their names; NAME.out is the data of ./NAME.
runs()
{
	RUNS="widgets parse stairs crew"
	for run in $RUNS; do
		case $run in
		widgets) set -- widgets ;;
		parse) set -- recurse parse "(1+2)*(3+(4*5))" ;;
		stairs) set -- recurse stairs 40 ;;
		crew) set -- crew names ;;
		esac
		cp "$PROG/$1" "$run"
		shift
		"$MEMMON" -o "$run.out" "./$run" "$@" >/dev/null
	done
	accesses && RUNS="$RUNS boxes"
}

# accesses: ./boxes, whose accesses are recorded: C++, inlined functions, blocks
# that are live at the peak only, at the end only, or for a moment.
accesses()
{
	command -v "${CXX:-g++}" >/dev/null || return 1
	cat >boxes.cc <<'CC'
#include <memory>
#include <string>
#include <vector>
struct box {
	long n[6];
};
template <typename T>
static inline __attribute__((always_inline)) T *
make(int i)
{
	T *p = new T;
	p->n[i % 6] = i;
	return p;
}
namespace shop {
long
sum(const std::vector<box *> &all)
{
	long n = 0;
	for (box *b : all)
		n += b->n[0];
	return n;
}
}
int
main()
{
	std::vector<box *> all;
	for (int i = 0; i < 500; i++)
		all.push_back(make<box>(i));
	volatile long n = shop::sum(all);
	for (int i = 0; i < 300; i++)
		delete all[i];
	for (int i = 0; i < 50; i++)
		n = n + (long)std::string(40 + i, 'x').size();
	static char *late[20];
	for (int i = 0; i < 20; i++)
		late[i] = new char[100];
	return late[0] == nullptr;
}
CC
	MEMMON_CC_QUIET=1 "$MEMMON_BUILD/memmon-c++" -g -O2 boxes.cc \
		-o boxes 2>/dev/null && MEMMON_OUT=boxes.out ./boxes
}

# figures NAME: read NAME.out, for want and functions.
figures()
{
	"$MPREDUCE" --json "./$1" "$1.out" >figures.json 2>/dev/null
}

# want METRIC: the run's total.
want()
{
	case $1 in
	# Suppressed blocks are live.
	live) set -- '.totals | .kept + .suppressed.bytes' ;;
	bytes|allocs|frees|kept) set -- ".totals.$1" ;;
	kept-blocks) set -- '.totals | .allocs - .frees - .suppressed.blocks' ;;
	live-blocks) set -- '.totals | .allocs - .frees' ;;
	peak) set -- '.totals.classes.peak' ;;
	peak-blocks) set -- '.totals.peak_blocks' ;;
	reads|writes) set -- "[.sites[].use // {} | .$1 // 0] | add" ;;
	pinned) set -- '[.pins[].pinned] | add' ;;
	temps) set -- '.totals.life.temps' ;;
	esac
	jq "$1" figures.json
}

# export_to FORMAT NAME [OPTION...]: to NAME.FORMAT, without a metric's name.
export_to()
{
	local format=$1 run=$2
	shift 2
	"$MPREDUCE" --export="$format" -o "$run.${format%:*}" "$@" "./$run" \
		"$run.out"
}

# knows METRIC: is it known of the run that figures() has read?
knows()
{
	case $1 in
	reads|writes) [ "$(jq '.totals.uses == null' figures.json)" = false ] ;;
	pinned) [ "$(jq '.pins == []' figures.json)" = false ] ;;
	*) true ;;
	esac
}

METRICS="bytes allocs kept kept-blocks peak peak-blocks frees reads writes pinned"

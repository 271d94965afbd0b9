/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcc's headers, in the order in which they want to be included. */
#ifndef MEMMON_PLUGIN_GCC_H
#define MEMMON_PLUGIN_GCC_H

#define INCLUDE_STRING
#define INCLUDE_VECTOR
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "backend.h"
#include "target.h"
#include "rtl.h"
#include "tree.h"
#include "gimple.h"
#include "memmodel.h"
#include "tm_p.h"
#include "basic-block.h"
#include "cfghooks.h"
#include "tree-pass.h"
#include "context.h"
#include "ssa.h"
#include "cgraph.h"
#include "diagnostic-core.h"
#include "fold-const.h"
#include "stor-layout.h"
#include "varasm.h"
#include "output.h"
#include "builtins.h"
#include "calls.h"
#include "expr.h"
#include "emit-rtl.h"
#include "function.h"
#include "gimplify.h"
#include "gimple-iterator.h"
#include "gimplify-me.h"
#include "gimple-walk.h"
#include "gimple-pretty-print.h"
#include "tree-cfg.h"
#include "tree-eh.h"
#include "tree-dfa.h"
#include "tree-into-ssa.h"
#include "tree-ssa-address.h"
#include "tree-ssa-alias.h"
#include "tree-ssa.h"
#include "tree-vrp.h"
#include "tree-affine.h"
#include "cfganal.h"
#include "cfgloop.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-ssa-loop-niter.h"
#include "tree-scalar-evolution.h"
#include "internal-fn.h"
#include "stringpool.h"
#include "attribs.h"
#include "dominance.h"
#include "print-tree.h"
#include "langhooks.h"
#include "tree-pretty-print.h"

#if GCCPLUGIN_VERSION < 10000
#error "memmon's plugin needs gcc 10 or newer"
#endif
#if GCCPLUGIN_VERSION >= 17000
#error "memmon's plugin knows gcc 10 to 16: use calls (MEMMON_WAY=calls)"
#endif

#if GCCPLUGIN_VERSION < 12000
static inline bool
startswith(const char *s, const char *start)
{
	return strncmp(s, start, strlen(start)) == 0;
}
#endif

#endif

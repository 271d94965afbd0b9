/* SPDX-License-Identifier: MIT */
/*
 * What depends on the CPU.
 *
 * x86-64: LLVM must not see the rare call of __memmon_touch(): leaf functions
 * would save registers, and values would leave registers.  So the call is an
 * asm, away from the hot code, that calls one of 15 entries, one for each
 * register that may contain the granule's address.  An entry saves all
 * registers that a function may change (touch() leaves vectors alone), and
 * stores the word.  Each program or library has one copy of the entries, as a
 * COMDAT group, which is the same as that of gcc's plugin.  As a call writes
 * below the stack pointer, functions with one have no red zone.
 *
 * A recorded function that may be called by a pointer begins with a nop that
 * says so, MEMMON_MARK.
 */
#include <llvm/Config/llvm-config.h>
#if LLVM_VERSION_MAJOR >= 17
#include <llvm/TargetParser/Triple.h>
#else
#include <llvm/ADT/Triple.h>
#endif
#include <llvm/IR/InlineAsm.h>

#include "monitor/pass/pass.h"
#include "monitor/touch_entries.h"

/* NULL, or why the pass can't do this kind of program. */
const char *
target_refuses(const Module &m)
{
	Triple triple(m.getTargetTriple());

	if (triple.getArch() != Triple::x86_64 || !triple.isOSLinux())
		return "other machines than x86-64 with Linux";
	if (m.getDataLayout().getPointerSizeInBits() != 64)
		return "pointers of other than 64 bits";
	if (auto model = m.getCodeModel())
		if (*model == CodeModel::Large || *model == CodeModel::Kernel)
			return "-mcmodel=large and -mcmodel=kernel";
	return nullptr;
}

/* Calls touch() for a granule's word, whose address is `cell'. */
void
target_touch(unit *u, IRBuilder<> *b, Value *cell)
{
	FunctionType *type =
		FunctionType::get(u->nothing, { cell->getType() }, false);
	InlineAsm *call = InlineAsm::get(type, "call __memmon_touch_${0:V}",
					 "r,~{memory},~{dirflag},~{fpsr},"
					 "~{flags}",
					 true);

	b->CreateCall(type, call, { cell })->setDoesNotThrow();
	b->GetInsertBlock()->getParent()->addFnAttr(Attribute::NoRedZone);
}

/* Puts the mark at a function's start, if a pointer may lead there. */
void
target_mark(unit *u, Function *f)
{
	static const uint8_t mark[] = { 0xf3, 0x0f, 0x1e, 0xfa, MEMMON_MARK };
	const auto *landing = mdconst::extract_or_null<ConstantInt>(
		u->m.getModuleFlag("cf-protection-branch"));
	ArrayRef<uint8_t> bytes(mark);

	if ((f->hasLocalLinkage() && !f->hasAddressTaken()) ||
	    f->hasPrologueData() || f->hasFnAttribute(Attribute::Naked))
		return;
	if (!landing || landing->isZero())
		bytes = bytes.drop_front(4);
	f->setPrologueData(ConstantDataArray::get(u->m.getContext(), bytes));
}

static const char *const registers[] = { "rax", "rbx", "rcx", "rdx", "rsi",
					 "rbp", "r8",  "r9",  "r10", "r11",
					 "r12", "r13", "r14", "r15", "rdi" };

static std::string
entries(void)
{
	std::string s = TOUCH_SECTION;

	for (const std::string r : registers) {
		s += ".globl __memmon_touch_" + r + "\n";
		s += ".hidden __memmon_touch_" + r + "\n";
		s += ".type __memmon_touch_" + r + ", @function\n";
		s += "__memmon_touch_" + r + ":\n" TOUCH_START;
		if (r != "rdi")
			s += "movq %" + r + ", %rdi\njmp 1f\n";
	}
	return s + TOUCH_QUICK TOUCH_COMMON HANDED_ENTRY TOUCH_CONSTRUCTOR;
}

/* The symbols by which other units and the monitor know this unit's
 * functions. */
static std::string
names(const unit *u)
{
	std::string s;
	unsigned n = 0;

	for (const std::string &f : u->defined)
		s += ".weak " + f + ".memmon\n.hidden " + f + ".memmon\n.set " +
		     f + ".memmon, 1\n";
	if (!u->callees.empty())
		s += ".data\n.balign 8\n";
	for (const std::string &f : u->callees) {
		std::string label = ".LMEMMON_C" + std::to_string(n++);

		s += ".weak " + f + ".memmon\n.hidden " + f + ".memmon\n" +
		     label + ":\n.quad " + f + ".memmon - 1\n.long " + f +
		     "@GOTPCREL\n.long 0\n";
	}
	if (u->uses_targets)
		s += ".section .data.rel.ro,\"aw\"\n.balign 8\n"
		     ".LMEMMON_T0:\n.quad __memmon_targets\n";
	s += ".text\n";
	n = 0;
	for (unsigned callee : u->stand_ins) {
		std::string number = std::to_string(n++);

		s += HANDED_CALL(number, std::to_string(callee),
				 u->callees[callee]);
	}
	return s;
}

/*
 * Code without accesses to the heap gets the entries, too: their constructor
 * says that it is recorded.
 */
void
target_finish(unit *u)
{
	u->m.appendModuleInlineAsm(entries() + names(u));
}

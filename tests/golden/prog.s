# SPDX-License-Identifier: GPL-3.0-or-later
#
# Functions at known addresses for the data files of this directory: 16 bytes
# each, the first at 0x401000 (golden.t links it so).

	.macro	function name
	.globl	\name
	.type	\name, @function
\name:	.skip	16, 0x90
	.size	\name, 16
	.endm

	.text
	function main			# 0x401000
	function make_red_widget	# 0x401010
	function make_blue_widget	# 0x401020
	function make_widget		# 0x401030
	function F			# 0x401040
	function G			# 0x401050
	function worker			# 0x401060
	function node_new		# 0x401070
	function list_add		# 0x401080
	function xmalloc		# 0x401090
	function lookup			# 0x4010a0

	.section .note.GNU-stack, "", @progbits

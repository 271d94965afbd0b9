# SPDX-License-Identifier: GPL-3.0-or-later
# display/cli/completion replaces @name@ and so on for each program.

# How to complete the value of an option: see completion.
_@name@_value()
{
	case $1 in
@rows@
	esac
}

# Set $operand to the index of the first operand in COMP_WORDS; 0: there is no
# operand before the word that is being completed.
_@name@_operand()
{
	local i

	operand=0
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--)
			operand=$((i + 1))
			return
			;;
		@needs@)
			[[ ${COMP_WORDS[i + 1]} != = ]]
			((i += 1 + $?))
			;;
		= | :) ((i++)) ;;
		-*) ;;
		*)
			operand=$i
			return
			;;
		esac
	done
}

# The shell quotes names of files that have blanks.
_@name@_reply()
{
	mapfile -t COMPREPLY < <(compgen "$@")
}

_@name@()
{
	local cur=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]}
	local option='' prefix='' words='' kind='' after='' operand

	COMPREPLY=()
	# "=" and ":" are separate words if COMP_WORDBREAKS contains them.
	_@name@_operand
	if ((operand && operand <= COMP_CWORD)) && [[ @operands@ == commands ]]; then
		option=-
	elif [[ $cur == = && $last == --* ]]; then
		option=$last cur=
	elif [[ $last == = ]]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	elif [[ $cur == : || $last == : ]]; then
		option=: cur=${cur#:}
	elif [[ $cur == --*=* ]]; then
		option=${cur%%=*} prefix=$option= cur=${cur#*=}
	else
		case $last in
		@needs@) option=$last ;;
		esac
	fi
	case $option in
	'')
		if [[ $cur == -* ]]; then
			_@name@_reply -W '@options@' -- "$cur"
			[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
			return
		fi
		operand=$COMP_CWORD
		;;&
	'' | -)
		if [[ @operands@ == files ]]; then
			compopt -o filenames 2>/dev/null
			_@name@_reply -f -- "$cur"
		elif ((operand == COMP_CWORD)); then
			compopt -o filenames 2>/dev/null
			_@name@_reply -c -- "$cur"
		elif declare -F _command_offset >/dev/null; then
			_command_offset "$operand"
		else
			compopt -o filenames 2>/dev/null
			_@name@_reply -f -- "$cur"
		fi
		return
		;;
	:)
		_@name@_value "${COMP_WORDS[COMP_CWORD - 4]}"
		[[ -n $after ]] || _@name@_value "${COMP_WORDS[COMP_CWORD - 3]}"
		_@name@_reply -W "$after" -- "$cur"
		return
		;;
	esac
	_@name@_value "$option"
	case $kind in
	files)
		compopt -o filenames 2>/dev/null
		_@name@_reply -f -P "$prefix" -- "$cur"
		;;
	directories)
		compopt -o filenames 2>/dev/null
		_@name@_reply -d -P "$prefix" -- "$cur"
		;;
	signals) words=$(compgen -A signal | sed 's/^SIG//') ;;&
	*)
		last=${cur##*,}
		_@name@_reply -P "$prefix${cur%"$last"}" -W "$words" -- "$last"
		;;
	esac
}

complete -F _@name@ @name@

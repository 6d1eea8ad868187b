# What a completion offers: complete.bash FILE WORD... prints one candidate a line for the last WORD (an empty one after `=`).
source "$1"; shift
COMP_WORDS=("$@")
[ "${!#}" = "=" ] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
"_${1//-/_}" "$1"
printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort

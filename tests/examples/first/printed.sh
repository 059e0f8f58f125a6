# Sourced by first_test.sh and by the test of what is installed: what the programs of examples/first print.

# What docs/thread.md says that a program prints.
on_the_page() {
  awk -v line="\`./examples/run $1\` prints" '$0 == line { found = 1 } found && /^```/ { if (inside) exit; inside = 1; next } inside' \
    "$root/docs/thread.md"
}

# as_on_the_page NAME PRINTED: line by line and word by word. A number with a point may differ by a tenth, or by 0.03 if it is 0.1 or
# more, as training does from processor to processor; tape's may not. What gpt writes after the first empty line is prose.
as_on_the_page() {
  local expected
  expected=$(on_the_page "$1")
  [[ -n $expected ]] || { echo "docs/thread.md does not say what $1 prints"; return 1; }
  awk -v exact="$([[ $1 != tape ]] || echo yes)" '
    function may_differ(word) { return !exact && word ~ /^[-+]?[0-9]+\.[0-9]+[,:]?$/ }
    NR == FNR { expected[NR] = $0; count = NR; next }
    !prose && FNR <= count && expected[FNR] == "" { prose = FNR }
    prose { written += length($0); words += NF; next }
    {
      fields = split(expected[FNR], there)
      if (fields != NF || FNR > count) wrong = 1
      for (i = 1; i <= NF; i++) {
        if ($i == there[i]) continue
        gap = $i - there[i]; if (gap < 0) gap = -gap
        room = there[i] / 10; if (room < 0.03 && there[i] >= 0.1) room = 0.03; if (room < 0.003) room = 0.003
        if (!may_differ($i) || !may_differ(there[i]) || gap > room) wrong = 1
      }
    }
    END { exit wrong || (prose ? written < 300 || words < 40 || words > 200 : FNR != count) }' \
    <(printf '%s\n' "$expected") <(printf '%s\n' "$2") ||
    { printf '%s prints\n%s\nand docs/thread.md says\n%s\n' "$1" "$2" "$expected"; return 1; }
}

# check_printed COMMAND PROGRAM...: `COMMAND NAME` runs one of them.
check_printed() {
  local command=$1 name printed
  shift
  for name; do
    printed=$("$command" "$name") || return 1
    case $name in
      line) grep -qF "It prints \`$printed\`." "$root/README.md" ||
        { echo "README does not say that line prints '$printed'"; return 1; } ;;
      network) awk '{ loss[NR] = $NF } END { exit !(NR == 5 && loss[5] < loss[1] / 10) }' <<<"$printed" ||
        { echo "the last loss of network is not a tenth of the first: $printed"; return 1; } ;;
      classifier) awk '{ accuracy = $NF } END { exit !(NR == 5 && accuracy > 0.97) }' <<<"$printed" ||
        { echo "classifier is not right at last: $printed"; return 1; } ;;
      *) as_on_the_page "$name" "$printed" || return 1 ;;
    esac
  done
}

# Sourced by first_test.sh and by the test of what is installed: what the programs of examples/first print.

# fits PROGRAM TEXT AWK: the program of awk ends with 0 on what the program has printed.
fits() {
  awk "$3" <<<"$2" || { echo "$1 does not end as it should: $2"; return 1; }
}

# check_printed COMMAND PROGRAM...: `COMMAND NAME` runs one of them.
check_printed() {
  local command=$1 name printed
  shift
  for name; do
    printed=$("$command" "$name") || return 1
    case $name in
      tape) fits tape "$printed" '/at once/ { a = $NF } /newest/ { b = $NF } /moved/ { c = $NF } { last = $0 }
        END { exit !(a == 29 && b == 25 && c == 25 && last == "y = 2.0000 x + 1.0000") }' ;;
      line) grep -qF "It prints \`$printed\`." "$root/README.md" ||
        { echo "README does not say that line prints '$printed'"; return 1; } ;;
      spiral) fits spiral "$printed" '{ right = $NF } END { exit !(NR == 6 && right > 0.99) }' ;;
      bytes) fits bytes "$printed" '/counting/ { counted = $NF } /^step/ { learned = $NF }
        END { exit !(counted > 2.4 && learned > counted && learned < counted + 0.02) }' ;;
      attention) fits attention "$printed" '/counting/ { counted = $NF } { loss = $NF } END { exit !(loss < counted - 0.2) }' ;;
      block) fits block "$printed" '{ loss = $NF } END { exit !(NR == 6 && loss < 1.9) }' ;;
      gpt) fits gpt "$printed" '/^step 1000/ { loss = $NF } { written += length($0) + 1 } END { exit !(loss < 1.75 && written > 600) }' ;;
      network) fits network "$printed" '{ loss[NR] = $NF } END { exit !(NR == 5 && loss[5] < loss[1] / 10) }' ;;
      classifier) fits classifier "$printed" '{ right = $NF } END { exit !(NR == 5 && right > 0.97) }' ;;
      *) echo "nothing is known of what $name prints"; return 1 ;;
    esac || return 1
  done
}

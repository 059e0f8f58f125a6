# Sourced by first_test.sh and by the test of what is installed: what the programs of examples/first print.

# check_printed COMMAND: `COMMAND NAME` runs one of them.
check_printed() {
  local printed
  printed=$("$1" line)
  grep -qF "It prints \`$printed\`." "$root/README.md" || { echo "README does not say that line prints '$printed'"; return 1; }
  printed=$("$1" network)
  awk '{ loss[NR] = $NF } END { exit !(NR == 5 && loss[5] < loss[1] / 10) }' <<<"$printed" ||
    { echo "the last loss of network is not a tenth of the first: $printed"; return 1; }
  printed=$("$1" spiral)
  awk '{ accuracy = $NF } END { exit !(NR == 5 && accuracy > 0.97) }' <<<"$printed" ||
    { echo "spiral is not right at last: $printed"; return 1; }
}

# Sourced by tests of the book: node and what the book needs from npm. Where they cannot be had the test is left out, with
# status 77.

need_book() {
  command -v node >/dev/null || { echo "there is no node"; exit 77; }
  (($(node -p 'process.versions.node.split(".")[0]') >= 18)) || { echo "node is older than 18"; exit 77; }
  "$root/docs/run" --install || { echo "the book's packages cannot be had from npm"; exit 77; }
}

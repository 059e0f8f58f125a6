# Sourced by tests that need node, a Chromium without a window, and packages of npm. Where they cannot be had the test is left
# out, with status 77.

left_out() { echo "$*"; exit 77; }

need_node() {
  command -v node >/dev/null || left_out "there is no node"
  (($(node -p 'process.versions.node.split(".")[0]') >= 18)) || left_out "node is older than 18"
}

# need_chromium: sets GRADUS_CHROMIUM; the one that has no window takes half the time.
need_chromium() {
  export GRADUS_CHROMIUM
  local name
  for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable chrome; do
    GRADUS_CHROMIUM=$(command -v "$name") && break
  done
  [[ -n $GRADUS_CHROMIUM ]] || left_out "there is no Chromium"
}

# need_packages NAME@VERSION...: these packages of npm, in GRADUS_NODE_MODULES.
need_packages() {
  need_node
  export GRADUS_NODE_MODULES=$root/build/npm/node_modules
  local name missing=()
  for name; do
    grep -qs "\"version\": \"${name##*@}\"" "$GRADUS_NODE_MODULES/${name%@*}/package.json" || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  command -v npm >/dev/null || left_out "there is no npm"
  mkdir -p "$root/build/npm"
  npm install --prefix "$root/build/npm" --no-package-lock --no-audit --no-fund "${missing[@]}" \
    >"$root/build/npm/log" 2>&1 </dev/null || left_out "npm cannot get ${missing[*]}: see $root/build/npm/log"
}

# need_browser NAME@VERSION...: these, and a Chromium.
need_browser() {
  need_chromium
  need_packages "$@"
}

# need_book: what the book is built with.
need_book() {
  need_node
  "$root/docs/run" --install || left_out "the book's packages cannot be had from npm"
}

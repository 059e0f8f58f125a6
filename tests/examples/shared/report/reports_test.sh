#!/usr/bin/env bash
# The chapters' pages, and an ablation's, the claims' and a training run's, as a reader has them: valid HTML, and in a browser at four widths, light and dark, what look.mjs says.
# Looks at the pages that the chapters' tests have left, and runs a chapter of which there is none, or only old ones.
# Ends with 77 where node, npm or Chromium cannot be had.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/chapter.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../../../support/browser.sh"
. "$root/tests/support/sample.sh"
need_browser playwright-core@1.61.0 html-validate@9.7.1

pages=()
while IFS= read -r folder; do
  program=$(basename "$folder") chapter=${program%%_*}
  build release "$program" || exit 1
  found=${#pages[@]}
  for page in "$reports/$chapter"*.html; do
    [[ ! $page -nt $root/build/release/bin/$program ]] || pages+=("$page")
  done
  ((${#pages[@]} > found)) || { run_chapter "$chapter"; pages+=("$reports/$chapter.html"); }
done < <(sample 4 "$root"/examples/ch*/)
for program in ablate claims train; do  # their tests leave a page each
  build release $program || exit 1
  [[ $reports/$program.html -nt $root/build/release/bin/$program ]] || bash "$root"/tests/examples/*/${program}_test.sh || status=1
  pages+=("$reports/$program.html")
done
node "$root/tests/examples/shared/report/look.mjs" "${pages[@]}" || status=1
end_chapter

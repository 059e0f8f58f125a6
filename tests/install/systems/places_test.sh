#!/usr/bin/env bash
# A user, in a home folder and a tree with spaces in their names, builds and runs a first program and a chapter. When nothing in
# the tree may be written, examples/run says so, and it can be built elsewhere.
. "$(dirname "${BASH_SOURCE[0]}")/system.sh"
need git setpriv
place=$(mktemp -d)
trap 'chmod -R u+w "$place"; rm -rf "$place"' EXIT
home="$place/my home" tree="$place/my home/gra dus"
mkdir "$home"
git clone -q --no-hardlinks "$root" "$tree"

someone=()
if ((EUID == 0)); then  # who may write everywhere
  chown -R nobody:nogroup "$place"
  someone=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
fi
user() { (cd "$home" && "${someone[@]}" env HOME="$home" GRADUS_SKIP_PACKAGES=1 "$@"); }

user "$tree/examples/run" line
user "$tree/examples/run" ch00 --yes
rm -rf "$tree/build"
chmod -R a-w "$tree"
if said=$(user "$tree/examples/run" line 2>&1); then false; fi
echo "$said"
[[ $said == *"$tree cannot be written to"* ]]
user cmake -S "$tree" -B "$home/else where" --preset release
user cmake --build "$home/else where" --target line -j "$jobs"
user "$home/else where/bin/line"

#!/usr/bin/env bash
# core without BLAS, and for any processor: its ops and kernels are others.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
build plain test_core && "$root/build/plain/bin/test_core" --no-colors=true

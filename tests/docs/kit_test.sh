#!/usr/bin/env bash
# The kit that draws pages, in node: numbers, formulas, plots, heat maps, and pages of data that a test can write.
# Ends with 77 where there is no node. Chapters' pages: tests/examples/shared/report/reports_test.sh.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../support/browser.sh"
need_node
node --test --test-reporter=spec "$root"/tests/docs/kit/*.test.mjs

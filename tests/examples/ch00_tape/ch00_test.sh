#!/usr/bin/env bash
# ch00: a gradient with and without an order, the U of finite differences, second derivatives, and the line it fits.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch00
close walk.dy_da 2.5838531634528574 1e-14     # 3 + cos 2
same order.dy_da 25.0
same order.dy_da_naive 29.0
same order.visits 7.0
same order.visits_naive 15.0
same doublings.tape 21.0
same doublings.recursion_12 8191.0
same doublings.recursion_20_by_law 2097151.0
# Truncation h/2 against rounding ε/h: the best h is about √ε, for central differences about ε^(1/3).
between u.forward_f64.h 1e-9 1e-7
between u.central_f64.h 1e-6 1e-4
between u.forward_f64.least 1e-10 2e-8
between u.central_f64.least 1e-13 3e-11
between u.forward_f32.least 1e-6 3e-4
between u.central_f32.least 1e-7 3e-5
between u.tape_f64 0 1.2e-16                  # half an ulp
between u.tape_f32 0 6e-8
same second.hessian.0.0 6.0                   # 2b, 1 + 2a + 2b, 2a
same second.hessian.0.1 11.0
same second.hessian.1.0 11.0
same second.hessian.1.1 4.0
close line.w 2 0.1
close line.b -1 0.1
between line.loss 0 0.02
between line.loss_without_gradient 1 5
# Before the question stands the walk, and no derivative or report of which nothing has been said; the question has one right answer.
sed '/^y = s + p/,$d' "$work/tour" | grep -q 'd²\|tolerance' && wrong "the first screen: $(head -20 "$work/tour")"
grep -q 'with all that has arrived$' "$work/tour" || wrong "the question does not say what a rule gets"
grep -q 'id="viewer"' "$work/ch00/report.html" || wrong "the page has no tape viewer"

run_chapter ch00 --a -1 --b 0.5               # 1 + b + 2ab + b²; without an order 1 + b more: see the trace
same order.dy_da 0.75
end_chapter

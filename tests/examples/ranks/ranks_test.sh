#!/usr/bin/env bash
# Many ranks: the programs of examples/ranks are equal to one rank, and `train` writes the same checkpoint at any number of ranks.
# By threads, and by Open MPI where it is installed.
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
build release train ring data_parallel tensor_parallel pipeline ring_attention || exit 1
bin=$root/build/release/bin
export OMP_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
  echo "ranks_test: $1" >&2
  exit 1
}

# Are ranks processes here? The programs say so.
by_mpi=
"$bin/ring" --ranks 2 | grep -q 'processes by Open MPI' && by_mpi=yes

for program in ring data_parallel tensor_parallel pipeline ring_attention; do
  (($(wc -l <"$root/examples/ranks/$program.cpp") <= 120)) || fail "$program has more than 120 lines"
  for how in '--ranks 1' '--ranks 2 --threads' "--ranks 4 $([[ $by_mpi ]] || echo --threads)"; do
    # shellcheck disable=SC2086
    "$bin/$program" $how >out.txt 2>err.txt || fail "$program $how: $(cat out.txt err.txt)"
    grep -q '^The weights .* those of one rank' out.txt || fail "$program $how compares nothing: $(cat out.txt)"
  done
done

small=(--d-model 16 --layers 2 --heads 2 --context 16 --batch 16 --accumulate 8 --dropout 0.1 --steps 6 --eval-every 4 --sample-chars 0 --quiet)
for placement in pre post sandwich; do
  "$bin/train" "${small[@]}" --placement $placement --out one-$placement >one.txt || fail "one rank does not train"
  for ranks in 2 4 8; do
    for way in --rank-threads ${by_mpi:+''}; do
      [[ $way || $placement == pre || $ranks == 4 ]] || continue
      "$bin/train" "${small[@]}" --placement $placement --ranks $ranks $way --out many >many.txt 2>err.txt || fail "$ranks ranks: $(cat err.txt)"
      cmp -s one-$placement/checkpoint.safetensors many/checkpoint.safetensors || fail "$ranks ranks, $placement $way: another checkpoint than one rank's"
      [[ $(cut -d ' ' -f -5 many.txt) == "$(cut -d ' ' -f -5 one.txt)" ]] || fail "$ranks ranks: other losses: $(cat many.txt one.txt)"
      rm -r many
    done
  done
done
"$bin/train" "${small[@]}" --placement pre --ranks 4 --rank-threads --reduce ring --out ring >/dev/null || fail "no ring"
! cmp -s one-pre/checkpoint.safetensors ring/checkpoint.safetensors || fail "a ring adds in the order of a tree"
grep -q '"timelines":\[\[{' ring/report.html || fail "the report of 4 ranks does not say what each did when"
! grep -q '"timelines":\[' one-pre/report.html || fail "the report of one rank has timelines"

# The biases of a router are moved by the loads of all ranks.
for ranks in 1 4; do
  "$bin/train" "${small[@]}" --feed-forward moe --balance-bias 0.01 --ranks $ranks --rank-threads --out experts-$ranks >/dev/null 2>err.txt ||
    fail "experts on $ranks ranks: $(cat err.txt)"
done
cmp -s experts-1/checkpoint.safetensors experts-4/checkpoint.safetensors || fail "experts: 4 ranks have another checkpoint than one rank"

# A run goes on with another number of ranks.
"$bin/train" "${small[@]}" --placement pre --steps 4 --warmup 0 --ranks 4 --rank-threads --out resumed >/dev/null 2>err.txt || fail "$(cat err.txt)"
"$bin/train" --resume resumed --steps 6 --ranks 2 --rank-threads --quiet >/dev/null 2>err.txt || fail "resumed: $(cat err.txt)"
"$bin/train" "${small[@]}" --placement pre --steps 4 --warmup 0 --out whole >/dev/null && "$bin/train" --resume whole --steps 6 --quiet >/dev/null || fail "whole"
cmp -s whole/checkpoint.safetensors resumed/checkpoint.safetensors || fail "a run resumed with another number of ranks has other bits"

# NaN on all ranks is told once, by rank 0; a full disk ends the job, and the checkpoint is whole.
"$bin/train" "${small[@]}" --ranks 2 --rank-threads --lr 1e30 --clip 0 --out nan >/dev/null 2>err.txt && fail "a run that diverged ended well"
grep -q '^train: the .* of step . is not finite' err.txt || fail "of NaN it says: $(cat err.txt)"
cp -r one-pre full
(ulimit -f 4; trap '' XFSZ; "$bin/train" --resume full --steps 9 --ranks 2 --rank-threads --quiet >/dev/null 2>err.txt) && fail "saved without room"
cmp -s one-pre/checkpoint.safetensors full/checkpoint.safetensors || fail "a full disk has changed the checkpoint"

[[ $by_mpi ]] || exit 0
# By MPI's own sum the losses are nearly those, in another order; a file of hosts is mpirun's; and two machines, joined by a slow cable.
"$bin/train" "${small[@]}" --placement pre --ranks 4 --reduce mpi --out mpi >mpi.txt 2>err.txt || fail "--reduce mpi: $(cat err.txt)"
loss() { grep -o 'val_loss=[0-9.]*' "$1" | cut -d = -f 2; }
"$bin/train" "${small[@]}" --placement pre --out again >again.txt || fail "one rank does not train again"
awk -v a="$(loss mpi.txt)" -v b="$(loss again.txt)" 'BEGIN { exit !((a - b) ^ 2 < 1e-6) }' || fail "MPI's sum gives $(cat mpi.txt again.txt)"
echo 'localhost slots=4' >hosts
"$bin/train" "${small[@]}" --placement pre --ranks 4 --hosts hosts --out hosted >/dev/null 2>err.txt || fail "--hosts: $(cat err.txt)"
cmp -s one-pre/checkpoint.safetensors hosted/checkpoint.safetensors || fail "--hosts: another checkpoint than one rank's"
if ((UID == 0)) && ip netns add gradus-test 2>/dev/null; then
  ip netns del gradus-test
  "$root/examples/ranks/network" 1gbit data_parallel >out.txt 2>&1 || fail "over a cable: $(cat out.txt)"
  grep -q '^2 ranks, processes by Open MPI' out.txt && grep -q 'those of one rank' out.txt || fail "over a cable: $(cat out.txt)"
fi
# Killed at any moment, a job ends, names the rank, and leaves a checkpoint from which it goes on to the same bits.
bash "$root/tests/examples/ranks/kills.sh" "$([[ ${GRADUS_FULL-} ]] && echo 50 || echo 1)" || fail "a killed rank"
# A rank that hangs is named, with what it is waited for.
"$bin/train" "${small[@]}" --steps 1000000 --warmup 5 --ranks 2 --patience 5 --out hangs >out.txt 2>&1 &
job=$!
until [[ -f hangs/metrics.jsonl ]] && (($(wc -l <hangs/metrics.jsonl) > 20)); do sleep 0.1; done
victim=$(pgrep -P "$(pgrep -f 'mpirun.*--out hangs' | head -n 1)" | tail -n 1)
kill -STOP "$victim"
wait $job && fail "a job of which a rank hangs ended well"
kill -9 "$victim" 2>/dev/null
grep -q 'rank 0 has waited 5 s for rank 1, which should take part in the sum of the \(gradients from\|losses\|validation\)' out.txt || fail "of a rank that hangs it says: $(cat out.txt)"
exit 0

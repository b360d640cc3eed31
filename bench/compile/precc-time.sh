#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: precc-time.sh BIN EXAMPLES: the shortest wall time of 20 runs of precc, in
# seconds, to start, to PTX and to a host object for the gated residual.
bin=$1 example=$2/gated-residual.mlir out=$(mktemp)
best() {
  for run in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    start=$(date +%s%N)
    "$@" >/dev/null || exit 1
    echo $(($(date +%s%N) - start))
  done | sort -n | head -1 | awk '{ printf "%.3f\n", $1 / 1e9 }'
}
echo "start $(best "$bin/precc" --help)"
for function in mix_elementwise mix_and_reduce write_back; do
  echo "$function ptx $(best "$bin/precc" "$example" --function=$function --target=sm_90 -o "$out")"
  echo "$function obj $(best "$bin/precc" "$example" --function=$function -o "$out")"
done
rm -f "$out"

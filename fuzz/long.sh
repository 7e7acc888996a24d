#!/bin/sh
# Long runs with libFuzzer, guided by coverage: `fuzz/long.sh SECONDS [TARGET..]`, all targets unless some are named.
# Needs a C++ compiler and nothing but stable Rust. What is new goes to target/fuzz/TARGET; finds to target/fuzz/finds.
set -eu
cd "$(dirname "$0")/.."
seconds=$1
shift
host=$(rustc -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-target}
# Coverage as libFuzzer takes it, and all checks of a debug build in code that is as fast as a release.
RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions -Coverflow-checks" \
    cargo build --locked --release --target "$host" -p evolve-fuzz --features libfuzzer-sys,nats --bin libfuzzer
program=$target/$host/release/libfuzzer
[ $# -gt 0 ] || set -- $(ls fuzz/corpus)
for name in "$@"; do
    mkdir -p "$target/fuzz/$name" "$target/fuzz/finds"
    # 1 GiB and a minute for one input, also on a busy machine, are taken for a find. Exit status 77 is one of libFuzzer: go on with the next target.
    EVOLVE_FUZZ=$name nice -n 19 "$program" -max_total_time="$seconds" -max_len=65536 -timeout=60 -rss_limit_mb=1024 \
        -use_value_profile=1 -print_final_stats=1 -artifact_prefix="$target/fuzz/finds/$name-" \
        "$target/fuzz/$name" "fuzz/corpus/$name" 2>"$target/fuzz/$name.log" || echo "$name: a find"
    grep -E "stat::number_of_executed_units|stat::peak_rss_mb" "$target/fuzz/$name.log" | sed "s/^/$name /"
done

//! Measures the cost of starting a program and of exchanging a line with it, compared with the bare
//! operating system.

use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use evolve_process::{Heard, Limits, Program, Stdin, Until};

fn starts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("start and wait");
    let bare = || {
        let mut command = Command::new("/bin/true");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    group.bench_function("bare", |bencher| bencher.iter(|| bare().output().unwrap()));
    group.bench_function("bare fork", |bencher| {
        bencher.iter(|| {
            let mut command = bare();
            // Without this, the standard library starts programs without a fork, which a supervisor
            // cannot do. SAFETY: the closure does nothing.
            unsafe { command.pre_exec(|| Ok(())) };
            command.output().unwrap()
        });
    });
    let program = Program::new("/bin/true");
    group.bench_function("supervised", |bencher| bencher.iter(|| program.run(Stdin::Empty, None).unwrap()));
    let limits = Limits { memory: Some(1 << 30), wall: Some(Duration::from_secs(60)), ..Limits::default() };
    let limited = program.limits(limits);
    group.bench_function("limited", |bencher| bencher.iter(|| limited.run(Stdin::Empty, None).unwrap()));
    group.finish();
}

fn exchanges(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("exchange of a line");

    let mut process = Command::new("/bin/cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
    let mut line = String::new();
    group.bench_function("bare", |bencher| {
        bencher.iter(|| {
            input.write_all(b"3 4\n").unwrap();
            line.clear();
            output.read_line(&mut line).unwrap();
            black_box(&line);
        });
    });
    drop(input);
    process.wait().unwrap();

    let limits = Limits { memory: Some(1 << 30), wall: Some(Duration::from_secs(3600)), ..Limits::default() };
    for (name, limits) in [("supervised", Limits::default()), ("limited", limits)] {
        let mut worker = Program::new("/bin/cat").limits(limits).start().unwrap();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let heard = worker.ask("3 4", Until::after(Duration::from_secs(10))).unwrap();
                assert!(matches!(black_box(heard), Heard::Line(_)));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, starts, exchanges);
criterion_main!(benches);

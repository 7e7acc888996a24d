//! Inputs made of others: what `tests/corpus.rs` tries, without guidance but the same every time.

use chacha20::ChaCha8Rng;
use rand::{Rng, RngExt};

/// Numbers that end ranges of types, or look like none.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "2147483648",
    "-9223372036854775808",
    "9223372036854775807",
    "18446744073709551615",
    "1e308",
    "-1e-320",
    "nan",
    "inf",
    "1e999",
];

/// Texts that mean something to one reader or another, or to a terminal.
const TEXTS: [&str; 16] =
    ["\n", "\0", "\"", "'", "\\", "{", "}", "[[", "]]", ",,", " = ", "../", "\u{1b}[2J", "\u{202e}", "\u{9b}", "null"];

/// The longest input.
pub const LONGEST: usize = 1 << 16;

/// One of these inputs, changed in one to eight places.
///
/// # Panics
/// If there is none.
pub fn mutate(corpus: &[Vec<u8>], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = pick(corpus, random).clone();
    for _ in 0..1u32 << random.random_range(0..4u32) {
        step(&mut bytes, corpus, random);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn pick<'a, T>(of: &'a [T], random: &mut ChaCha8Rng) -> &'a T {
    &of[random.random_range(0..of.len())]
}

fn step(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut ChaCha8Rng) {
    let at = random.random_range(0..=bytes.len());
    let end = (at + random.random_range(0..=16usize)).min(bytes.len());
    match random.random_range(0..9u32) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8u32),
        1 if at < bytes.len() => bytes[at] = (random.next_u32() & 255) as u8,
        2 => drop(bytes.drain(at..end)),
        3 => {
            let part = bytes[at..end].repeat(random.random_range(1..20usize));
            drop(bytes.splice(at..at, part));
        }
        4 => drop(bytes.splice(at..at, pick(&TEXTS, random).bytes())),
        5 | 6 => {
            if let Some(place) = number(bytes, at) {
                bytes.splice(place, pick(&NUMBERS, random).bytes());
            }
        }
        7 => {
            // A line of another input, or of this one, in the place of one.
            let other = pick(corpus, random);
            let lines: Vec<&[u8]> = other.split_inclusive(|&byte| byte == b'\n').collect();
            if let Some(line) = (!lines.is_empty()).then(|| pick(&lines, random)) {
                let start = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
                let until = if random.random_range(0..2u32) == 0 { start } else { end.max(start) };
                bytes.splice(start..until, line.iter().copied());
            }
        }
        _ => {
            let other = pick(corpus, random);
            let from = random.random_range(0..=other.len());
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
    }
}

/// The digits of the first number from a place on.
fn number(bytes: &[u8], from: usize) -> Option<std::ops::Range<usize>> {
    let start = from + bytes[from..].iter().position(u8::is_ascii_digit)?;
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    Some(start..start + length)
}

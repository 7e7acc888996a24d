//! Creates inputs from others for `tests/corpus.rs`, without guidance but reproducibly.

use policy::random::SplitMix64;
use std::ops::Range;

/// Numbers at the limits of types or of odd form, and texts with a meaning to some reader or to a
/// terminal.
const WORDS: &str = "0 -1 1 255 65536 2147483648 -9223372036854775808 9223372036854775807 18446744073709551615 \
                     1e308 -1e-320 nan inf 1e999 \n \0 \" ' \\ { } [[ ]] ,, = ../ \u{1b}[2J \u{202e} \u{9b} null";

/// The longest input in bytes.
const LONGEST: usize = 1 << 16;

/// Returns one of these inputs, changed in one to eight places.
///
/// # Panics
/// If `corpus` is empty.
pub fn mutate(corpus: &[Vec<u8>], random: &mut SplitMix64) -> Vec<u8> {
    let words: Vec<&str> = WORDS.split(' ').collect();
    let mut bytes = pick(corpus, random).clone();
    for _ in 0..1 << random.below(4) {
        let other = pick(corpus, random);
        let start = below(bytes.len() + 1, random);
        let mut place = start..(start + below(17, random)).min(bytes.len());
        let put = match random.below(8) {
            0 => vec![],
            1 => vec![random.below(256) as u8],
            2 => bytes[place.clone()].repeat(1 + below(20, random)),
            3 => pick(&words, random).as_bytes().to_vec(),
            4 | 5 => {
                place = number(&bytes, start).unwrap_or(place);
                pick(&words, random).as_bytes().to_vec()
            }
            6 => {
                // Insert a line of another input, or of this one, before a line or in place of its
                // beginning.
                let lines: Vec<&[u8]> = other.split_inclusive(|&byte| byte == b'\n').collect();
                place.start = bytes[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
                place.end = if random.below(2) == 0 { place.start } else { place.end };
                if lines.is_empty() { vec![] } else { pick(&lines, random).to_vec() }
            }
            _ => {
                place.end = bytes.len();
                other[below(other.len() + 1, random)..].to_vec()
            }
        };
        bytes.splice(place, put);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn below(count: usize, random: &mut SplitMix64) -> usize {
    random.below(count as u32) as usize
}

fn pick<'a, T>(of: &'a [T], random: &mut SplitMix64) -> &'a T {
    &of[below(of.len(), random)]
}

/// Returns the first number at or after an offset.
fn number(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let start = from + bytes[from..].iter().position(u8::is_ascii_digit)?;
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    Some(start..start + length)
}

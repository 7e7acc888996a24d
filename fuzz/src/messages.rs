//! Messages between workers and runs. The first byte selects the kind.

use arbitrary::{Result, Unstructured};
use evolve_nats::wire::{Here, Letter, Outcomes, Says, Share, Unit, bytes, is_session, message, protocol};
use evolve_search::model::seed::Split;
use evolve_search::model::trial::{Case, Failure, FailureKind, Outcome};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Decodes a message and checks that encoding and decoding it again gives the same message.
fn read<M: Serialize + DeserializeOwned>(input: &[u8]) -> Option<M> {
    let read = message::<M>(input)?;
    let written = bytes(&read);
    let again: M = message(&written).expect("written data is readable");
    assert_eq!(bytes(&again), written);
    Some(read)
}

pub fn messages(mut bytes: Unstructured<'_>) -> Result<bool> {
    let kind: u8 = bytes.arbitrary()?;
    let input = bytes.take_rest();
    Ok(match kind % 3 {
        0 => read::<Letter>(input).is_some(),
        1 => read::<Unit>(input).is_some(),
        _ => read::<Here>(input).is_some_and(|here| {
            assert_eq!(protocol(input), Some(here.protocol));
            assert!(!is_session(&here.session) || here.session.bytes().all(|byte| byte.is_ascii_graphic()));
            true
        }),
    })
}

/// Returns a sample of each kind.
pub fn samples() -> [(String, String, Vec<u8>); 4] {
    let outcome = Outcome::of(1.0 / 3.0).metrics([0.1]).group("7");
    let played = vec![(9, Ok(outcome)), (4, Err(Failure::new(FailureKind::Signal, "signal 11")))];
    let case = Case { split: Split::Test, number: 3, seed: u64::MAX };
    let share = |values: [f64; 2], place| Share { values: values.to_vec(), trials: vec![(place, case, Some(-0.5))] };
    let unit = Unit { round: 1, shares: vec![share([1.5, 2.5], 7), share([0.0, -1.0], 8)] };
    let letter = |says| [&[0], &bytes(&Letter { worker: "node-7:4711".into(), says })[..]].concat();
    let build = [&[5][..], b"\x04bowl", &[7; 32], &[0]].concat();
    let here = [&[2, 3][..], b"a-1", b"\x05first", &build, &[0], &[9; 32], &[100, 0]].concat();
    [
        ("outcomes", letter(Says::Has(Outcomes { round: 3, played }))),
        ("refusal", letter(Says::Refuses("another build".into()))),
        ("unit", [&[1], &bytes(&unit)[..]].concat()),
        ("here", [&[2], &here[..]].concat()),
    ]
    .map(|(name, bytes)| ("messages".to_string(), name.to_string(), bytes))
}

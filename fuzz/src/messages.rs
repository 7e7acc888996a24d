//! Messages of workers and coordinators. The first byte says which.

use evolve_core::seed::Purpose;
use evolve_core::trial::{Deal, Failure, Outcome};
use evolve_nats::wire::{Answer, Beat, Hello, Here, Refusal, Results, Shown, Unit, bytes, is_session, message};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// A message that was read is written and read as the same.
fn check<M: Serialize + DeserializeOwned>(input: &[u8]) -> bool {
    let Some(read) = message::<M>(input) else { return false };
    let written = bytes(&read);
    let again: M = message(&written).expect("what was written is read");
    assert_eq!(bytes(&again), written);
    true
}

pub fn messages(input: &[u8]) -> bool {
    let Some((kind, input)) = input.split_first() else { return false };
    match kind % 8 {
        0 => check::<Hello>(input),
        1 => check::<Answer>(input),
        2 => check::<Shown>(input),
        3 => check::<Results>(input),
        4 => check::<Beat>(input),
        5 => match message::<Unit>(input) {
            Some(unit) => {
                let fits = unit.fits(2);
                assert!(!fits || unit.trials.iter().all(|&(at, _)| unit.candidates[at as usize].len() == 2));
                check::<Unit>(input)
            }
            None => false,
        },
        6 => match serde_json::from_slice::<Here>(input) {
            Ok(here) => {
                assert!(!is_session(&here.session) || here.session.bytes().all(|byte| byte.is_ascii_graphic()));
                true
            }
            Err(_) => false,
        },
        _ => serde_json::from_slice::<Refusal>(input).is_ok(),
    }
}

/// A sample of each kind.
pub fn samples() -> [(&'static str, Vec<u8>); 7] {
    let outcome = Outcome::of(1.0 / 3.0).parts([("left", 0.1)]).kind("layers", "7");
    let results = vec![Ok(outcome), Err(Failure::new("crash", "signal 11"))];
    let deal = Deal { purpose: Purpose::Verdict, number: 3, seed: u64::MAX };
    let unit = Unit {
        round: 1,
        first: 0,
        candidates: vec![vec![1.5, 2.5], vec![0.0, -1.0]],
        trials: vec![(0, deal), (1, deal)],
    };
    let beat = Beat {
        worker: "w".into(),
        games: 7,
        busy: Duration::from_millis(5),
        since: Duration::from_secs(9),
        last: false,
    };
    let of = |kind: u8, message: Vec<u8>| [vec![kind], message].concat();
    [
        ("answer", of(1, bytes(&Answer::Prove(unit.clone())))),
        ("shown", of(2, bytes(&Shown { worker: "w".into(), results: results.clone() }))),
        (
            "results",
            of(3, bytes(&Results { worker: "w".into(), round: 3, first: 9, results, time: Duration::from_millis(5) })),
        ),
        ("beat", of(4, bytes(&beat))),
        ("unit", of(5, bytes(&unit))),
        (
            "here",
            of(
                6,
                b"{\"protocol\":1,\"version\":5,\"session\":\"a-1\",\"name\":\"first\",\"problem\":\"bowl\",\"program\":false,\
                  \"workers\":2,\"lease\":{\"secs\":10,\"nanos\":0},\"files\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,\
                  21,22,23,24,25,26,27,28,29,30,31,32]}"
                    .to_vec(),
            ),
        ),
        ("refusal", of(7, b"{\"name\":\"node-7\",\"message\":\"another build\"}".to_vec())),
    ]
}

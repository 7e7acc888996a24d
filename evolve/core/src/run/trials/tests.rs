use super::*;
use std::fs;

#[test]
fn trials_are_read_up_to_an_incomplete_row() {
    let folder = tempfile::TempDir::new().unwrap();
    let table = "trial,stage,number,instance,replicate,seed,score,objective,failure,capped,metrics,groups,value.way,value.k\n\
                 0,search,0,a,0,s1,10,-10,,false,'=a=1 b=2,,b,5\n\
                 1,search,1,'=b,0,s2,12,-12,time limit,true,,,a,7\n\
                 2,search,0,a,0";
    fs::write(folder.path().join(TRIALS), table).unwrap();
    let parameters = vec![Parameter::int("k", 1, 9, 5), Parameter::choice("way", ["a", "b"], 0)];
    let space = Space::new(parameters, vec![5.0, 0.0], vec![0, 1]);
    let open = || Trials::open(folder.path()).unwrap();
    let played = open().played(&space);
    assert_eq!(played.len(), 2);
    assert!(played[0].is_of(&[5.0, 1.0]) && !played[1].is_of(&[5.0, 1.0]));
    assert_eq!((played[1].values[0], played[1].row.capped), (Some(7.0), true));
    // Cells have no escapes.
    assert_eq!(played[0].row.metrics.0[0], ("=a".to_string(), 1.0));
    assert_eq!(open().rows().map(|row| row.instance).collect::<Vec<_>>(), ["a", "=b"]);
    assert!(Trials::open(&folder.path().join("none")).is_none());
}

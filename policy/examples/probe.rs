use policy::{
    clock::Clock,
    random::SplitMix64,
    solitaire_chess::{beam::Settings, board::*, player::*, position::*, prospects::Alphabet, weights::*},
};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let group: usize = a[1].parse().unwrap();
    let games: u64 = a[2].parse().unwrap();
    let search = match a[3].as_str() {
        "greedy" => GREEDY,
        "beam" => Search::Beam(Settings { width: a[4].parse().unwrap(), depth: a[5].parse().unwrap() }),
        _ => Search::Sampled {
            beam: Settings { width: a[4].parse().unwrap(), depth: a[5].parse().unwrap() },
            samples: a[6].parse().unwrap(),
        },
    };
    let alpha: &[usize] = match group {
        1 => &[7],
        2 => &[0],
        3 => &[0, 1],
        4 => &[4, 5, 6],
        5 => &[0, 1, 2, 3],
        _ => &[0, 1, 2, 3, 4, 5, 6, 7],
    };
    let mut v: Vec<f64> = Terms::DECLARED.iter().chain(Terms::DRIFTS).map(|w| w.default).collect();
    if let Ok(f) = std::env::var("W") {
        for (i, x) in std::fs::read_to_string(f).unwrap().split_whitespace().enumerate() {
            v[i] = x.parse().unwrap();
        }
    }
    let mut player = Player::new(Weights::from_values(&v).unwrap(), search);
    let (mut s, mut s2, mut rem) = (0.0, 0.0, 0u64);
    let t = std::time::Instant::now();
    let mut parts = [0.0; 5];
    for g in 0..games {
        let mut r = SplitMix64::new(g.wrapping_mul(0x1234567).wrapping_add(99));
        let mut d = [[Piece::One; 64]; 3];
        for l in 0..3 {
            for t in tiles(ALL) {
                d[l][t as usize] = Piece::ALL[alpha[r.below(alpha.len() as u32) as usize]];
            }
        }
        let mut p = Position::new(|t| d[0][t as usize]);
        let al = Alphabet::of_board(p.visible());
        while let Some(t) = player.choose(&p, al, &Clock::UNLIMITED) {
            let tier = p.tier(t);
            p.remove(t, if tier < 2 { Some(d[tier + 1][t as usize]) } else { None });
            rem += 1;
        }
        let x = p.score().total() as f64;
        s += x;
        s2 += x * x;
        for (i, q) in p.score().parts().iter().enumerate() {
            parts[i] += q.1 as f64;
        }
    }
    let n = games as f64;
    let m = s / n;
    let sd = (s2 / n - m * m).max(0.).sqrt();
    let e = t.elapsed().as_secs_f64();
    println!(
        "group {group} mean {m:.2} se {:.2} sd {sd:.1}; {:.1} games/s {:.0} removals/s; {:?}",
        sd / n.sqrt(),
        n / e,
        rem as f64 / e,
        parts.map(|x| (x / n * 10.).round() / 10.)
    );
}

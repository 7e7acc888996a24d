//! Patterns of names, with `*` for any letters.

/// Whether a name fits a pattern.
pub fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut i, mut j) = (0, 0);
    // The place after the latest star, and where in the name the letters that it stands for end. It alone need ever
    // stand for more: what an earlier star gave up, the latest one can take.
    let mut star: Option<(usize, usize)> = None;
    while j < name.len() {
        if pattern.get(i) == Some(&'*') {
            i += 1;
            star = Some((i, j));
        } else if pattern.get(i) == Some(&name[j]) {
            (i, j) = (i + 1, j + 1);
        } else if let Some((after, end)) = star {
            (i, j) = (after, end + 1);
            star = Some((after, end + 1));
        } else {
            return false;
        }
    }
    pattern[i..].iter().all(|&letter| letter == '*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_stand_for_any_letters() {
        for (pattern, name, fit) in [
            ("*", "tile_gold", true),
            ("tile_*", "tile_gold", true),
            ("tile_*", "tiles", false),
            ("*_drift", "tile_gold_drift", true),
            ("*_drift", "tile_gold", false),
            ("a*b*c", "a__b__bc", true),
            ("a*b*c", "acb", false),
            ("gold", "gold", true),
            ("gold", "golden", false),
            ("gold*", "gold", true),
            ("*a*ab", "aaab", true),
            ("", "", true),
            ("", "gold", false),
            ("*ö*", "größe", true),
        ] {
            assert_eq!(fits(pattern, name), fit, "{pattern} {name}");
        }
    }

    /// A matcher that tries every length of every star would not be done in a lifetime.
    #[test]
    fn many_stars_take_no_longer() {
        let (stars, name) = ("*".repeat(40), "a".repeat(200));
        assert!(fits(&stars, &name));
        assert!(!fits(&format!("{stars}x"), &name));
        assert!(!fits(&format!("{}x", "*a".repeat(40)), &name));
    }
}

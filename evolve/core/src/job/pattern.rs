//! Patterns of names, in which `*` stands for any characters.

/// Returns whether a name matches a pattern.
pub fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut i, mut j) = (0, 0);
    // The position after the latest star, and the end of the characters in the name that it
    // matches. Backtracking to the latest star suffices: it can match any characters that an
    // earlier star gives up.
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
    fn stars_match_any_characters() {
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

    /// A matcher that backtracks to every star would never finish.
    #[test]
    fn many_stars_match_quickly() {
        let (stars, name) = ("*".repeat(40), "a".repeat(200));
        assert!(fits(&stars, &name));
        assert!(!fits(&format!("{stars}x"), &name));
        assert!(!fits(&format!("{}x", "*a".repeat(40)), &name));
    }
}

//! Patterns of names, with `*` for any letters.

/// Whether a name fits a pattern.
pub fn fits(pattern: &str, name: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return pattern == name };
    let Some(rest) = name.strip_prefix(head) else { return false };
    (0..=rest.len()).any(|skipped| rest.is_char_boundary(skipped) && fits(tail, &rest[skipped..]))
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
        ] {
            assert_eq!(fits(pattern, name), fit, "{pattern} {name}");
        }
    }
}

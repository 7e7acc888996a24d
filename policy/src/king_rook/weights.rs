//! The weights of the evaluation, each declared once. The unit is one white move; larger is better
//! for White.
//!
//! The rook's line leaves the black king a *strip* along an edge of the board; *across* it is the
//! way from that edge to the rook's line, *along* it the other way. The rook's other line leaves a
//! second strip, along the other axis.

crate::weights! {
    /// The factors of the evaluation's features.
    pub struct Weights {
        strip_width: "each line of the strip that the rook leaves the black king", -10.0..=10.0, 0.2, -1.0;
        strip_one: "the strip is one line wide", -10.0..=10.0, 0.3, 1.0;
        on_rook_line: "the black king is on the rook's line: no strip, but check or a shield", -10.0..=10.0, 0.3, -1.0;
        room_length: "each line of the black king's room along the strip", -10.0..=10.0, 0.1, -0.2;
        room_area: "each cell of the black king's room", -2.0..=2.0, 0.02, 0.0;
        edge: "each line between the black king and the edge of its strip", -10.0..=10.0, 0.1, 0.0;
        gap: "each free line between the black king and the rook's line", -10.0..=10.0, 0.1, 0.5;
        no_gap: "the black king is beside the rook's line", -10.0..=10.0, 0.2, 0.0;
        end: "each step of the black king to the nearer end of the strip", -10.0..=10.0, 0.1, -1.0;
        at_end: "the black king is at an end of the strip", -10.0..=10.0, 0.2, -0.5;
        kings_apart: "each king's step between the kings", -10.0..=10.0, 0.1, -0.5;
        kings_along: "each line between the kings along the strip", -10.0..=10.0, 0.1, -0.5;
        kings_across: "each line between the kings across the strip", -10.0..=10.0, 0.1, -0.5;
        wide_apart: "each king's step between the kings, for each line of the strip", -2.0..=2.0, 0.03, 0.0;
        facing: "the kings face each other across the strip with one cell between", -10.0..=10.0, 0.3, -2.0;
        facing_check: "they do, and the black king is on the rook's line", -10.0..=10.0, 0.3, 1.0;
        knight: "the white king is a step along the strip from facing the black one", -10.0..=10.0, 0.3, -1.0;
        diagonal: "the white king is two steps along the strip from facing the black one", -10.0..=10.0, 0.2, -0.5;
        inside: "the white king is inside the strip", -10.0..=10.0, 0.3, 0.0;
        depth_inside: "each line that the white king is inside the strip", -10.0..=10.0, 0.1, -0.5;
        beside: "the white king is on the rook's line", -10.0..=10.0, 0.2, 0.0;
        blocked: "the white king stands on the rook's line between rook and black king", -10.0..=10.0, 0.3, -0.5;
        beyond: "each line of the white king past the one next to the rook's", -10.0..=10.0, 0.1, 0.0;
        king_ahead: "each line, at most 2, of the white king from the black one to the far end", -10.0..=10.0, 0.1, 0.5;
        rook_ahead: "the rook is nearer to the far end of the strip than the black king", -10.0..=10.0, 0.2, -1.0;
        rook_opposite: "along the strip the black king is between king and rook", -10.0..=10.0, 0.2, -0.5;
        rook_away: "each line, at most 4, between rook and black king along the strip", -10.0..=10.0, 0.1, 0.5;
        rook_guarded: "the white king protects the rook", -10.0..=10.0, 0.2, 0.2;
        rook_attacked: "the black king is beside the rook", -10.0..=10.0, 0.2, 0.0;
        rook_near: "the rook is two king's steps from the black king, and not protected", -10.0..=10.0, 0.2, 0.0;
        replies: "each move that Black has", -10.0..=10.0, 0.1, -0.5;
        only_reply: "Black has one move", -10.0..=10.0, 0.3, 0.5;
        haste: "share of its value that a position on the way adds to the value of the last one", 0.0..=1.0, 0.02, 0.05;
    }
}

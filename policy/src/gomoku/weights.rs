//! The weights of the evaluation, each declared once. Only their proportions matter.

crate::weights! {
    /// The factors of a white move's features.
    pub struct Weights {
        own_0: "each line through the cell with no stone in it", -20.0..=20.0, 0.3, 0.3;
        own_1: "each line through the cell with one own stone and none of theirs", -20.0..=50.0, 0.5, 1.5;
        own_2: "each line through the cell with two own stones and none of theirs", -20.0..=100.0, 2.0, 6.0;
        own_3: "each line through the cell with three own stones and none of theirs", -50.0..=200.0, 4.0, 10.0;
        their_1: "each line through the cell with one of their stones and no own one", -20.0..=50.0, 0.5, 1.0;
        their_2: "each line through the cell with two of their stones and no own one", -20.0..=100.0, 2.0, 5.0;
        their_3: "each line through the cell with three of their stones and no own one", -50.0..=300.0, 4.0, 20.0;

        three: "makes an open three: the next own stone makes an open four", -100.0..=500.0, 10.0, 40.0;
        four: "makes a four, which has to be answered", -200.0..=500.0, 10.0, 0.0;
        three_three: "makes two open threes", -200.0..=2000.0, 40.0, 200.0;
        four_three: "makes a four and an open three", -200.0..=4000.0, 80.0, 800.0;
        four_four: "makes an open four or two fours: wins unless they win first", 0.0..=8000.0, 160.0, 4000.0;

        stop_three: "takes a cell where they make an open three", -100.0..=500.0, 10.0, 20.0;
        stop_four: "takes a cell where they make a four", -200.0..=500.0, 10.0, 0.0;
        stop_three_three: "takes a cell where they make two open threes", -200.0..=2000.0, 40.0, 100.0;
        stop_four_three: "takes a cell where they make a four and an open three", -200.0..=4000.0, 80.0, 400.0;
        stop_four_four: "takes a cell where they make an open four or two fours", -200.0..=4000.0, 80.0, 600.0;
    }
}

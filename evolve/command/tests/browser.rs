//! Pages in a real browser: `cargo test --test browser -- --ignored`. It needs chromium and
//! chromedriver.

mod committed;
mod shared;

mod browser {
    mod across;
    mod axe;
    mod driver;
    mod live;
    mod picture;
    mod pictures;
    mod reports;
    mod short_runs;
}

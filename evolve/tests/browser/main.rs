//! Pages in a real browser: `cargo test --test browser -- --ignored`. It needs chromium and chromedriver.

#[path = "../committed/mod.rs"]
mod committed;
mod driver;
mod live;
mod picture;
mod reports;

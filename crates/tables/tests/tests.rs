//! Tables from outside, in one program, so that what it shares is compiled once. What a build takes of memory is another: it counts
//! the whole program's.

mod file;
#[cfg(feature = "export")]
mod file_export;
mod file_owners;
mod from_above;
mod rows_equal_plain;
mod wide;

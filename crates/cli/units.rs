//! Sizes, times and numbers of threads as people write them.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use lumbung_engine::position::MAX_PITS;
use lumbung_tables::MAX_TABLE_SEEDS;

/// Most threads one may ask for; far more than help, and far fewer than a system refuses.
const MAX_THREADS: usize = 256;
/// Least memory one may allow: anything less holds no table at all.
const LEAST_MEMORY: u64 = 64 << 10;
/// Deepest count one may ask for.
const MAX_DEPTH: u32 = 1000;
/// Most random games one may ask for: more than a machine plays in a year.
const MAX_GAMES: u64 = 1_000_000_000_000;

/// A number of bytes: `2GiB`, `500MB` or `1073741824`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let positive = text.strip_prefix('-').unwrap_or(text);
    match positive.parse::<ByteSize>().map(|size| size.as_u64()) {
        Err(_) => Err("a size is written like 2GiB, 500MB or 1073741824".to_owned()),
        Ok(size) if size == 0 || positive != text => {
            Err(format!("a size must be more than 0, and at least {}", bytes(LEAST_MEMORY)))
        }
        Ok(size) if size < LEAST_MEMORY => Err(format!("a size must be at least {}", bytes(LEAST_MEMORY))),
        Ok(size) => Ok(size),
    }
}

/// A number of bytes for people: `4.9 MiB`.
pub(crate) fn bytes(bytes: u64) -> String {
    ByteSize::b(bytes).to_string()
}

/// A length of time: `90s`, `10m`, `2h`.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let positive = text.strip_prefix('-').unwrap_or(text);
    match humantime::parse_duration(positive) {
        // A bare 0 has no unit to ask for.
        _ if positive == "0" => Err(MORE_TIME.to_owned()),
        Err(humantime::DurationError::NumberOverflow) => Err(format!("a time must be at most {}s", u64::MAX)),
        Err(_) => Err("a time is written like 90s, 10m or 2h".to_owned()),
        Ok(time) if time.is_zero() || positive != text => Err(MORE_TIME.to_owned()),
        Ok(time) => Ok(time),
    }
}

const MORE_TIME: &str = "a time must be more than 0, for instance 90s, 10m or 2h";

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    number(text, 1..=MAX_THREADS).ok_or_else(|| format!("threads are a number from 1 to {MAX_THREADS}"))
}

/// A number of positions to visit.
pub(crate) fn nodes(text: &str) -> Result<u64, String> {
    number(text, 0..=u64::MAX).ok_or_else(|| format!("positions are a number from 0 to {}", u64::MAX))
}

/// The pits of a row.
pub(crate) fn pits(text: &str) -> Result<usize, String> {
    number(text, 1..=MAX_PITS).ok_or_else(|| format!("the pits of a row are a number from 1 to {MAX_PITS}"))
}

/// A number of positions to check.
pub(crate) fn sample(text: &str) -> Result<u64, String> {
    number(text, 1..=u64::MAX).ok_or_else(|| format!("positions to check are a number from 1 to {}", u64::MAX))
}

/// A number that chooses one sample among others.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    number(text, 0..=u64::MAX).ok_or_else(|| format!("a sample or a random game is drawn from a number from 0 to {}", u64::MAX))
}

/// A number of games.
pub(crate) fn games(text: &str) -> Result<u64, String> {
    number(text, 1..=MAX_GAMES).ok_or_else(|| format!("games are a number from 1 to {MAX_GAMES}"))
}

/// The seeds of an endgame table in memory.
pub(crate) fn table_seeds(text: &str) -> Result<usize, String> {
    number(text, 0..=MAX_TABLE_SEEDS).ok_or_else(|| format!("the seeds of a table are a number from 0 to {MAX_TABLE_SEEDS}"))
}

/// The depth of a count.
pub(crate) fn depth(text: &str) -> Result<u32, String> {
    number(text, 1..=MAX_DEPTH).ok_or_else(|| format!("a depth is a number from 1 to {MAX_DEPTH}"))
}

/// A number or a range of them, both ends included: `7`, `5..9`.
pub(crate) fn range(text: &str) -> Result<(usize, usize), String> {
    let plain = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let ends = match text.split_once("..") {
        Some((first, last)) => plain(first).zip(plain(last)),
        None => plain(text).map(|only| (only, only)),
    };
    ends.filter(|(first, last)| first <= last).ok_or_else(|| "a range is written like 7 or 5..9".to_owned())
}

fn number<N: FromStr + PartialOrd>(text: &str, accepted: RangeInclusive<N>) -> Option<N> {
    text.parse().ok().filter(|number| accepted.contains(number))
}

/// A count with its thousands apart: `1,234,567`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun: `1 seed`, `7,000 seeds`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A number of which only the first digit means something, rounded up: more than what is short of it.
pub(crate) fn about(number: u64) -> u64 {
    let unit = 10u64.pow(number.max(1).ilog10());
    number.div_ceil(unit).saturating_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_keeps_the_first_digit() {
        assert_eq!([0, 7, 19, 31_234_567, u64::MAX].map(about), [0, 7, 20, 40_000_000, u64::MAX]);
    }

    #[test]
    fn sizes_take_binary_decimal_and_bare_numbers() {
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("500MB"), Ok(500_000_000));
        assert_eq!(size("1073741824"), Ok(1 << 30));
        assert_eq!(size("64KiB"), Ok(65536));
        for (wrong, says) in [
            ("", "2GiB"),
            ("2 elephants", "2GiB"),
            ("GiB", "2GiB"),
            ("0", "more than 0"),
            ("-1", "more than 0"),
            ("-1GB", "more than 0"),
            ("65535", "at least 64.0 KiB"),
        ] {
            assert!(size(wrong).is_err_and(|error| error.contains(says)), "{wrong:?}");
        }
    }

    #[test]
    fn times_need_a_unit() {
        assert_eq!(time("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(time("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(time("2h"), Ok(Duration::from_secs(7200)));
        for (wrong, says) in [
            ("", "is written like"),
            ("90", "is written like"),
            ("soon", "is written like"),
            ("--1s", "is written like"),
            ("0", "more than 0"),
            ("0s", "more than 0"),
            ("-1s", "more than 0"),
            ("99999999999999999999s", "at most"),
        ] {
            assert!(time(wrong).is_err_and(|error| error.contains(says)), "{wrong:?}");
        }
    }

    #[test]
    fn threads_are_at_least_one() {
        assert_eq!(threads("8"), Ok(8));
        for wrong in ["0", "257", "-1", "all"] {
            assert!(threads(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_told_the_range() {
        assert_eq!((nodes("0"), nodes("1000")), (Ok(0), Ok(1000)));
        assert_eq!((table_seeds("0"), table_seeds("1023")), (Ok(0), Ok(1023)));
        assert_eq!((depth("1"), depth("1000")), (Ok(1), Ok(1000)));
        for wrong in ["", "abc", "-1", "1024"] {
            assert!(table_seeds(wrong).is_err_and(|error| error.contains("0 to 1023")), "{wrong:?}");
        }
        for wrong in ["", "abc", "-1", "0", "19"] {
            assert!(pits(wrong).is_err_and(|error| error.contains("1 to 18")), "{wrong:?}");
        }
        for wrong in ["", "abc", "-1", "0"] {
            assert!(sample(wrong).is_err_and(|error| error.contains("from 1")), "{wrong:?}");
        }
        assert_eq!((pits("18"), sample("1"), seed("0")), (Ok(18), Ok(1), Ok(0)));
        for wrong in ["", "abc", "-1", "0", "1001"] {
            assert!(depth(wrong).is_err_and(|error| error.contains("1 to 1000")), "{wrong:?}");
        }
        for wrong in ["", "abc", "-1", "18446744073709551616"] {
            assert!(nodes(wrong).is_err_and(|error| error.contains("from 0")), "{wrong:?}");
        }
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1000), "1,000");
        assert_eq!(count(27_332_139_157), "27,332,139,157");
        assert_eq!(counted(1, "seed"), "1 seed");
        assert_eq!(counted(98, "seed"), "98 seeds");
    }
}

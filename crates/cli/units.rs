//! Sizes, times and numbers of threads as people write them.

use std::time::Duration;

use bytesize::ByteSize;

/// Most threads one may ask for; far more than help, and far fewer than a system refuses.
const MAX_THREADS: usize = 1024;

/// A number of bytes: `2GiB`, `500MB` or `1073741824`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    match text.parse::<ByteSize>() {
        Ok(size) if size.as_u64() > 0 => Ok(size.as_u64()),
        _ => Err("a size is written like 2GiB, 500MB or 1073741824".to_owned()),
    }
}

/// A number of bytes for people: `4.9 MiB`.
pub(crate) fn bytes(bytes: u64) -> String {
    ByteSize::b(bytes).to_string()
}

/// A length of time: `90s`, `10m`, `2h`.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("a time is written like 90s, 10m or 2h".to_owned()),
    }
}

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|threads| (1..=MAX_THREADS).contains(threads))
        .ok_or_else(|| format!("threads are a number from 1 to {MAX_THREADS}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_take_binary_decimal_and_bare_numbers() {
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("500MB"), Ok(500_000_000));
        assert_eq!(size("1073741824"), Ok(1 << 30));
        for wrong in ["", "0", "2 elephants", "-1", "GiB"] {
            assert!(size(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn times_need_a_unit() {
        assert_eq!(time("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(time("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(time("2h"), Ok(Duration::from_secs(7200)));
        for wrong in ["", "90", "0s", "-1s", "soon"] {
            assert!(time(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn threads_are_at_least_one() {
        assert_eq!(threads("8"), Ok(8));
        for wrong in ["0", "1025", "-1", "all"] {
            assert!(threads(wrong).is_err(), "{wrong:?}");
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

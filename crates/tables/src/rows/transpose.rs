//! Transposing matrices of bytes: what turns lines of the mover's rows into lines of the other player's.

use multiversion::multiversion;

/// Lines of a tile.
const LINES: usize = 16;
/// Columns of a tile.
const COLUMNS: usize = 16;
/// Bytes of a block's side: the lines of a block are whole cache lines, so that each is fetched once.
const BLOCK: usize = 64;

/// A matrix in a longer stretch of bytes: line `i` starts at `i * stride`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Lines to be read.
    pub(crate) lines: usize,
    /// Bytes to be read of each.
    pub(crate) columns: usize,
    /// From one line read to the next.
    pub(crate) stride: usize,
    /// From one line written to the next.
    pub(crate) stride_to: usize,
}

/// Writes `to[column * stride_to + line] = from[line * stride + column]`.
#[multiversion(targets("x86_64+avx+avx2+bmi1+bmi2+fma+popcnt", "x86_64+sse3+ssse3+sse4.1"))]
pub(crate) fn transpose(from: &[i8], to: &mut [i8], shape: Shape) {
    let Shape { lines, columns, stride, stride_to } = shape;
    if lines < LINES || columns < COLUMNS {
        // The longer side in the inner loop.
        if lines < columns {
            for line in 0..lines {
                for (column, &value) in from[line * stride..][..columns].iter().enumerate() {
                    to[column * stride_to + line] = value;
                }
            }
        } else {
            for column in 0..columns {
                for (line, value) in to[column * stride_to..][..lines].iter_mut().enumerate() {
                    *value = from[line * stride + column];
                }
            }
        }
        return;
    }
    // The last tiles of a line and of a column overlap the ones before.
    for block in (0..lines).step_by(BLOCK) {
        for across in (0..columns).step_by(BLOCK) {
            for column in (across..columns.min(across + BLOCK)).step_by(COLUMNS).map(|at| at.min(columns - COLUMNS)) {
                for line in (block..lines.min(block + BLOCK)).step_by(LINES).map(|at| at.min(lines - LINES)) {
                    tile(&from[line * stride + column..], stride, &mut to[column * stride_to + line..], stride_to);
                }
            }
        }
    }
}

type Tile = [[i8; 16]; 16];

/// Transposes a tile.
#[inline(always)]
fn tile(from: &[i8], stride: usize, to: &mut [i8], stride_to: usize) {
    let mut lines: Tile = [[0; 16]; 16];
    for (i, line) in lines.iter_mut().enumerate() {
        line.copy_from_slice(&from[i * stride..][..16]);
    }
    let lines = interleave(interleave(interleave(interleave(lines))));
    for (i, line) in lines.iter().enumerate() {
        to[i * stride_to..][..16].copy_from_slice(line);
    }
}

/// Interleaves lines `i` and `i + 8` into lines `2 i` and `2 i + 1`. That rotates the four bits of a byte's line and the four of its
/// column, taken as one number, by one; after four times they have changed places.
#[inline(always)]
fn interleave(lines: Tile) -> Tile {
    let mut shuffled: Tile = [[0; 16]; 16];
    for i in 0..8 {
        let (upper, lower) = (lines[i], lines[i + 8]);
        for k in 0..8 {
            shuffled[2 * i][2 * k] = upper[k];
            shuffled[2 * i][2 * k + 1] = lower[k];
            shuffled[2 * i + 1][2 * k] = upper[k + 8];
            shuffled[2 * i + 1][2 * k + 1] = lower[k + 8];
        }
    }
    shuffled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_changes_places() {
        for (lines, columns) in [(1, 1), (3, 40), (16, 32), (17, 33), (64, 64), (100, 70), (130, 15), (15, 130)] {
            let (stride, stride_to) = (columns + 3, lines + 5);
            let from: Vec<i8> = (0..lines * stride).map(|i| (i * 7 % 251) as u8 as i8).collect();
            let mut to = vec![99; columns * stride_to];
            transpose(&from, &mut to, Shape { lines, columns, stride, stride_to });
            for column in 0..columns {
                for line in 0..stride_to {
                    let expected = if line < lines { from[line * stride + column] } else { 99 };
                    assert_eq!(to[column * stride_to + line], expected);
                }
            }
        }
    }
}

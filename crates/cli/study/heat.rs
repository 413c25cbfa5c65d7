//! A heat map of margins over pits and seeds, as SVG.
//!
//! The colour runs from purple (North) over white (a draw) to green (South), a diverging scale that people with the common colour
//! blindnesses can tell apart; every cell prints its margin with its sign, so that nothing is lost in black and white. A cell whose
//! margin is only bounded is hatched.

use super::cell::Cell;
use crate::layout::escaped;

const SIDE: usize = 56;
const LEFT: usize = 64;
const TOP: usize = 84;

/// South's and North's ends of the scale, red, green and blue.
const SOUTH: [f64; 3] = [27.0, 120.0, 55.0];
const NORTH: [f64; 3] = [118.0, 42.0, 131.0];

/// The map of the cells of one reading.
pub(super) fn svg(title: &str, cells: &[&Cell]) -> String {
    let range = |of: fn(&Cell) -> usize| {
        let values = || cells.iter().map(|cell| of(cell));
        (values().min().unwrap_or(1), values().max().unwrap_or(1))
    };
    let (pits, seeds) = (range(|cell| cell.pits), range(|cell| cell.seeds));
    let (width, height) = (LEFT + (seeds.1 - seeds.0 + 1) * SIDE + 24, TOP + (pits.1 - pits.0 + 1) * SIDE + 56);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"14\" role=\"img\">\n<title>{}</title>\n\
         <defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
         <rect width=\"6\" height=\"6\" fill=\"#ffffff\"/><rect width=\"2\" height=\"6\" fill=\"#999999\"/></pattern></defs>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        escaped(title)
    );
    svg += &text(LEFT, 28, "start", "font-size=\"18\" font-weight=\"bold\"", title);
    svg += &text(LEFT, 50, "start", "fill=\"#444444\"", "South's margin under best play; + South wins, - North wins");
    for seeds in seeds.0..=seeds.1 {
        svg += &text(column(seeds, range(|cell| cell.seeds).0) + SIDE / 2, TOP - 8, "middle", "", &seeds.to_string());
    }
    for pits in pits.0..=pits.1 {
        svg += &text(LEFT - 10, row(pits, range(|cell| cell.pits).0) + SIDE / 2 + 5, "end", "", &pits.to_string());
    }
    for cell in cells {
        svg += &square(cell, column(cell.seeds, seeds.0), row(cell.pits, pits.0));
    }
    let bottom = height - 32;
    svg += &text(LEFT, bottom, "start", "fill=\"#444444\"", "rows: pits a row; columns: seeds a pit");
    svg += &text(LEFT, bottom + 20, "start", "fill=\"#444444\"", "bold: the winner takes every seed; hatched: bounds only");
    svg + "</svg>\n"
}

fn column(seeds: usize, first: usize) -> usize {
    LEFT + (seeds - first) * SIDE
}

fn row(pits: usize, first: usize) -> usize {
    TOP + (pits - first) * SIDE
}

fn square(cell: &Cell, x: usize, y: usize) -> String {
    let share = f64::from(cell.low) / (2 * cell.pits * cell.seeds) as f64;
    let fill = if cell.proven() { colour(share) } else { "url(#hatch)".to_owned() };
    let ink = if cell.proven() && share.abs() > 0.55 { "#ffffff" } else { "#000000" };
    let weight = if cell.everything() { " font-weight=\"bold\"" } else { "" };
    let mut svg = format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\" stroke=\"#666666\"><title>{}x{}: {}</title></rect>\n",
        cell.pits,
        cell.seeds,
        cell.margin()
    );
    let middle = x + SIDE / 2;
    if cell.proven() {
        svg += &text(middle, y + SIDE / 2 + 5, "middle", &format!("fill=\"{ink}\"{weight}"), &cell.margin());
    } else {
        // White behind the words, or the hatching would cross them.
        let outlined = "font-size=\"12\" stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\"";
        svg += &text(middle, y + SIDE / 2 - 3, "middle", outlined, &format!("{:+}", cell.low));
        svg += &text(middle, y + SIDE / 2 + 14, "middle", outlined, &format!("{:+}", cell.high));
    }
    svg
}

/// The colour of a share of all seeds, from -1 (North has them all) to 1.
fn colour(share: f64) -> String {
    let end = if share < 0.0 { NORTH } else { SOUTH };
    // The square root keeps small margins apart from a draw.
    let depth = share.abs().min(1.0).sqrt();
    let [red, green, blue] = end.map(|part| (255.0 + (part - 255.0) * depth).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn text(x: usize, y: usize, anchor: &str, style: &str, words: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" {style}>{}</text>\n", escaped(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_white_at_a_draw_and_full_at_its_ends() {
        assert_eq!(colour(0.0), "#ffffff");
        assert_eq!(colour(1.0), "#1b7837");
        assert_eq!(colour(-1.0), "#762a83");
    }
}

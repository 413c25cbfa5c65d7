//! The rule sets that come with the program, each a TOML file.

use std::sync::LazyLock;

use super::RuleSet;

/// The names of the presets.
pub const PRESET_NAMES: [&str; 10] =
    ["dakon", "ohvalhu", "congkak", "sungka", "kalah", "kalah-empty-capture", "awari", "djenon-abe", "djenon-aboure", "san-yao"];

/// A rule set that comes with the program.
#[derive(Debug)]
pub struct Preset {
    /// One of [`PRESET_NAMES`].
    pub name: &'static str,
    /// Its file, with comments.
    pub toml: &'static str,
    /// Its rules.
    pub rules: RuleSet,
}

const FILES: [&str; 10] = [
    include_str!("../../presets/dakon.toml"),
    include_str!("../../presets/ohvalhu.toml"),
    include_str!("../../presets/congkak.toml"),
    include_str!("../../presets/sungka.toml"),
    include_str!("../../presets/kalah.toml"),
    include_str!("../../presets/kalah-empty-capture.toml"),
    include_str!("../../presets/awari.toml"),
    include_str!("../../presets/djenon-abe.toml"),
    include_str!("../../presets/djenon-aboure.toml"),
    include_str!("../../presets/san-yao.toml"),
];

static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    PRESET_NAMES
        .iter()
        .zip(FILES)
        .map(|(name, toml)| {
            let rules = match RuleSet::from_toml(toml) {
                Ok(rules) => rules,
                // The files are part of the program; a test reads every one of them.
                Err(error) => panic!("preset {name}: {error}"),
            };
            Preset { name, toml, rules }
        })
        .collect()
});

/// The preset of this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

/// All presets, in the order of [`PRESET_NAMES`].
pub fn presets() -> &'static [Preset] {
    &PRESETS
}

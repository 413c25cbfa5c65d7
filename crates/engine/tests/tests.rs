//! The engine from outside, in one program, so that what it shares is compiled once.

mod kernel_equals_referee;
mod notation_properties;
mod published_lines;
mod referee_properties;
mod rules_arbitrary;
mod rules_clash;
mod rules_fingerprint;
mod rules_presets;
mod rules_text;
mod support;
mod worked_examples;

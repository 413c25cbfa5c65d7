//! Random valid rule sets for property tests.

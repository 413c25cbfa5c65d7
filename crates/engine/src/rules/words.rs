//! The words that rule files use for the cases of a choice, each written once.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::spec::{BonusMove, Chain, RelayKind, RoundsKind, StoresKind};
use super::{
    BonusOnEmptyRow, CountSide, Cycle, EndWhen, Endless, Feeding, GrandSlam, LandingSeed, Lending, NoMove, Origin, Remainder,
    Repeat, Sons, TieStarter,
};

macro_rules! words {
    ($($type:ident { $($case:ident = $word:literal),+ $(,)? })+) => {$(
        impl $type {
            /// Every case.
            pub const ALL: &'static [$type] = &[$($type::$case),+];
            /// The words of the cases, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word of this case in a rule file.
            pub fn word(self) -> &'static str {
                match self {
                    $($type::$case => $word),+
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match String::deserialize(deserializer)?.as_str() {
                    $($word => Ok($type::$case),)+
                    other => Err(D::Error::unknown_variant(other, Self::WORDS)),
                }
            }
        }
    )+};
}

words! {
    StoresKind { Sown = "sown", Scored = "scored" }
    RelayKind { Single = "single", Landing = "landing", Next = "next" }
    Origin { Normal = "normal", Skipped = "skipped", First = "first" }
    BonusMove { None = "none", OwnStore = "own-store" }
    BonusOnEmptyRow { End = "end", Pass = "pass" }
    Endless { Illegal = "illegal", Pass = "pass", End = "end" }
    LandingSeed { Leave = "leave", TakeOnCapture = "take-on-capture", Take = "take" }
    CountSide { Opponent = "opponent", Any = "any" }
    Chain { None = "none", Back = "back" }
    GrandSlam { Legal = "legal", Forbidden = "forbidden", NoCapture = "no-capture" }
    Feeding { None = "none", MoverMust = "mover-must", Rescue = "rescue", LeaveAMove = "leave-a-move" }
    NoMove { End = "end", Pass = "pass" }
    Remainder {
        Opponent = "opponent", RowOwner = "row-owner", Mover = "mover", Split = "split", Unscored = "unscored",
    }
    Cycle { None = "none", Zero = "zero", RowOwner = "row-owner" }
    RoundsKind { Single = "single", Territory = "territory" }
    Sons { AfterOwnRow = "after-own-row", WinnerChooses = "winner-chooses" }
    Lending { Gift = "gift", Debt = "debt" }
    TieStarter { Other = "other", Same = "same" }
    Repeat { Split = "split", Void = "void" }
}

impl EndWhen {
    /// What a rule file may say, in words; `K` stands for a number.
    pub const WORDS: &'static [&'static str] =
        &["mover-empty", "any-row-empty", "both-rows-empty", "only-singletons", "fewer-than-K", "no-legal-move"];
}

impl fmt::Display for EndWhen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndWhen::MoverEmpty => f.write_str("mover-empty"),
            EndWhen::AnyRowEmpty => f.write_str("any-row-empty"),
            EndWhen::BothRowsEmpty => f.write_str("both-rows-empty"),
            EndWhen::OnlySingletons => f.write_str("only-singletons"),
            EndWhen::FewerThan(seeds) => write!(f, "fewer-than-{seeds}"),
            EndWhen::NoLegalMove => f.write_str("no-legal-move"),
        }
    }
}

impl FromStr for EndWhen {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Ok(match word {
            "mover-empty" => EndWhen::MoverEmpty,
            "any-row-empty" => EndWhen::AnyRowEmpty,
            "both-rows-empty" => EndWhen::BothRowsEmpty,
            "only-singletons" => EndWhen::OnlySingletons,
            "no-legal-move" => EndWhen::NoLegalMove,
            other => {
                let seeds = other.strip_prefix("fewer-than-").ok_or(())?;
                if !seeds.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(());
                }
                EndWhen::FewerThan(seeds.parse().map_err(|_| ())?)
            }
        })
    }
}

impl Serialize for EndWhen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for EndWhen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        word.parse().map_err(|()| D::Error::unknown_variant(&word, Self::WORDS))
    }
}

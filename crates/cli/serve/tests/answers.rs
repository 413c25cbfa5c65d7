//! What is answered is true: held against the solver, the referee and what is known of the games.

use lumbung_engine::rules::preset;
use lumbung_engine::{BoardSize, Position};
use lumbung_solver::Quiet;
use lumbung_solver::analyse::{MoveValue, analyse};
use lumbung_solver::solve::Options;
use serde_json::{Value, json};

use super::{found, own_rules, refused};

/// Choices that are the same in every run.
struct Chance(u64);

impl Chance {
    fn pick(&mut self, from: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % from
    }
}

#[test]
fn a_first_turn_of_nine_moves_wins_dakon() {
    let answer = found("/position?game=dakon&moves=1+2+7+7+1+3+1+4+7");
    assert_eq!(answer["seeds"]["stores"], json!([53, 0]));
    assert_eq!(answer["steps"].as_array().map(Vec::len), Some(9));
    let again: Vec<_> = answer["steps"].as_array().into_iter().flatten().map(|step| &step["again"]).collect();
    assert_eq!((again[7], again[8]), (&json!(true), &json!(false)));
}

#[test]
fn laps_speak_the_games_own_words() {
    // Pits of worked example DK2 and of a mikul.
    let nembak = found("/laps?game=dakon&moves=7");
    assert_eq!(nembak["trace"][0]["capture"]["word"], "nembak");
    assert_eq!(nembak["position"], "8,8,8,8,8,8,1/0,8,8,8,8,0,8/9,0/n");
    let mikul = found("/laps?game=dakon&position=0,0,0,0,0,0,3/2,0,3,0,0,0,0/45,45/s&moves=7");
    assert_eq!((&mikul["trace"][0]["capture"]["word"], &mikul["over"]), (&json!("mikul"), &json!(true)));
}

#[test]
fn values_are_those_of_the_solver() {
    let rules = &preset("dakon").expect("a preset").rules;
    let start = Position::start(BoardSize::new(4, 4).expect("a board"));
    let analysis = analyse(rules, &start, &Options::default(), &Quiet).expect("values");
    // Twice: by a search, and from what it found.
    for _ in 0..2 {
        let answer = found("/values?game=dakon&board=4x4");
        let values: Vec<_> = answer["moves"].as_array().into_iter().flatten().map(|choice| &choice["value"]).collect();
        let expected: Vec<_> = analysis.moves.iter().map(|choice| json!(choice.value.0)).collect();
        assert_eq!(values, expected.iter().collect::<Vec<_>>());
        assert_eq!((&answer["proven"], &answer["outcome"]), (&json!(true), &json!("won")));
    }
}

#[test]
fn a_table_and_a_search_agree() {
    for position in ["1,2,0/0,2,1/0,0/s", "0,0,3/2,1,1/5,0/n", "0,2,1/1,0,1/0,9/s", "0,0,1/1,0,0/4,4/n"] {
        let table = found(&format!("/tables/k3/value?position={position}"));
        let values = found(&format!("/values?game=kalah&position={position}"));
        assert_eq!((&table["source"], &values["source"]), (&json!("table"), &json!("table")));
        let rules = &preset("kalah").expect("a preset").rules;
        let searched = analyse(rules, &position.parse().expect("a position"), &Options::default(), &Quiet).expect("values");
        assert_eq!(table["value"], searched.value.0);
        let of = |choice: &MoveValue| json!([u16::from(choice.pit.0) + 1, choice.value.0, choice.gain, choice.again]);
        let found = |choice: &Value| json!([choice["pit"], choice["value"], choice["gain"], choice["again"]]);
        for answer in [&table, &values] {
            let moves: Vec<Value> = answer["moves"].as_array().expect("moves").iter().map(found).collect();
            assert_eq!(moves, searched.moves.iter().map(of).collect::<Vec<_>>(), "{position}");
        }
    }
}

/// Rules that are no game's are named by their fingerprint, and played, searched and looked up like any others.
#[test]
fn rules_of_a_tables_own_are_played_by() {
    let tables = found("/tables");
    let of = |id: &str| tables["tables"].as_array().into_iter().flatten().find(|table| table["id"] == id).cloned().expect("it");
    assert_eq!(of("k3")["rules"]["game"], "kalah");
    let own = of("own")["rules"].clone();
    assert_eq!((&own["game"], &own["name"]), (&Value::Null, &json!("kalah")));
    let fingerprint = own["fingerprint"].as_str().expect("a fingerprint");
    assert_eq!(fingerprint, own_rules().fingerprint().to_string());
    let listed = &found("/games")["own"];
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_eq!((&listed[0]["rules"], &listed[0]["tables"]), (&own, &json!(["own"])));
    let (position, rules) = ("2,1/1,0/0,0/s", own_rules());
    let searched = analyse(&rules, &position.parse().expect("a position"), &Options::default(), &Quiet).expect("values");
    for game in [fingerprint, &fingerprint[..12], &fingerprint[..8]] {
        assert_eq!(found(&format!("/games/{game}"))["games"][0]["rules"], own);
        let values = found(&format!("/values?game={game}&position={position}"));
        assert_eq!((&values["table"], &values["value"]), (&json!("own"), &json!(searched.value.0)));
        // On a board of which there is no table they are searched.
        let values = found(&format!("/values?game={game}&board=2x2"));
        assert_eq!((&values["source"], &values["proven"]), (&json!("search"), &json!(true)));
    }
    // A lap of four from the second pit: store, both pits of the other row, and the pit before, for its own is passed over.
    let played = found(&format!("/position?game={fingerprint}&position=1,4/1,1/0,0/s&moves=2"));
    assert_eq!(played["seeds"], json!({"south": [2, 0], "north": [2, 2], "stores": [1, 0], "to_move": "north"}));
    assert!(refused("/position?game=01234567", 400).contains("fingerprint"));
    refused("/games/01234567", 404);
}

/// Fingerprints of games and readings of them lead there, in letters of either size.
#[test]
fn a_fingerprint_names_the_rules_that_it_is_of() {
    let kalah = preset("kalah").expect("a preset").rules.fingerprint().to_string();
    let german =
        preset("dakon").expect("a preset").rules.with_reading("german-end").expect("a reading").fingerprint().to_string();
    let own = own_rules().fingerprint().to_string();
    for (fingerprint, game, readings) in
        [(&kalah, json!("kalah"), json!([])), (&german, json!("dakon"), json!(["german-end"])), (&own, Value::Null, json!([]))]
    {
        for spelt in [fingerprint.clone(), fingerprint.to_uppercase(), fingerprint[..10].to_uppercase()] {
            let rules = found(&format!("/games/{spelt}"))["games"][0]["rules"].clone();
            assert_eq!((&rules["game"], &rules["readings"]), (&game, &readings), "{spelt}");
            assert_eq!(rules["fingerprint"], **fingerprint);
        }
    }
}

/// A proof that leans on a table is a proof if that is right, and no more is known here.
#[test]
fn a_proof_that_leans_on_a_table_is_neither_valid_nor_refuted() {
    let about = found("/certificates/leaning")["certificate"].clone();
    assert_eq!((&about["valid"], &about["status"], &about["fault"]), (&json!(false), &json!("provided"), &Value::Null));
    assert_eq!(about["table"], json!({"digest": "07".repeat(32), "seeds": 4, "leaves": 1}));
    let whole = found("/certificates/dakon-3x5")["certificate"].clone();
    assert_eq!((&whole["valid"], &whole["status"], &whole["table"]), (&json!(true), &json!("valid"), &Value::Null));
}

/// South's third pit takes 40 seeds and leaves nine; after each of the others they are sown and a long game begins.
#[test]
fn an_easy_move_is_settled_beside_hard_ones() {
    let answer = found("/values?game=kalah&position=1,1,1,0,1,1/1,1,40,1,1,1/0,0/s&nodes=20000");
    let moves = answer["moves"].as_array().expect("moves");
    let exact: Vec<bool> = moves.iter().map(|choice| choice["value"].is_i64()).collect();
    assert!(exact[2] && !exact[0], "{answer:#}");
    assert_eq!((&moves[2]["outcome"], &moves[2]["gain"]), (&json!("won"), &json!(41)));
}

#[test]
fn an_outcome_counts_the_stores() {
    // South has 20 of 24 seeds already.
    let ahead = found("/values?game=kalah&position=0,1,1/0,1,1/20,0/s");
    assert_eq!(ahead["outcome"], "won");
    let behind = found("/values?game=kalah&position=0,1,1/0,1,1/0,20/s");
    assert_eq!((&behind["outcome"], &behind["value"]), (&json!("lost"), &ahead["value"]));
}

#[test]
fn a_search_that_is_cut_short_says_what_it_has_proven() {
    let answer = found("/values?game=awari&nodes=1000");
    assert_eq!((&answer["proven"], &answer["stopped"]), (&json!(false), &json!("nodes")));
    let bounds = |value: &Value| (value[0].as_i64().expect("a bound"), value[1].as_i64().expect("a bound"));
    let (low, high) = bounds(&answer["bounds"]);
    assert!((-48..=0).contains(&low) && (0..=48).contains(&high), "awari is a draw: {low} to {high}");
}

#[test]
fn the_statistics_count_every_position() {
    let stats = found("/tables/k3");
    for (seeds, layer) in stats["layers"].as_array().expect("layers").iter().enumerate() {
        // The ways to put seeds into six pits.
        let ways: u64 = (1..=5).fold(1, |ways, k| ways * (seeds as u64 + k) / k);
        assert_eq!(layer["positions"], ways);
        let counted: u64 = layer["histogram"].as_object().expect("values").values().filter_map(Value::as_u64).sum();
        assert_eq!(counted, ways);
        let extreme = layer["max_position"].as_str().expect("a position");
        assert_eq!(found(&format!("/tables/k3/value?position={extreme}"))["value"], layer["max"]);
    }
}

#[test]
fn claims_come_with_their_results_and_proofs() {
    let claims = found("/claims");
    let named = |id: &str| claims["claims"].as_array().into_iter().flatten().find(|claim| claim["id"] == id).cloned();
    let claim = named("dakon-first-player-win").expect("the claim");
    assert_eq!((&claim["status"], &claim["certificates"]), (&json!("holds"), &json!(["dakon-7x7"])));
}

#[test]
fn the_next_round_begins_where_the_arithmetic_leads() {
    // On two pits with a stone each the first move takes all.
    let won = found("/match?game=san-yao&board=2x1&moves=1");
    assert_eq!((&won["match"]["winner"], &won["next"]), (&json!("south"), &json!([])));
    let (mut moves, mut chance) = (String::new(), Chance(1));
    let over = loop {
        let round = found(&format!("/position?game=san-yao&moves={moves}"));
        let legal = round["legal"].as_array().expect("moves");
        match legal.len() {
            0 if round["over"] == true => break round,
            0 => moves += "-+",
            all => moves += &format!("{}+", legal[chance.pick(all)]),
        }
    };
    let first = found(&format!("/match?game=san-yao&moves={moves}"));
    let [south, north] = [0, 1].map(|side| over["seeds"]["stores"][side].as_u64().expect("a store"));
    assert_eq!(first["match"]["rounds"][0]["refill"]["stores"], json!([south, north]));
    // Every pit holds five stones again, and who has won more owns one more pit for every five.
    let (winner, pits) = if south > north { ("s", south / 5) } else { ("n", north / 5) };
    let next = first["next"][0]["position"].as_str().expect("a position");
    let start = found(&format!("/position?game=san-yao&position={next}"));
    assert_eq!(start["seeds"]["south"], json!([5, 5, 5, 5, 5]));
    let owners = start["seeds"]["owners"].as_str().unwrap_or("sssssnnnnn");
    assert_eq!(owners.matches(winner).count() as u64, pits, "{south} to {north}: {owners}");
    assert!(refused("/match?game=dakon", 400).contains("round"));
}

/// A reader who replies at random never escapes a proof, whichever of its claims she tries.
#[test]
fn nobody_escapes_a_certificate() {
    let mut chance = Chance(2);
    for id in ["dakon-3x5", "dakon-5x5", "djenon-abe-3x3", "san-yao-5x5"] {
        let about = found(&format!("/certificates/{id}"));
        assert_eq!(about["certificate"]["valid"], true);
        let rules = &about["certificate"]["rules"]["game"];
        for (claim, says) in about["certificate"]["claims"].as_array().expect("claims").iter().enumerate() {
            let bound = says["bound"].as_i64().expect("a bound");
            for _ in 0..4 {
                let mut position = says["position"].as_str().expect("a position").to_owned();
                let mut moves = 0;
                loop {
                    let step = found(&format!("/certificates/{id}/walk?claim={claim}&position={position}"));
                    assert!(step["margin"].as_i64() >= Some(bound), "{id}: {position}");
                    if step["state"] == "over" {
                        break;
                    }
                    moves += 1;
                    if moves > 300 {
                        // Play that goes on for ever gains nothing, which is enough for a bound that is not above what is there.
                        assert_ne!(rules, "dakon");
                        break;
                    }
                    let legal = step["moves"].as_array().expect("moves");
                    let played = match (&step["pit"], legal.len()) {
                        (_, 0) => "-".to_owned(),
                        (Value::Null, all) => legal[chance.pick(all)]["pit"].to_string(),
                        (pit, _) => pit.to_string(),
                    };
                    let after = found(&format!("/position?game={}&position={position}&moves={played}", rules.as_str().unwrap()));
                    position = after["position"].as_str().expect("a position").to_owned();
                }
            }
        }
    }
}

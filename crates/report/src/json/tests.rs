//! JSON of hand-made results.

use super::{check, compare};
use crate::sample;
use dalang_explore::{Config, Exploration};
use dalang_explore::{Global, Witness, WitnessBody, WitnessObject, WitnessValue};
use expect_test::expect;
use serde_json::Value;
use std::collections::BTreeMap;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
#[allow(clippy::too_many_lines, reason = "the expected text is long")]
fn a_run_follows_the_schema() {
    let run = sample::run(vec![sample::safe(), sample::violating()]);
    expect![[r##"
        {
          "schema": "dalang/1",
          "version": "0.1.0",
          "jdk": "17.0.15",
          "policy": "pose",
          "statics": "initialized",
          "bounds": {
            "k": null,
            "n": 5,
            "loop": 10,
            "calls": 80,
            "array": 8,
            "string": 8,
            "stdin": 8,
            "paths": null,
            "steps": null,
            "time": 60.0,
            "memory": null
          },
          "given": [
            "n"
          ],
          "looked_for": [
            "assert",
            "contract",
            "null",
            "bounds",
            "cast",
            "store",
            "arithmetic",
            "size"
          ],
          "target": "00ff",
          "settings": "ff00",
          "verdict": "unsafe",
          "interrupted": false,
          "summary": {
            "methods": 2,
            "safe": 1,
            "safe_within_bounds": 0,
            "unsafe": 1,
            "undecided": 0,
            "stops": [
              {
                "kind": "unsupported",
                "detail": "a.B.c()V",
                "count": 2,
                "methods": 1
              },
              {
                "kind": "loop",
                "detail": "",
                "count": 1,
                "methods": 1
              }
            ]
          },
          "defects": [],
          "unloaded": [],
          "methods": [
            {
              "method": "demo.Meeting.middle()I",
              "verdict": "safe",
              "exhaustive": true,
              "paths": {
                "completed": 1,
                "normal": 1,
                "exceptional": 0,
                "violating": 0,
                "diverging": 0,
                "assumed_away": 0,
                "stopped": 0
              },
              "stops": [],
              "violations": [],
              "coverage": {
                "branches": [
                  0,
                  0
                ],
                "lines": [
                  1,
                  1
                ],
                "instructions": [
                  7,
                  7
                ]
              },
              "assumptions": [],
              "stats": {
                "instructions": 120,
                "forks": 3,
                "merges": 0,
                "queries": 5,
                "implied": 4,
                "query_tokens": 17,
                "layers": {
                  "constant": 1,
                  "reuse": 1,
                  "order": 2,
                  "cores": 0,
                  "guide": 0,
                  "inequalities": 0,
                  "backend": 1
                },
                "rules": {},
                "solver_ms": 0.25,
                "time_ms": 1.5,
                "peak_bytes": 3145728
              }
            },
            {
              "method": "demo.Playlist.remove(I)V",
              "verdict": "unsafe",
              "exhaustive": false,
              "paths": {
                "completed": 11,
                "normal": 8,
                "exceptional": 1,
                "violating": 2,
                "diverging": 0,
                "assumed_away": 4,
                "stopped": 3
              },
              "stops": [
                {
                  "kind": "loop",
                  "count": 1,
                  "detail": ""
                },
                {
                  "kind": "unsupported",
                  "count": 2,
                  "detail": "a.B.c()V"
                }
              ],
              "violations": [
                {
                  "kind": "null",
                  "exception": "java.lang.NullPointerException",
                  "message": null,
                  "at": {
                    "class": "demo.Playlist",
                    "method": "remove",
                    "file": "Playlist.java",
                    "line": 22,
                    "pc": 31
                  },
                  "condition": "this.first.id != id && this.first.next == null",
                  "witness": {
                    "inputs": {
                      "this": "#1",
                      "id": 0
                    },
                    "objects": {
                      "#1": {
                        "class": "demo.Playlist",
                        "fields": {
                          "first": "#2"
                        }
                      },
                      "#2": {
                        "class": "demo.Playlist$Song",
                        "fields": {
                          "id": 1,
                          "next": null
                        }
                      }
                    }
                  },
                  "replay": "confirmed"
                }
              ],
              "coverage": {
                "branches": [
                  5,
                  6
                ],
                "lines": [
                  9,
                  9
                ],
                "instructions": [
                  40,
                  44
                ]
              },
              "assumptions": [
                "demo.Shape is one of demo.Circle, demo.Square"
              ],
              "stats": {
                "instructions": 120,
                "forks": 3,
                "merges": 0,
                "queries": 5,
                "implied": 4,
                "query_tokens": 17,
                "layers": {
                  "constant": 1,
                  "reuse": 1,
                  "order": 2,
                  "cores": 0,
                  "guide": 0,
                  "inequalities": 0,
                  "backend": 1
                },
                "rules": {},
                "solver_ms": 0.25,
                "time_ms": 1.5,
                "peak_bytes": 3145728
              }
            }
          ]
        }
    "##]]
    .assert_eq(&check(&run, false));
}

#[test]
fn every_path_is_there_if_asked_for() {
    let run = sample::run(vec![sample::violating()]);
    let outcomes = parsed(&check(&run, true))["methods"][0]["outcomes"].clone();
    assert_eq!(outcomes[0]["kind"], "return");
    assert_eq!(outcomes[0]["value"], "id + 1");
    assert_eq!(outcomes[1]["kind"], "violation");
    assert_eq!(outcomes[1]["violation"], "null");
    assert_eq!(outcomes[1]["witness"]["inputs"]["this"], "#1");
    assert!(parsed(&check(&run, false))["methods"][0].get("outcomes").is_none());
}

fn with(witness: Witness) -> Exploration {
    let mut method = sample::violating();
    method.violations[0].outcome.witness = Some(witness);
    method
}

#[test]
fn values_of_every_kind_have_a_spelling() {
    let object = |class: &str, body| WitnessObject { class: class.to_owned(), body };
    let values = [
        WitnessValue::Null,
        WitnessValue::Boolean(true),
        WitnessValue::Integer(i64::MIN),
        WitnessValue::Char(0x23),
        WitnessValue::Char(0xdfff),
        WitnessValue::Float(0.1),
        WitnessValue::Float(f32::INFINITY),
        WitnessValue::Double(f64::NAN),
        WitnessValue::Double(f64::NEG_INFINITY),
        WitnessValue::Double(-0.0),
        WitnessValue::Object(3),
    ];
    let witness = Witness {
        stdin: Some(b"a\n".to_vec()),
        statics: vec![(
            Global { class: "p.C".to_owned(), field: "count".to_owned(), way: Vec::new() },
            WitnessValue::Integer(3),
        )],
        inputs: values.iter().map(|value| ("x".to_owned(), value.clone())).collect(),
        objects: vec![
            object(
                "long[]",
                WitnessBody::Array(9, BTreeMap::from([(4, WitnessValue::Integer(-1))])),
            ),
            object("java.lang.String", WitnessBody::Text(vec![0x61, 0xd800, 0x1b])),
            object("java.lang.Long", WitnessBody::Boxed(WitnessValue::Integer(2))),
            object("p.E", WitnessBody::Constant("RED".to_owned())),
            object("p.\u{9b}C", WitnessBody::Fields(Vec::new())),
            object("java.lang.String", WitnessBody::Interned(vec![0x62])),
            object("java.lang.Byte", WitnessBody::Cached(WitnessValue::Integer(7))),
        ],
    };
    let text = check(&sample::run(vec![with(witness)]), false);
    assert!(text.contains(": 0.1,") && text.contains("-0.0"), "{text}");
    assert!(text.contains("p.\\u009bC") && !text.contains('\u{9b}'), "{text}");
    let json = parsed(&text);
    let witness = &json["methods"][0]["violations"][0]["witness"];
    expect![[r##"{"inputs":{"p.C.count":3,"x":null,"x@10":-0.0,"x@11":"#3","x@2":true,"x@3":-9223372036854775808,"x@4":"#","x@5":"\\udfff","x@6":0.1,"x@7":"Infinity","x@8":"NaN","x@9":"-Infinity"},"objects":{"#1":{"class":"long[]","elements":{"4":-1},"length":9},"#2":{"class":"java.lang.String","text":"a\\ud800\u001b","utf16":[97,55296,27]},"#3":{"class":"java.lang.Long","value":2},"#4":{"class":"p.E","constant":"RED"},"#5":{"class":"p.C","fields":{}},"#6":{"class":"java.lang.String","interned":true,"text":"b"},"#7":{"cached":true,"class":"java.lang.Byte","value":7}},"stdin":"a\n"}"##]].assert_eq(&witness.to_string());
}

#[test]
fn policies_stand_side_by_side() {
    let runs: Vec<_> = dalang_heap::Policy::ALL
        .iter()
        .map(|&policy| {
            let mut run = sample::run(vec![sample::safe(), sample::violating()]);
            run.config = Config { policy, ..run.config };
            run
        })
        .collect();
    let json = parsed(&compare(&runs));
    assert_eq!(
        json["policies"],
        serde_json::json!(["lazy", "lazier", "lazier#", "summary", "pose"])
    );
    assert_eq!(json["methods"][1]["method"], "demo.Playlist.remove(I)V");
    assert_eq!(json["methods"][1]["runs"][2]["policy"], "lazier#");
    assert_eq!(json["methods"][1]["runs"][2]["paths"]["completed"], 11);
    assert_eq!(json["methods"][1]["runs"][0]["stats"]["forks"], 3);
}

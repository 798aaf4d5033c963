/** How values are written: quotes, blocks, folds, numbers, the order of keys. */
import { type Case, oneFolder } from './case.ts';

const values = `apiVersion: v1
kind: ConfigMap
metadata:
  name: values
  annotations: {number: 5, empty: , yes: yes, text: "5", z10: a, z9: b, A: c, _x: d}
data:
  yes: yes
  no: "no"
  on: on
  letter: y
  tilde: "~"
  nullText: "null"
  trueText: "true"
  octal: 0644
  octalText: "0644"
  newOctal: 0o17
  hex: 0x1F
  binary: 0b11
  underscored: 1_000
  float: 1.0
  floats: [1.5, 1e3, .5, 1e21, 1e-7, 1234567.5, 0.00001, 1.23e+25, 12345678901234567890]
  big: 9007199254740993
  bigger: 18446744073709551615
  minus: -5
  plus: +5
  version: 1.10
  versionText: "1.10"
  date: 2020-01-01
  dateText: "2020-01-01"
  time: 2001-12-14T21:59:43.10-05:00
  sexagesimal: 190:20:30
  clock: "12:30"
  empty: ""
  nothing:
  spaces: "  x  "
  colon: "a: b"
  colonEnd: "a:"
  hash: "a #b"
  hash2: "a#b"
  dash: "- a"
  dashes: "---"
  dashWord: "-a"
  question: "? a"
  star: "*a"
  amp: "&a"
  bang: "!a"
  at: "@a"
  backtick: "\`a"
  percent: "%a"
  pipe: "|a"
  gt: ">a"
  brace: "{a}"
  bracket: "[a]"
  comma: ",a"
  quote: "'a"
  quotes: 'say "x"'
  double: '"a"'
  backslash: 'a\\b'
  tab: "a\\tb"
  cr: "a\\rb"
  bell: "a\\u0007b"
  nbsp: "a\\u00a0b"
  accent: "é"
  emoji: "😀 x"
  merge: "<<"
  equals: "="
  block: |
    one
    two
  blockKeep: |+
    one

  blockStrip: |-
    one
    two
  blockLeading: |2
      one
    two
  blockTrailing: "one \\ntwo\\n"
  blockSpaceEnd: "one\\ntwo "
  blockTab: "one\\n\\ttwo\\n"
  folded: >
    one
    two

    three
  newline: "\\n"
  newlines: "\\n\\n"
  leadingNewline: "\\na"
  long: aaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd eeeeeeeeee ffffffffff gggggggggg hhhhhhhhhh iiiiiiiiii jjjjjjjjjj kkkkkkkkkk
  longQuoted: "aaaaaaaaa: bbbbbbbbbb cccccccccc dddddddddd eeeeeeeeee ffffffffff gggggggggg hhhhhhhhhh iiiiiiiiii jjjjjjjjjj kkkkkkkkkk"
  longDouble: "aaaaaaaaa\\tbbbbbbbbbb cccccccccc dddddddddd eeeeeeeeee ffffffffff gggggggggg hhhhhhhhhh iiiiiiiiii  jjjjjjjjjj kkkkkkkkkk"
  longSpaces: "aaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd eeeeeeeeee ffffffffff gggggggggg hhhhhhhhhh  iiiiiiiiii  jjjjjjjjjj kkkkkkkkkk"
  "quoted key": x
  "5": x
  "true": x
  "a: b": x
  "é": x
  k1: x
  k2: x
  k10: x
  k02: x
  K: x
  k_a: x
  k-a: x
  k.a: x
  k/a: x
lists:
- a
- - b
  - c
  - - d
- {}
- []
- x: 1
  y: [1, 2]
- - x: 1
    y: 2
- |
  block
- long aaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd eeeeeeeeee ffffffffff gggggggggg hhhhhhhhhh iiiiiiiiii jjjjjjjjjj kkkkkkkkkk
- ""
maps:
  empty: {}
  emptyList: []
  deep: {a: {b: {c: [{d: e, f: {g: h}}]}}}
`;

export const texts: readonly Case[] = [
  oneFolder('values of all sorts', 'resources: [values.yaml]\n', { 'values.yaml': values }),
  oneFolder('infinity', 'resources: [a.yaml]\n', {
    'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: .inf}\n',
  }),
  oneFolder('explicit tags', 'resources: [values.yaml]\n', {
    'values.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: !!str 5\n  b: !!int "5"\n  c: !!float 5\n  d: !!binary aGVsbG8=\n  e: !!null ""\n  f: !!bool "true"\n',
  }),
  oneFolder('Windows line ends', 'resources: [values.yaml]\r\n', {
    'values.yaml':
      'apiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n  name: a\r\ndata:\r\n  a: |\r\n    x\r\n    y\r\n---\r\napiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n  name: b\r\n',
  }),
  oneFolder('JSON', 'resources: [values.json]\n', {
    'values.json':
      '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "b\\nc"}, "n": 1.50, "z": null}',
  }),
  oneFolder('names that are numbers', 'resources: [a.yaml]\nnamePrefix: "1"\n', {
    'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "23"}\n',
  }),
];

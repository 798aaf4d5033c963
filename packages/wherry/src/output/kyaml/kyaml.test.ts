import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { formatKyaml } from './kyaml.ts';

const written = (value: unknown) => formatKyaml(value).split('\n').slice(1);

test('mappings have brackets and the order that they are given, strings have quotes, empty ones are short', () => {
  assert.equal(
    formatKyaml({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { labels: {}, name: 'a' },
      of: [1.5, null, true, 'x'],
    }),
    [
      '---',
      '{',
      '  kind: "Pod",',
      '  apiVersion: "v1",',
      '  metadata: {',
      '    labels: {},',
      '    name: "a",',
      '  },',
      '  of: [',
      '    1.5,',
      '    null,',
      '    true,',
      '    "x",',
      '  ],',
      '}',
    ].join('\n'),
  );
});

test('maps whose keys are numbers have the order of texts', () => {
  assert.deepEqual(written({ a: 2, 9: 4, 10: 3, '-': 1 }), [
    ...['{', '  "-": 1,', '  "10": 3,', '  "9": 4,', '  a: 2,', '}'],
  ]);
});

test('lists of mappings and lists alone begin on their line', () => {
  assert.deepEqual(written({ a: [{ b: 'c' }, {}, []], d: [[1]], e: [] }), [
    ...['{', '  a: [{', '    b: "c",', '  }, {}, []],', '  d: [[', '    1,', '  ]],', '  e: [],', '}'],
  ]);
  assert.deepEqual(written([{}, 1]), ['[', '  {},', '  1,', ']']);
});

test('strings of several lines stand below each other, with their spaces', () => {
  assert.deepEqual(written({ a: 'one\n  two\n\n\tthree' }), [
    ...['{', '  a: "\\', '     one\\n\\', '    \\  two\\n\\', '     \\n\\', '    \\\tthree\\', '    ",', '}'],
  ]);
  assert.deepEqual(written({ a: 'one\n' }), ['{', '  a: "\\', '     one\\n\\', '    ",', '}']);
});

test('keys have quotes where they might be something else', () => {
  const quoted = [
    'no',
    'Y',
    'null',
    '1',
    '1e5',
    '0x1F',
    '2026-01-31',
    'inf',
    't',
    'k:{"a":1}',
    '',
    'a b',
    '-a',
    'f\n',
  ];
  for (const key of quoted) assert.equal(written({ [key]: 0 })[1], `  ${JSON.stringify(key)}: 0,`);
  for (const key of [
    'noo',
    'app.kubernetes.io/name',
    '2026-02-30',
    '0x',
    '_',
    'é',
    '1a',
    'T1',
    'matchLabels',
  ])
    assert.equal(written({ [key]: 0 })[1], `  ${key}: 0,`);
});

test('what is written reads as what it was', () => {
  const all = [
    '\u0000\u0007\b\t\v\f\r\u001b\u007f',
    '\u0085\u00a0\u2028\u2029\u200b\u{e0001}',
    '"\\/\'',
    'a\n\r\n\u3000b\n',
  ];
  for (const text of [...all, ...all.map((one) => `x\n${one}\n  y`)]) {
    const value = { [text]: [text, { text }] };
    assert.deepEqual(parse(formatKyaml(value)), value, JSON.stringify(text));
  }
  assert.equal(formatKyaml('\ud800'), '---\n"\ufffd"');
});

/** KYAML beside upstream's own encoder, byte by byte, over values and keys drawn at random. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, suite, test } from 'node:test';
import { sortedKeys } from '../packages/wherry/src/output/json.ts';
import { formatKyaml } from '../packages/wherry/src/output/kyaml/kyaml.ts';
import { buildGoPeer } from './peers/go-peer.ts';

/** Numbers from 0 to below 1, the same at each run. */
function drawing(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const letters = [
  ...['a', 'B', '0', '1', '9', '_', '-', '.', '/', ' ', '\t', '\n', '"', '\\', "'", ':', '#', '{', ']', ','],
  ...['&', '*', '!', '|', '>', '%', '@', '`', 'é', '中', '😀', '\u0001', '\u0007', '\b', '\f', '\r', '\v'],
  ...['\u001b', '\u00a0', '\u2028', '\u2029', '\u3000', '\u200b', '\ufeff', '\u0301', 'Ⅷ', 'yes', 'null'],
];
const numberLike = ['0', '1', '7', '8', '9', '_', '-', '.', '/', 'e', 'x', 'b', 'o', 'p', 'f', 'n', 'i', 'T'];
const numbers = [0, 1, -1, 1.5, 1e21, 1e-7, 123_456_789_012, -0.25, 1e300];

function values(count: number): unknown[] {
  const draw = drawing(1);
  const below = (limit: number) => Math.floor(draw() * limit);
  const some = <T>(limit: number, make: () => T): T[] => Array.from({ length: below(limit) }, make);
  const text = (from: readonly string[], limit: number) =>
    some(limit, () => from[below(from.length)]).join('');
  const key = () => (below(2) === 0 ? text(letters, 6) : text(numberLike, 6));
  const day = () => `${1_990 + below(40)}-${below(14)}-${below(33)}`;
  const value = (depth: number): unknown => {
    const kind = below(depth > 3 ? 6 : 9);
    if (kind < 3) return text(letters, 12);
    if (kind === 3) return numbers[below(numbers.length)];
    if (kind === 4) return below(2) === 0;
    if (kind === 5) return null;
    if (kind === 6) return some(4, () => value(depth + 1));
    if (kind === 7) return some(3, () => ({ [key()]: value(depth + 1) }));
    return Object.fromEntries([...some(5, key), ...some(2, day)].map((name) => [name, value(depth + 1)]));
  };
  return Array.from({ length: count }, () => value(0));
}

/**
 * Upstream puts a backslash in front of a line's first space also where that is written by a backslash, which makes two other
 * characters of it.
 */
const mended = (written: string) =>
  written.replace(
    /(\n *)\\\\([fvrLP_N]|u[0-9a-f]{4})/g,
    (_all, margin: string, rest: string) => `${margin} \\${rest}`,
  );

suite('KYAML is upstream’s', () => {
  let judge: string;
  before(async () => {
    judge = await buildGoPeer('kyamljudge');
  });

  const upstreams = (all: readonly unknown[]): string[] => {
    const input = all.map((one) => JSON.stringify(one)).join('\n');
    const { stdout } = spawnSync(judge, { input, encoding: 'utf8', maxBuffer: 2 ** 30 });
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as string);
  };

  test('over 20,000 values', () => {
    const all = values(20_000);
    const theirs = upstreams(all);
    for (const [at, one] of all.entries()) {
      const ours = `${formatKyaml(sortedKeys(one))}\n`;
      if (ours !== theirs[at]) assert.equal(ours, mended(theirs[at] ?? ''), JSON.stringify(one));
    }
  });

  test('over words that stand for something else', () => {
    const words = [
      ...['y', 'N', 'Yes', 'on', 'OFF', 't', 'F', 'true', 'tRue', 'null', 'Null', '~', '', 'inf', 'Infinity'],
      ...[
        'NaN',
        '.inf',
        '0x1F',
        '0xffffffffffffffff',
        '9223372036854775807',
        '9223372036854775808',
        '08',
        '0o17',
      ],
      ...[
        '0b102',
        '1e400',
        '1_000',
        '_1',
        '_',
        '0x1p4',
        '0x.8p1',
        '0xp1',
        '0x1p99999',
        '12:30',
        'a.b/c',
        'a/',
      ],
      ...['2024-02-29', '2023-02-29', '0000-01-01', 'key: value', 'constructor', '10', '9', 'in_f', 'y_'],
    ];
    const all = [
      ...words.map((word) => ({ [word]: word })),
      Object.fromEntries(words.map((word) => [word, 1])),
    ];
    assert.deepEqual(
      all.map((one) => `${formatKyaml(sortedKeys(one))}\n`),
      upstreams(all),
    );
  });
});

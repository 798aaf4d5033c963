import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeYaml } from './write-yaml.ts';

const lineOf = (value: Parameters<typeof writeYaml>[0]) => writeYaml([value]).trimEnd().slice('- '.length);

describe('YAML that is written', () => {
  it('has texts in quotes that a reader would take for something else', () => {
    const quoted = [
      '1',
      '0x1f',
      '1_000',
      '.5',
      '12:30',
      '2024-01-01',
      'yes',
      'N',
      '~',
      '',
      '18446744073709551615',
    ];
    for (const text of quoted) assert.equal(lineOf(text), JSON.stringify(text));
    for (const text of ['1e400', 'e1', '0o8', '1.2.3', 'a#b', ':a', '<<', '='])
      assert.equal(lineOf(text), text);
  });

  it('has numbers as Go writes them', () => {
    const numbers = [0, -1, 1.5, 1e6, 1_000_000.5, 0.1, 1e-5, 1e20, 1e21, 2 ** 53, 9007199254740993n];
    assert.deepEqual(numbers.map(lineOf), [
      ...['0', '-1', '1.5', '1000000', '1.0000005e+06', '0.1', '1e-05', '1e+20', '1e+21', '9007199254740992'],
      '9007199254740993',
    ]);
  });

  it('leaves out fields that are undefined, and keeps empty ones', () => {
    assert.equal(writeYaml({ b: {}, a: undefined, c: [], d: null }), 'b: {}\nc: []\nd: null\n');
  });
});

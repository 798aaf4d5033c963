import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonicalQuantity, parseQuantity, QuantityError } from './quantity.ts';

describe('quantities', () => {
  const canonical: [text: string, expected: string][] = [
    ['0', '0'],
    ['1000m', '1'],
    ['1.5Gi', '1536Mi'],
    ['0.5', '500m'],
    ['1024Ki', '1Mi'],
    ['1000Ki', '1000Ki'],
    ['512', '512'],
    ['12e6', '12e6'],
    ['1200e3', '1200e3'],
    ['0.1n', '1n'],
    ['-1.5', '-1500m'],
    ['100Gi', '100Gi'],
    ['1000000k', '1G'],
  ];
  for (const [text, expected] of canonical) {
    it(`writes ${text} as ${expected}`, () => assert.equal(canonicalQuantity(text), expected));
  }

  for (const text of ['', 'x', '1 Gi', '1Gb', '--1', '1e', '1e999999999', '9'.repeat(200), 'NaN']) {
    it(`refuses ${JSON.stringify(text.slice(0, 20))}`, () => {
      assert.throws(() => parseQuantity(text), QuantityError);
    });
  }

  it('takes a suffix without digits for nothing, but for those of large binary and small decimal powers', () => {
    for (const text of ['Ki', 'Ti', '.E', 'm']) assert.equal(parseQuantity(text).toString(), '0');
    for (const text of ['Pi', '+.Ei', 'e-10'])
      assert.throws(() => parseQuantity(text), { message: 'unable to parse numeric part of quantity' });
  });

  it('adds and compares exactly, across forms', () => {
    const sum = parseQuantity('100m').add(parseQuantity('0.9'));
    assert.equal(sum.toString(), '1');
    assert.equal(parseQuantity('1Gi').cmp(parseQuantity('1073741824')), 0);
    assert.equal(parseQuantity('1Gi').cmp(parseQuantity('1G')), 1);
    assert.equal(parseQuantity('1').sub(parseQuantity('1100m')).toString(), '-100m');
  });

  it('rounds away from zero where whole numbers are asked for', () => {
    assert.equal(parseQuantity('1100m').value(), 2n);
    assert.equal(parseQuantity('0.0001').milliValue(), 1n);
    assert.equal(parseQuantity('2Gi').toNumber(), 2147483648);
  });

  it('takes the form of the other when it is zero', () => {
    assert.equal(parseQuantity('0').add(parseQuantity('2Gi')).toString(), '2Gi');
  });
});

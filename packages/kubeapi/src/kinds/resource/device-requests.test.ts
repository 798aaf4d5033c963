import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadPatternEngine } from '../../cel/devices/device-selector.ts';
import type { DeviceClaim } from '../../generated/types.ts';
import { joinFieldErrors } from '../../status/field-error.ts';
import { validateClaim } from './device-requests.ts';

const many = <T>(length: number, each: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => each(index));
const request = (name: string, selectors: { cel: { expression: string } }[] = []) => ({
  name,
  exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1, selectors },
});
const violations = (devices: DeviceClaim) => joinFieldErrors(validateClaim({ devices }, 'spec'));

describe('what a claim asks for', () => {
  before(() => loadPatternEngine());

  it('is refused before anything is compiled where there is too much of it', () => {
    const selector = (at: number) => ({
      cel: { expression: `device.driver == "${at}" ${'|| true '.repeat(300)}` },
    });
    const began = performance.now();
    assert.equal(
      violations({ requests: many(20_000, (at) => request(`r${at}`, [selector(at)])) }),
      'spec.devices.requests: Too many: 20000: must have at most 32 items',
    );
    assert.match(
      violations({ requests: many(32, (at) => request(`r${at}`, many(32, selector))) }),
      /^spec\.devices\.requests: Forbidden: expressions have \d+ bytes together, where those of one claim may have 131072$/,
    );
    const tookMs = performance.now() - began;
    assert.ok(tookMs < 1_000, `${tookMs} ms`);
    assert.equal(violations({ requests: many(32, (at) => request(`r${at}`, [selector(at)])) }), '');
  });

  it('has no more than 32 constraints, each about one attribute with its domain, and about a request once', () => {
    const place = 'spec.devices.constraints';
    const of = (...constraints: object[]) =>
      violations({ requests: [request('r')], constraints: constraints as never });
    assert.equal(of({ requests: ['r'], matchAttribute: 'a.b/c_1' }, { distinctAttribute: 'a.b/c' }), '');
    assert.equal(
      of(...many(33, () => ({ matchAttribute: 'a.b/c' }))),
      `${place}: Too many: 33: must have at most 32 items`,
    );
    assert.match(of({}), /constraints\[0\]: Required value/);
    assert.match(of({ requests: ['r', 'r'], matchAttribute: 'a/b' }), /requests\[1\]: Duplicate value: "r"/);
    for (const name of ['c', '', '../c', 'a.b/', '/c', 'a.b/c-d', `a.b/${'x'.repeat(33)}`, 'A B/c'])
      assert.match(of({ matchAttribute: name }), /constraints\[0\]\.matchAttribute: /, name);
  });
});

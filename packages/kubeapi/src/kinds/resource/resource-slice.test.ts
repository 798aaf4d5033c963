import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Device, ResourceSlice } from '../../generated/types.ts';
import { joinFieldErrors } from '../../status/field-error.ts';
import { resourceSlice } from './resource-slice.ts';

const slice = (...devices: Device[]): ResourceSlice => ({
  metadata: { name: 's' },
  spec: {
    driver: 'gpu.example.com',
    nodeName: 'node',
    pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
    devices,
  },
});
const violations = (...devices: Device[]) =>
  joinFieldErrors(resourceSlice.validate!(slice(...devices) as never));

// conformance/kubeapi-kinds.test.ts holds these rules to upstream's own.
describe('what a driver says of its devices', () => {
  it('has one value for each attribute, and a policy for shares of what is shared', () => {
    assert.equal(
      violations({ name: 'a', attributes: { slot: { int: 1 } }, capacity: { memory: { value: '1' } } }),
      '',
    );
    assert.equal(
      violations({ name: 'a', attributes: { slot: { int: 1, bool: true } } }),
      'spec.devices[0].attributes[slot]: Invalid value: "": exactly one value must be specified',
    );
    assert.match(
      violations({ name: 'a', capacity: { memory: { value: '1', requestPolicy: { default: '1' } } } }),
      /^spec\.devices\[0\]\.capacity\[memory\]\.requestPolicy: Forbidden: allowMultipleAllocations must be true$/,
    );
  });

  it('has no steps of nothing, by which upstream divides', () => {
    const requestPolicy = { default: '1', validRange: { min: '1', step: '0' } };
    assert.equal(
      violations({
        name: 'a',
        allowMultipleAllocations: true,
        capacity: { memory: { value: '4', requestPolicy } },
      }),
      'spec.devices[0].capacity[memory].requestPolicy.validRange.step: Invalid value: "0": must not be zero',
    );
  });

  it('takes no long time, whatever its versions and conditions are', () => {
    const began = performance.now();
    const version = `1.2.3-${'1'.repeat(1_000_000)}!`;
    assert.match(violations({ name: 'a', attributes: { v: { version } } }), /semver\.org/);
    assert.match(
      violations({ name: 'a', attributes: { v: { version: `1.2.3-${'1'.repeat(1_000)}!` } } }),
      /semver/,
    );
    const names = (letter: string) => Array.from({ length: 100_000 }, (_, at) => `${letter}${at}`);
    const conditions = { bindingConditions: names('a'), bindingFailureConditions: names('b') };
    assert.match(violations({ name: 'a', ...conditions }), /Too many: 100000: must have at most 4 items/);
    const tookMs = performance.now() - began;
    assert.ok(tookMs < 1_000, `${tookMs} ms`);
  });
});

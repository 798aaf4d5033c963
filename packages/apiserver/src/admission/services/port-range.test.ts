import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PortBits } from './port-range.ts';

test('node ports stand in the store as the bytes of one number, the highest first', () => {
  // The bits 0 and 9: 0x0201.
  assert.equal(PortBits.of([30_000, 30_009]).toString(), 'AgE=');
  const last = PortBits.of([32_767]).toString();
  assert.equal(last, Buffer.from([0x80, ...new Uint8Array(345)]).toString('base64'));
  assert.deepEqual([...PortBits.read('AgE=')], [30_000, 30_009]);
  assert.deepEqual([...PortBits.read('')], []);
  assert.equal(PortBits.of([]).toString(), '');
});

test('ports of a set are added and taken away; what is outside of the range is in none', () => {
  const ports = PortBits.of([30_000, 31_000, 80]).with([32_767]).without([31_000, 31_001]);
  assert.deepEqual([...ports], [30_000, 32_767]);
  assert.ok(ports.has(32_767) && !ports.has(31_000) && !ports.has(80));
  assert.ok(ports.equals(PortBits.read(ports.toString())));
});

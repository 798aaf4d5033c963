import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultNodePorts, PortBits, PortRange } from './port-range.ts';

const range = PortRange.parse(defaultNodePorts);

test('node ports stand in the store as the bytes of one number, the highest first', () => {
  // The bits 0 and 9: 0x0201.
  assert.equal(PortBits.of(range, [30_000, 30_009]).toString(), 'AgE=');
  const last = PortBits.of(range, [32_767]).toString();
  assert.equal(last, Buffer.from([0x80, ...new Uint8Array(345)]).toString('base64'));
  assert.deepEqual([...PortBits.read(range, 'AgE=')], [30_000, 30_009]);
  assert.deepEqual([...PortBits.read(range, '')], []);
  assert.equal(PortBits.of(range, []).toString(), '');
});

test('ports of a set are added and taken away; what is outside of the range is in none', () => {
  const ports = PortBits.of(range, [30_000, 31_000, 80]).with([32_767]).without([31_000, 31_001]);
  assert.deepEqual([...ports], [30_000, 32_767]);
  assert.ok(ports.has(32_767) && !ports.has(31_000) && !ports.has(80));
  assert.ok(ports.equals(PortBits.read(range, ports.toString())));
});

test('a range of node ports is two of them, one and how many more, or one', () => {
  for (const [text, shown, firstOpen] of [
    ['30000-32767', '30000-32767', 30_086],
    ['80-90', '80-90', 80],
    [' 20000+99 ', '20000-20099', 20_016],
    ['443', '443-443', 443],
    ['1-65535', '1-65535', 129],
  ] as const) {
    const { firstOpen: open } = PortRange.parse(text);
    assert.deepEqual([String(PortRange.parse(text)), open], [shown, firstOpen]);
  }
  for (const text of ['', '0-10', '10-9', '1-65536', '65535+1', '1-2-3', '1+2-3', '-5', 'a-b', '1.5'])
    assert.throws(() => PortRange.parse(text), {
      name: 'SettingsError',
      message: /--service-node-port-range/,
    });
});

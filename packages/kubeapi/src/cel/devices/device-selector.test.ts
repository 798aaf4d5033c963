import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeviceSelector, loadPatternEngine } from './device-selector.ts';

test('a domain of which a device says nothing is empty, and not in its attributes', async () => {
  await loadPatternEngine();
  const device = { driver: 'gpu.example.com', attributes: { 'other.example.com/size': { int: 3 } } };
  const matches = (text: string) => new DeviceSelector(text).matches(device);
  assert.ok(matches('"other.example.com" in device.attributes'));
  assert.ok(!matches('"unknown.example.com" in device.attributes'));
  assert.ok(!matches('"size" in device.attributes["unknown.example.com"]'));
  assert.ok(matches('device.attributes["other.example.com"].size == 3'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { deviceGraceMs } from '../../limits.ts';
import { DeviceInventory } from './device-inventory.ts';
import { DevicePlugIn } from './device-plug-in.ts';

const resource = 'example.com/gpu';
const options = { preStartRequired: false, getPreferredAllocationAvailable: false };
const device = (id: string, health = 'Healthy') => ({ id, health });
const plugIn = () => new DevicePlugIn(resource, '/nowhere/plug-in.sock');

test('a resource whose plug-in has been gone for five minutes is no more, and is told as none', () => {
  const clock = new FakeClock();
  const inventory = new DeviceInventory(clock);
  const only = plugIn();
  inventory.connect(only, options);
  assert.deepEqual(inventory.capacity, { capacity: {}, allocatable: {} });
  assert.deepEqual(inventory.told(only, [device('a'), device('b', 'Unhealthy')]), ['a', 'b']);
  assert.deepEqual(inventory.capacity, { capacity: { [resource]: '2' }, allocatable: { [resource]: '1' } });
  inventory.disconnect(only);
  clock.advance(deviceGraceMs);
  assert.equal(inventory.expire(), false);
  assert.deepEqual(inventory.capacity, { capacity: { [resource]: '2' }, allocatable: { [resource]: '0' } });
  clock.advance(1);
  assert.equal(inventory.expire(), true);
  assert.deepEqual(inventory.capacity, { capacity: { [resource]: '0' }, allocatable: { [resource]: '0' } });
  assert.equal(inventory.has(resource), false);
});

test('a plug-in that another has replaced neither tells of devices nor takes them along', () => {
  const inventory = new DeviceInventory(new FakeClock());
  const [first, second] = [plugIn(), plugIn()];
  inventory.connect(first, options);
  inventory.told(first, [device('a')]);
  assert.equal(inventory.connect(second, options), first);
  assert.deepEqual(inventory.healthy(resource), ['a']);
  assert.equal(inventory.disconnect(first), false);
  assert.deepEqual(inventory.told(first, [device('b')]), []);
  assert.deepEqual(inventory.healthy(resource), ['a']);
});

test('what an earlier kubelet knew is there, without devices, until its plug-in is', () => {
  const inventory = new DeviceInventory(new FakeClock());
  inventory.adopt([resource]);
  assert.ok(inventory.has(resource));
  assert.deepEqual(inventory.capacity, { capacity: { [resource]: '0' }, allocatable: { [resource]: '0' } });
});

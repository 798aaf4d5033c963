import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeConfiguration } from '../configuration/decode-configuration.ts';
import { nodeAllocatable } from './node-capacity.ts';

test('what pods may take of the disk is told in the largest unit that leaves no rest, as Go writes quantities', () => {
  const configuration = (more: object) =>
    decodeConfiguration({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      evictionHard: { 'memory.available': '100Mi' },
      ...more,
    }).configuration;
  const capacity = { cpu: '2', memory: '1024Ki', 'ephemeral-storage': '1025Ki' };
  const left = (more: object) => nodeAllocatable(capacity, configuration(more))['ephemeral-storage'];
  assert.equal(left({}), '1025Ki');
  assert.equal(left({ systemReserved: { 'ephemeral-storage': '1Ki' } }), '1Mi');
  assert.equal(left({ systemReserved: { 'ephemeral-storage': '1' } }), String(1025 * 1024 - 1));
});

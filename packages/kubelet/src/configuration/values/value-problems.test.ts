import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeConfiguration } from '../decode-configuration.ts';

const taken: object[] = [
  { allowedUnsafeSysctls: ['kernel.msg*', 'kernel/sem', 'net.ipv4.conf.eth0/100.*', 'net.*'] },
  { podLogsDir: '/var/log/pods' },
  { registerWithTaints: [{ key: 'example.com/one', value: '', effect: 'NoSchedule' }] },
  { enableSystemLogHandler: true, enableSystemLogQuery: true },
  { crashLoopBackOff: { maxContainerRestartPeriod: '300s' } },
];
for (const fields of taken)
  test(`${JSON.stringify(fields)} is taken`, () => void decodeConfiguration(fields));

const refused: [fields: object, complaint: RegExp][] = [
  ...['kernel.msg* ', ' kernel.msg*', 'net.-', 'net.*.foo', 'net.*/foo', `net.${'a'.repeat(250)}`].map(
    (sysctl): [object, RegExp] => [{ allowedUnsafeSysctls: [sysctl] }, /at most 253 characters and match/],
  ),
  [{ allowedUnsafeSysctls: ['foo*'] }, /not known to be namespaced/],
  [{ podLogsDir: './pods' }, /podLogsDir: .* absolute/],
  [{ podLogsDir: '/var/../pods' }, /podLogsDir: .* without/],
  [{ podLogsDir: '/var/pods/' }, /podLogsDir: .* without/],
  [{ registerWithTaints: [{ key: 'k', timeAdded: '2026-01-01T00:00:00Z' }] }, /\[0\]\.timeAdded/],
  [{ registerWithTaints: [{ value: 'v' }] }, /\[0\]\.key/],
  [{ registerWithTaints: [{ key: 'k', value: 'a b', effect: 'Never' }] }, /\[0\]\.value.*\n.*\[0\]\.effect/],
  [{ enableSystemLogHandler: false, enableSystemLogQuery: true }, /needs enableSystemLogHandler/],
  [{ crashLoopBackOff: { maxContainerRestartPeriod: '300900ms' } }, /must be from 1s to 300s/],
  [{ crashLoopBackOff: { maxContainerRestartPeriod: '999ms' } }, /must be from 1s to 300s/],
];
for (const [fields, complaint] of refused)
  test(`${JSON.stringify(fields).slice(0, 90)} is refused`, () =>
    assert.throws(() => decodeConfiguration(fields), complaint));

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { warnOfMachine } from './node-warnings.ts';

type Machine = Parameters<typeof warnOfMachine>[0];

function warnings(cgroupVersion: 'v1' | 'v2', resolvConf: string, clusterDomain = 'cluster.local'): string[] {
  const told: string[] = [];
  const machine = { nodeName: 'n', traits: { cgroupVersion }, configuration: { resolvConf, clusterDomain } };
  warnOfMachine(machine as Machine, {
    record: ({ object, reason, message }) => void told.push(`${object.kind} ${reason}: ${message}`),
  });
  return told;
}

test('a kubelet tells at its start of control groups of version 1, and of a resolv.conf that pods can not take over', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubelet-resolv-'));
  const path = join(folder, 'resolv.conf');
  try {
    const written = (...domains: string[]) => {
      writeFileSync(path, `nameserver 192.0.2.53\nsearch ${domains.join(' ')}\n`);
      return path;
    };
    const many = (count: number, length: number) =>
      Array.from({ length: count }, (_, at) => `${at}`.padEnd(length, 'x'));
    assert.deepEqual(warnings('v2', ''), []);
    assert.deepEqual(warnings('v2', written(...many(29, 60))), []);
    assert.match(warnings('v1', '')[0] ?? '', /^Node CgroupV1: cgroup v1 detected\. /);
    const why = 'Node CheckLimitsForResolvConf: Resolv.conf file';
    assert.deepEqual(warnings('v2', written(...many(30, 4))), [
      `${why} '${path}' contains search line consisting of more than 29 domains!`,
    ]);
    assert.deepEqual(warnings('v2', written(...many(30, 4)), ''), []);
    assert.deepEqual(warnings('v2', written('x'.repeat(254))), [
      `${why} "${path}" contains a search path which length is more than allowed 253 chars!`,
    ]);
    assert.deepEqual(warnings('v2', written(...many(20, 110))), [
      `${why} '${path}' contains search line which length is more than allowed 2048 chars!`,
    ]);
    assert.match(
      warnings('v2', join(folder, 'none'))[0] ?? '',
      /^Node CheckLimitsForResolvConf: .*no such file/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

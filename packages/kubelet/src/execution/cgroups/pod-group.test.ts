import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CgroupLayout } from '@wherry/linux';
import { container, pod } from '../../../test/builders.ts';
import { PodGroup } from './pod-group.ts';

/** Folders stand in for the kernel's: what matters is which file says what. */
const layouts = {
  v2: [
    { 'cpu.max': 'max 100000', 'cpu.weight': '1', 'memory.max': 'max', 'memory.current': '4096' },
    { 'cpu.max': '50000 100000', 'cpu.weight': '20', 'memory.max': '1073741824' },
  ],
  v1: [
    {
      ...{ 'cpu.cfs_quota_us': '-1', 'cpu.shares': '2' },
      ...{ 'memory.limit_in_bytes': '9223372036854771712', 'memory.usage_in_bytes': '4096' },
    },
    { 'cpu.cfs_quota_us': '50000', 'cpu.shares': '512', 'memory.limit_in_bytes': '1073741824' },
  ],
} as const;

for (const version of ['v1', 'v2'] as const) {
  test(`what a pod's cgroup is held to is read and changed on ${version}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wherry-group-'));
    try {
      const [before, after] = layouts[version];
      for (const [file, text] of Object.entries(before)) await writeFile(join(folder, file), `${text}\n`);
      const isUnified = version === 'v2';
      const controllers = new Map(isUnified ? [] : [['cpu', folder] as const, ['memory', folder] as const]);
      const folders = { controllers, unified: isUnified ? folder : null };
      const options = { cpuQuotaEnabled: true, cpuPeriodMs: 100, hasOwnCpus: () => false };
      const group = new PodGroup(folders, { version } as CgroupLayout, options);
      const { cpuQuotaUs, memoryBytes } = group.read();
      assert.deepEqual([cpuQuotaUs, memoryBytes], [Infinity, Infinity]);
      assert.equal(group.memoryUsageBytes(), 4096);
      const resources = {
        requests: { cpu: '500m', memory: '1Gi' },
        limits: { cpu: '500m', memory: '1Gi' },
      };
      await group.write(group.wanted(pod({ containers: [container('a', { resources })] })));
      for (const [file, text] of Object.entries(after))
        assert.equal(await readFile(join(folder, file), 'utf8'), text, file);
      const unlimited = group.wanted(pod({ containers: [container('a')] }));
      assert.deepEqual([unlimited.cpuQuotaUs, unlimited.memoryBytes], [undefined, undefined]);
      const pinned = new PodGroup(folders, { version } as CgroupLayout, {
        ...options,
        hasOwnCpus: () => true,
      });
      assert.equal(pinned.wanted(pod({ containers: [container('a', { resources })] })).cpuQuotaUs, Infinity);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

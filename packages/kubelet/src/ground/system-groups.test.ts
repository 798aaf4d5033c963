import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { detectCgroups, foldersAt, removeGroup } from '@wherry/linux';
import { silentLogger } from '@wherry/telemetry';
import { enterSystemGroups } from './system-groups.ts';

test('a process that is the kubelet’s alone moves to the group of kubeletCgroups', () => {
  const path = `/wherry-kubelet-${process.pid}`;
  const script = `
    import { enterSystemGroups } from ${JSON.stringify(import.meta.resolve('./system-groups.ts'))};
    import { silentLogger } from '@wherry/telemetry';
    import { readFileSync } from 'node:fs';
    const groups = enterSystemGroups({ kubeletCgroups: '${path}', systemCgroups: '' }, { ownsProcess: true }, silentLogger);
    console.log(JSON.stringify({ groups, own: readFileSync('/proc/self/cgroup', 'utf8') }));`;
  try {
    const words = ['--input-type=module', '--eval', script];
    const { stdout, stderr } = spawnSync(process.execPath, words, {
      encoding: 'utf8',
      cwd: import.meta.dirname,
    });
    const { groups, own } = JSON.parse(stdout || `{"own":${JSON.stringify(stderr)}}`);
    assert.deepEqual(groups, { kubelet: path, runtime: '', misc: '' }, own);
    assert.match(own, new RegExp(`memory:${path}\n|^0::${path}\n`, 'm'));
  } finally {
    removeGroup(foldersAt(detectCgroups(), path));
  }
});

test('a kubelet that shares its process stays where it is', () => {
  const configured = { kubeletCgroups: '/kubelet', systemCgroups: '/system' };
  assert.deepEqual(enterSystemGroups(configured, { runtimeCgroups: '/cri' }, silentLogger), {
    kubelet: '',
    runtime: '/cri',
    misc: '/system',
  });
});

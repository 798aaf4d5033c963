import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { createGroup, detectCgroups, foldersAt, removeGroup } from '@wherry/linux';
import type { NodeFigures } from '../node-figures.ts';
import { SystemContainers } from './system-containers.ts';

test('the processes that are gathered in the group of systemCgroups are told of as misc', () => {
  const layout = detectCgroups();
  const misc = `/wherry-misc-${process.pid}`;
  createGroup(foldersAt(layout, misc));
  try {
    const groups = { kubelet: '', runtime: '', misc, pods: '' };
    const containers = new SystemContainers({ clock: new FakeClock(), layout, groups });
    const figures = { atMs: 0, memory: { totalBytes: 1 } } as NodeFigures;
    const names = containers.read(figures).map((part) => (part as { name: string }).name);
    assert.deepEqual(names, ['kubelet', 'misc']);
  } finally {
    removeGroup(foldersAt(layout, misc));
  }
});

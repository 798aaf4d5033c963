import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupPathOf, isSlice, isSystemdPath, sliceFolder, sliceName } from './slice-names.ts';

test('a slice lies in those that its name begins with', () => {
  const name = sliceName(['kubepods', 'burstable', 'pod1-2-3']);
  assert.equal(name, 'kubepods-burstable-pod1_2_3.slice');
  assert.equal(
    sliceFolder(name),
    '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1_2_3.slice',
  );
  assert.equal(sliceFolder('one.slice'), '/one.slice');
  assert.ok(isSlice('/a.slice/a-b.slice'));
  for (const other of ['', '/', '.slice', '/a/.slice', '/kubepods']) assert.ok(!isSlice(other), other);
});

test('systemd’s form of a cgroup path is told from a folder', () => {
  assert.equal(groupPathOf('a-b.slice:wherry:c1'), '/a.slice/a-b.slice/wherry-c1.scope');
  for (const path of ['/pods/with:two:colons', '/a.slice/c1', 'a.slice:x', 'a.slice:x:../y']) {
    assert.ok(!isSystemdPath(path), path);
    assert.equal(groupPathOf(path), path);
  }
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runWithFixedGroups, runWithoutRights } from '../../linux/test/without-rights.ts';

const entry = join(import.meta.dirname, '../bin/wherry.cjs');
const dataDir = '/tmp/wherry-without-rights';
const up = [process.execPath, entry, 'up', '--detach', '--data-dir', dataDir];

test('a node is refused to root without root’s rights, as in a container as it comes, with what to do', () => {
  const { status, stderr } = runWithoutRights(up);
  assert.match(stderr, /^error: a node needs CAP_SYS_ADMIN and CAP_NET_ADMIN, .* --privileged$/m);
  assert.equal(status, 1);
  assert.equal(existsSync(dataDir), false);
});

test('a node is refused where control groups are mounted read-only, with what to do', () => {
  const { status, stderr } = runWithFixedGroups(up);
  assert.match(
    stderr,
    /^error: a node makes control groups, and \/\S+ is mounted read-only; .* --privileged$/m,
  );
  assert.equal(status, 1);
});

test('the doctor looks at a machine that gives it no rights, too', () => {
  const { status, stdout, stderr } = runWithoutRights([process.execPath, entry, 'doctor', '-o', 'json']);
  assert.equal(status, 0, stderr);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; available: boolean }[] };
  const missing = checks.filter(({ available }) => !available).map(({ name }) => name);
  for (const name of ['overlayfs', 'CAP_SYS_ADMIN', 'CAP_NET_ADMIN']) assert.ok(missing.includes(name), name);
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { decodeMessage, type LinuxContainerSecurityContext, SupplementalGroupsPolicy } from '@wherry/cri';
import { resolveUser } from './user.ts';

let root: string;

before(() => {
  root = mkdtempSync(join(tmpdir(), 'wherry-user-'));
  mkdirSync(join(root, 'etc'));
  writeFileSync(
    join(root, 'etc/passwd'),
    'root:x:0:0:root:/root:/bin/sh\nweb:x:33:34::/var/www:/bin/sh\nbroken\n',
  );
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nweb:x:34:\nstaff:x:50:web,other\nextra:x:60:web\n');
});

after(() => rmSync(root, { recursive: true, force: true }));

const empty = decodeMessage(
  'LinuxContainerSecurityContext',
  new Uint8Array(0),
) as unknown as LinuxContainerSecurityContext;
const context = (change: Partial<LinuxContainerSecurityContext>) => ({ ...empty, ...change });

test('nobody asked for means root', () => {
  assert.deepEqual(resolveUser(root, undefined, ''), { uid: 0, gid: 0, groups: [0] });
});

test("the image's user name is looked up with its groups", () => {
  assert.deepEqual(resolveUser(root, undefined, 'web'), { uid: 33, gid: 34, groups: [34, 50, 60] });
});

test('a group after the colon replaces the primary one', () => {
  assert.deepEqual(resolveUser(root, undefined, 'web:staff'), { uid: 33, gid: 50, groups: [50, 60] });
});

test('a number without an entry is fine and has group 0', () => {
  assert.deepEqual(resolveUser(root, context({ runAsUser: { value: 1234 } }), 'web'), {
    uid: 1234,
    gid: 0,
    groups: [0],
  });
});

test('groups are told in order, and strict supplemental ones leave the image out', () => {
  const strict = context({
    supplementalGroups: [7],
    supplementalGroupsPolicy: SupplementalGroupsPolicy.Strict,
  });
  assert.deepEqual(resolveUser(root, strict, 'web').groups, [7, 34]);
  assert.deepEqual(resolveUser(root, context({ supplementalGroups: [7] }), 'web').groups, [7, 34, 50, 60]);
});

for (const [what, run] of [
  ['an unknown user name', () => resolveUser(root, context({ runAsUsername: 'nobody-here' }), '')],
  ['an unknown group name', () => resolveUser(root, undefined, 'web:nogroup')],
  ['a group without a user', () => resolveUser(root, context({ runAsGroup: { value: 5 } }), '')],
  ['an id beyond 31 bits', () => resolveUser(root, context({ runAsUser: { value: 2 ** 31 } }), '')],
] as const) {
  test(`${what} is refused`, () => {
    assert.throws(run, { code: 'INVALID_ARGUMENT' });
  });
}

test("passwd as a link out of the root reads the image's file, not the machine's", () => {
  const linked = mkdtempSync(join(tmpdir(), 'wherry-user-'));
  try {
    mkdirSync(join(linked, 'etc'));
    symlinkSync('/../../../../../../etc/shadow-of-image', join(linked, 'etc/passwd'));
    writeFileSync(join(linked, 'etc/shadow-of-image'), 'inside:x:77:78::/:/bin/sh\n');
    assert.equal(resolveUser(linked, undefined, 'inside').uid, 77);
  } finally {
    rmSync(linked, { recursive: true, force: true });
  }
});

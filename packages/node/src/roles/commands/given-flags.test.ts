import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '../../layout/layout.ts';
import { layoutOf } from '../../layout/layout.ts';
import { roleArguments } from '../../processes/role-arguments.ts';
import { newRecord } from '../../start/new-record.ts';
import { type FlaggedRole, givenFlagsProblem, isPathFlag, readGivenFlags } from './given-flags.ts';

test('flags are taken as the command line takes them, and none is made up', () => {
  const given = {
    'event-ttl': ['10m'],
    'authorization-mode': ['Node', 'RBAC'],
    'anonymous-auth': ['false'],
  };
  assert.equal(givenFlagsProblem('apiserver', given), undefined);
  assert.deepEqual(readGivenFlags('apiserver', given), {
    ...{ eventTtl: 600_000, authorizationMode: ['Node', 'RBAC'], anonymousAuth: false },
  });
  assert.equal(givenFlagsProblem('controllers', { 'node-monitor-grace-period': ['20s'] }), undefined);
});

test('a flag that is unknown, wrong, absent with a reason or not whole is told by name', () => {
  for (const [role, name, value, says] of [
    ['apiserver', 'colour', 'red', /unknown option '--colour'/],
    ['apiserver', 'event-ttl', 'soon', /'--event-ttl <duration>' argument 'soon' is invalid/],
    [
      'apiserver',
      'storage-media-type',
      'x',
      /^--storage-media-type is not taken: objects are stored as JSON/,
    ],
    ['apiserver', 'storage-backend', 'etcd3', /^--storage-backend can't be set: a node keeps its objects/],
    ['apiserver', '', 'x', /unknown option '--'/],
    ['apiserver', '__proto__', 'x', /unknown option '--__proto__'/],
    ['controllers', 'event-ttl', '1m', /unknown option '--event-ttl'/],
  ] as const) {
    assert.match(givenFlagsProblem(role, JSON.parse(`{"${name}": ["${value}"]}`)) ?? '', says);
  }
});

test('what a node gives its processes itself is nobody else’s to set', () => {
  const layout = layoutOf('/tmp/wherry-given-flags');
  const record = newRecord(layout, { name: 'one' }, { apiPort: 1, kubeletPort: 2 });
  for (const role of ['apiserver', 'controllers'] satisfies (Role & FlaggedRole)[]) {
    const [, ...words] = roleArguments(role, layout, record);
    for (const name of words.map((word) => word.slice(2).split('=', 1)[0] ?? '')) {
      // Of controllers a port is what others may set: a node has none by itself.
      if (`${role} ${name}` === 'controllers secure-port') continue;
      assert.match(givenFlagsProblem(role, { [name]: ['x'] }) ?? '', /can't be set/, name);
    }
  }
});

test('files and folders are told from other values', () => {
  assert.ok(isPathFlag('apiserver', 'encryption-provider-config'));
  assert.ok(isPathFlag('apiserver', 'audit-policy-file'));
  assert.ok(!isPathFlag('apiserver', 'event-ttl'));
});

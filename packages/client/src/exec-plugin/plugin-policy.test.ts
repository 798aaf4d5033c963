import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkPluginPolicy, permittedCommand } from './plugin-policy.ts';

test('a plugin runs where the policy has it, by its name on the PATH or its path', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-policy-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const login = join(folder, 'login');
  writeFileSync(login, '', { mode: 0o755 });
  const environment = { PATH: `/nowhere:${folder}` };
  const permitted = (command: string, policy: string, ...allowlist: string[]) =>
    permittedCommand(command, { policy, allowlist }, environment);
  assert.equal(permitted('login', ''), login);
  assert.equal(permitted('login', 'AllowAll'), login);
  assert.equal(permitted('absent', 'AllowAll'), 'absent', 'which is told when it is run');
  assert.equal(permitted('login', 'Allowlist', 'login'), login);
  assert.equal(permitted('login', 'Allowlist', 'other', login), login, 'what was looked at is what runs');
  assert.equal(permitted(login, 'Allowlist', 'login'), login);
  for (const [command, policy, entry, says] of [
    ['login', 'DenyAll', '', /^plugin "login" not allowed: policy set to "DenyAll"$/],
    ['login', 'Allowlist', 'other', /login" is not permitted by the credential plugin allowlist$/],
    ['login', 'Allowlist', '/elsewhere/login', /is not permitted by/],
    [
      'absent',
      'Allowlist',
      'login',
      /plugin path "absent" cannot be resolved .* executable file not found in \$PATH$/,
    ],
    ['login', 'Some', '', /^unknown plugin policy: "Some"$/],
  ] as const)
    assert.throws(() => permitted(command, policy, entry), { message: says });
});

test('a policy that makes no sense is told of in client-go’s words', () => {
  for (const [policy, allowlist, says] of [
    ['DenyAll', ['a'], /plugin policy is "DenyAll" but allowlist is non-nil$/],
    ['Allowlist', undefined, /but allowlist is unspecified$/],
    ['Allowlist', [], /allowlist is empty; use "DenyAll" policy instead$/],
    ['Allowlist', ['a', ''], /empty allowlist entry #2$/],
    ['Allowlist', ['/a//b'], /^non-normalized file path: "\/a\/\/b" vs "\/a\/b"$/],
    ['Allowlist', ['a/'], /"a\/" vs "a"$/],
  ] as const)
    assert.match(checkPluginPolicy({ policy, allowlist }) ?? '', says);
  assert.equal(checkPluginPolicy({ policy: 'Allowlist', allowlist: ['/', '/a/b', 'c'] }), undefined);
});

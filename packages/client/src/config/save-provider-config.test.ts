import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { saveProviderConfig } from './save-provider-config.ts';

const kubeconfig = `users:
# who asks
- name: mia
  user: {auth-provider: {name: oidc, config: {id-token: old, idp-issuer-url: https://idp.example}}}
`;

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-provider-'));
  const kept = join(folder, 'kept');
  mkdirSync(kept);
  writeFileSync(join(kept, 'config'), kubeconfig, { mode: 0o600 });
  file = join(folder, 'config');
  symlinkSync(join(kept, 'config'), file);
});
afterEach(() => rmSync(folder, { recursive: true }));

const save = (userName = 'mia') =>
  saveProviderConfig({ file, userName, changes: { 'id-token': 'new', 'refresh-token': 'next' } });

test('new tokens are written into a kubeconfig that is a link, and all else of it stays', () => {
  save();
  const text = readFileSync(file, 'utf8');
  assert.match(text, /# who asks/);
  assert.match(text, /id-token: new, idp-issuer-url: https:\/\/idp\.example, refresh-token: next/);
  assert.ok(lstatSync(file).isSymbolicLink());
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder).sort(), ['config', 'kept']);
  assert.deepEqual(readdirSync(join(folder, 'kept')), ['config']);
});

test('a kubeconfig stays as it is while kubectl holds its lock, which is beside the link', () => {
  writeFileSync(`${file}.lock`, '');
  assert.throws(() => save(), /could not persist new tokens: /);
  assert.equal(readFileSync(file, 'utf8'), kubeconfig);
  assert.ok(existsSync(`${file}.lock`));
});

test('a user who is gone from a kubeconfig leaves neither lock nor change', () => {
  assert.throws(() => save('nobody'), /user "nobody" is gone/);
  assert.equal(readFileSync(file, 'utf8'), kubeconfig);
  assert.deepEqual(readdirSync(folder).sort(), ['config', 'kept']);
});

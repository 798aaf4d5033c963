import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { FakeClock, systemClock } from '@wherry/clock';
import { dockerCredentials } from './docker-config.ts';

let folder: string;
let count = 0;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-docker-'));
  mkdirSync(join(folder, 'bin'));
  helper('told', 'read host; echo "{\\"Username\\":\\"of $host\\",\\"Secret\\":\\"s\\"}"');
  helper('token', 'echo \'{"Username":"<token>","Secret":"refresh"}\'');
  helper('empty', 'echo "credentials not found in native keychain"; exit 1');
  helper('broken', 'echo "the keychain is locked"; exit 2');
  helper('endless', 'exec yes');
  helper('silent', 'exec sleep 100');
});

after(() => rmSync(folder, { recursive: true, force: true }));

function helper(name: string, script: string): void {
  const path = join(folder, 'bin', `docker-credential-${name}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

function ask(domain: string, config: object | string, clock = systemClock) {
  const at = join(folder, `config${++count}`);
  mkdirSync(at);
  writeFileSync(join(at, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config));
  const environment = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` };
  return dockerCredentials(domain, { folder: at, clock, environment });
}

test("docker's auths are found by host, by URL, and by the name of docker's own registry", async () => {
  const auth = Buffer.from('me:secret').toString('base64');
  const auths = { 'https://index.docker.io/v1/': { auth }, 'http://example.test:5000/v2/': { auth: 'b' } };
  assert.equal((await ask('docker.io', { auths }))?.auth, auth);
  assert.equal((await ask('example.test:5000', { auths }))?.auth, 'b');
  assert.equal(await ask('example.test', { auths }), undefined);
  assert.equal(await dockerCredentials('docker.io', { folder: '/nowhere', clock: systemClock }), undefined);
});

test("a registry's helper is asked before the store of all, and that before the file", async () => {
  const config = {
    credHelpers: { 'a.test': 'token' },
    credsStore: 'told',
    auths: { 'b.test': { username: 'file' } },
  };
  assert.equal((await ask('a.test', config))?.identityToken, 'refresh');
  assert.deepEqual(await ask('b.test', config), {
    username: 'of b.test',
    password: 's',
    auth: '',
    serverAddress: 'b.test',
    identityToken: '',
    registryToken: '',
  });
  assert.equal((await ask('b.test', { ...config, credsStore: 'empty' }))?.username, 'file');
});

test('a helper that fails, prints without end, or has no name for one is told, and no secret with it', async () => {
  const by = (credsStore: string) => ask('a.test', { credsStore });
  await assert.rejects(by('broken'), {
    code: 'UNAUTHENTICATED',
    message: /docker-credential-broken fails with code 2: the keychain is locked/,
  });
  await assert.rejects(by('endless'), /prints more than/);
  await assert.rejects(by('absent'), /docker-credential-absent cannot be asked/);
  await assert.rejects(by('../../bin/sh'), { code: 'INVALID_ARGUMENT' });
  await assert.rejects(ask('a.test', '{"auths"'), {
    code: 'INVALID_ARGUMENT',
    message: /config\.json" cannot be read/,
  });
});

test('a helper that does not answer is ended', async () => {
  const clock = new FakeClock();
  const asked = ask('a.test', { credsStore: 'silent' }, clock);
  const refused = assert.rejects(asked, /docker-credential-silent cannot be asked/);
  while (clock.pendingTimers === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advanceAsync(60_000);
  await refused;
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { prepareServer } from '../test/prepare-server.ts';
import { startApiserver } from './apiserver.ts';
import type { ApiserverOptions } from './options.ts';

it('leaves nothing running where it can not listen', async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-apiserver-'));
  test.after(() => rmSync(folder, { recursive: true }));
  const other = createServer().listen(0, '127.0.0.1');
  test.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const clock = new FakeClock();
  const { options } = await prepareServer(folder);
  const start = startApiserver({ ...options, securePort: port, clock, logger: silentLogger });
  await assert.rejects(start, { code: 'EADDRINUSE' });
  assert.equal(clock.pendingTimers, 0);
});

it('names the setting or the file that can not be so', async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-apiserver-'));
  test.after(() => rmSync(folder, { recursive: true }));
  const { options } = await prepareServer(folder);
  const odd = join(folder, 'odd');
  writeFileSync(odd, '[');
  const proxies = { requestheaderUsernameHeaders: ['X-Remote-User'] };
  const cases: [options: Partial<ApiserverOptions>, said: string][] = [
    [{ enableAdmissionPlugins: ['Foo'] }, 'enable-admission-plugins plugin "Foo" is unknown'],
    [{ runtimeConfig: { x: true } }, '--runtime-config: "x" is nothing that is served here'],
    [{ serviceClusterIpRange: 'x' }, 'service range "x": want a network such as'],
    [{ serviceNodePortRange: '5-1' }, '--service-node-port-range: "5-1" is no range of ports'],
    [{ serviceAccountIssuer: '' }, 'service-account-issuer should not be an empty string'],
    [{ authorizationMode: ['Webhook'] }, '--authorization-mode=Webhook needs '],
    [{ admissionControlConfigFile: odd }, `"${odd}": it is no YAML`],
    [{ auditPolicyFile: odd, auditLogPath: '-' }, `the audit policy ${odd}: yaml: line 1`],
    [{ encryptionProviderConfig: odd }, `the encryption configuration ${odd}: it is no YAML`],
    [{ authenticationConfig: odd }, `the authentication configuration ${odd}: it is no YAML`],
    [{ authorizationConfig: odd }, `the authorization configuration ${odd}: it is no YAML`],
    [{ tokenAuthFile: odd }, `token file "${odd}" line 1: want token,user,uid`],
    [{ serviceAccountSigningKeyFile: odd }, `service account key "${odd}": `],
    [{ tlsCertFile: odd }, `the serving certificate "${odd}" with the key `],
    [{ clientCaFile: odd }, `"${odd}" has no certificate of an authority`],
    [{ requestheaderClientCaFile: odd, ...proxies }, `"${odd}" has no certificate of an authority`],
  ];
  for (const [wrong, said] of cases) {
    const start = startApiserver({ ...options, ...wrong, logger: silentLogger });
    await assert.rejects(start, (error: Error & { code?: string }) => {
      assert.ok(error.message.startsWith(said), error.message);
      return error.code === 'bad-settings';
    });
  }
});

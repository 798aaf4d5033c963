import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { TestAuthority } from '../../test/pki.ts';
import { TestServer } from '../../test/test-server.ts';
import { periods } from '../limits.ts';

const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

test('extension servers are told of an authority that comes beside those that others have told of, as long as these last', async (test) => {
  const clock = new FakeClock({ nowMs: Date.now() });
  const server = await TestServer.start({ clock });
  test.after(() => server.close());
  const told = async () => {
    const { data } = (await server.request('GET', path)).body;
    return data['client-ca-file'].match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) as string[];
  };
  const first = server.authority.cert.trim();
  assert.deepEqual(await told(), [first]);
  const another = await TestAuthority.create('another');
  const over = await TestAuthority.create('over', -3_600_000);
  const second = await TestAuthority.create('second');
  const body = { data: { 'client-ca-file': `${over.cert}\n${another.cert}\nnothing` } };
  const type = 'application/merge-patch+json';
  assert.equal((await server.request('PATCH', path, { body, type })).status, 200);
  writeFileSync(server.options.clientCaFile, `${second.cert}\n${first}\n`);
  for (let turn = 0; turn < 200 && (await told()).length < 3; turn++)
    await clock.advanceAsync(periods.configurationFileMs);
  assert.deepEqual(await told(), [another.cert.trim(), second.cert.trim(), first]);
});

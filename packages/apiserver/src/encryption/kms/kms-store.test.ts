/** Encryption at rest by keys that another program keeps, from the request to what lies in the store. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { onEtcd, onSqlite } from '../../../test/disks.ts';
import { identity, writeEncryption } from '../../../test/test-encryption.ts';
import { TestEtcd } from '../../../test/test-etcd.ts';
import { TestKms } from '../../../test/test-kms.ts';
import { TestServer } from '../../../test/test-server.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const folder = mkdtempSync(join(tmpdir(), 'wherry-kms-store-'));
after(() => rmSync(folder, { recursive: true }));

const secret = (name: string) => ({
  ...{ kind: 'Secret', apiVersion: 'v1', metadata: { name }, stringData: { of: `text-of-${name}` } },
});

async function create(server: TestServer, name: string): Promise<void> {
  const { status, text } = await server.request('POST', secrets, { body: secret(name) });
  assert.equal(status, 201, text);
}

async function textOf(server: TestServer, name: string): Promise<string> {
  const { status, text, body } = await server.request('GET', `${secrets}/${name}`);
  assert.equal(status, 200, text);
  return Buffer.from(body.data.of, 'base64').toString();
}

async function startKms(test: TestContext) {
  const kms = await TestKms.start();
  test.after(() => kms.close());
  const file = join(folder, `${Math.random()}.yaml`);
  writeEncryption(file, [kms.provider(), identity]);
  return { kms, file };
}

for (const [store, start] of [['SQLite', onSqlite] as const, ['etcd', onEtcd] as const])
  describe(`keys that another program keeps, on ${store}`, () => {
    it('are asked for once by a server that begins, for reads, lists, watches and writes', async (test) => {
      const { kms, file } = await startKms(test);
      const disk = await start({ encryptionProviderConfig: file });
      test.after(() => disk.close());
      const { server } = disk;
      for (const name of ['a', 'b', 'c']) await create(server, name);
      assert.ok(!(await disk.everything()).includes('text-of-'));
      assert.ok(
        !(await disk.everything()).includes(Buffer.from('text-of-a').toString('base64').slice(0, -2)),
      );
      const asks: (() => Promise<unknown>)[] = [
        () => textOf(server, 'a'),
        async () => assert.equal((await server.request('GET', secrets)).body.items.length, 3),
        async () => {
          const { text } = await server.request('GET', `${secrets}?watch=true&timeoutSeconds=1`);
          assert.equal(text.trim().split('\n').length, 3);
        },
        async () => {
          const { status } = await server.request('PUT', `${secrets}/b`, { body: secret('b') });
          assert.equal(status, 200);
        },
      ];
      for (const ask of asks) {
        kms.asked.length = 0;
        await server.restart();
        await ask();
        assert.deepEqual(
          kms.asked.filter((call) => call === 'decrypt'),
          ['decrypt'],
        );
      }
      for (const name of ['a', 'b', 'c']) assert.equal(await textOf(server, name), `text-of-${name}`);
    });

    it('change, and what was sealed before is rewritten though nothing changes', async (test) => {
      const { kms, file } = await startKms(test);
      const disk = await start({ encryptionProviderConfig: file });
      test.after(() => disk.close());
      const { server } = disk;
      await create(server, 's');
      const prefix = Buffer.from('k8s:enc:kms:v2:test:');
      assert.ok((await disk.read('s')).subarray(0, prefix.length).equals(prefix));
      kms.keyId = 'another-key';
      await server.restart();
      assert.ok(!(await disk.read('s')).includes('another-key'));
      const { stdout } = await server.kubectl(['get', 'secrets', '-A', '-o', 'json']);
      const replaced = await server.kubectl(['replace', '-f', '-'], { input: stdout });
      assert.equal(replaced.code, 0, replaced.stderr);
      assert.ok((await disk.read('s')).includes('another-key'));
      kms.lost.add('one');
      await server.restart();
      assert.equal(await textOf(server, 's'), 'text-of-s');
    });

    it('are waited for by nobody while their program is away: 504, and /readyz tells', async (test) => {
      const { kms, file } = await startKms(test);
      const disk = await start({ encryptionProviderConfig: file });
      test.after(() => disk.close());
      const { server } = disk;
      await create(server, 's');
      assert.equal((await server.request('GET', '/readyz/kms-providers')).status, 200);
      await kms.stop();
      await server.restart();
      const answers = await Promise.all([
        server.request('GET', `${secrets}/s`),
        server.request('POST', secrets, { body: secret('t') }),
        server.request('GET', '/readyz/kms-providers'),
        server.request('GET', '/api/v1/namespaces/default/configmaps'),
      ]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [504, 504, 500, 200],
      );
      assert.match(answers[0]!.text, /KMS provider \\"test\\" does not answer/);
      await kms.startAgain();
      assert.equal(await textOf(server, 's'), 'text-of-s');
    });

    it('that are lost are an error that names the object', async (test) => {
      const { kms, file } = await startKms(test);
      const disk = await start({ encryptionProviderConfig: file });
      test.after(() => disk.close());
      const { server } = disk;
      await create(server, 's');
      kms.lost.add('one');
      kms.keyId = 'two';
      await server.restart();
      const { status, body } = await server.request('GET', `${secrets}/s`);
      assert.equal(status, 500);
      assert.match(body.message, /"\/secrets\/default\/s" can't be read/);
      const again = await server.request('POST', secrets, { body: secret('s') });
      assert.deepEqual([again.status, again.body.reason], [409, 'AlreadyExists']);
      await create(server, 't');
    });
  });

it('a server is told of what another has sealed, once the program that keeps the keys is there again', async (test) => {
  const { kms, file } = await startKms(test);
  const etcd = await TestEtcd.start();
  const options = { etcdServers: [etcd.url], encryptionProviderConfig: file };
  const one = await TestServer.start(options);
  const other = await TestServer.start(options);
  test.after(async () => {
    await Promise.all([one.close(), other.close()]);
    await etcd.close();
  });
  await kms.stop();
  const watched = other.request('GET', `${secrets}?watch=true&timeoutSeconds=5`);
  await delay(300);
  for (const name of ['a', 'b', 'c']) await create(one, name);
  await one.request('DELETE', `${secrets}/b`);
  await delay(300);
  await kms.startAgain();
  const { text } = await watched;
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    events.map(({ type, object }) => [type, object.metadata.name]),
    [
      ...[
        ['ADDED', 'a'],
        ['ADDED', 'b'],
        ['ADDED', 'c'],
      ],
      ['DELETED', 'b'],
    ],
  );
  assert.equal(await textOf(other, 'c'), 'text-of-c');
});

/** Encryption at rest, from the request to what lies in the store: once on SQLite, once on etcd. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { type Clock, systemClock, type Timer } from '@wherry/clock';
import { type Disk, onEtcd, onSqlite } from '../../test/disks.ts';
import { encryptionText, identity, provider, writeEncryption } from '../../test/test-encryption.ts';
import { TestServer } from '../../test/test-server.ts';
import { periods } from '../limits.ts';

const secrets = '/api/v1/namespaces/default/secrets';
const hidden = 'correct-horse-battery-staple';
const folder = mkdtempSync(join(tmpdir(), 'wherry-encryption-'));
after(() => rmSync(folder, { recursive: true }));

/** The machine's clock, but for looks at the file, which come when the test says so. */
class HeldClock implements Clock {
  #look: (() => unknown) | undefined;
  nowMs = () => systemClock.nowMs();
  monotonicMs = () => systemClock.monotonicMs();

  after(delayMs: number, callback: () => void): Timer {
    if (delayMs !== periods.encryptionFileMs) return systemClock.after(delayMs, callback);
    this.#look = callback;
    return { cancel: () => {} };
  }

  async look(): Promise<void> {
    await this.#look?.();
  }
}

let files = 0;
const newFile = () => {
  files += 1;
  return join(folder, `${files}.yaml`);
};

const secret = (name: string, more: object = {}) => ({
  ...{ kind: 'Secret', apiVersion: 'v1', metadata: { name }, stringData: { password: hidden } },
  ...more,
});

async function create(server: TestServer, name: string): Promise<string> {
  const { status, text, body } = await server.request('POST', secrets, { body: secret(name) });
  assert.equal(status, 201, text);
  return body.metadata.resourceVersion;
}

async function passwordOf(server: TestServer, name: string): Promise<string> {
  const { status, text, body } = await server.request('GET', `${secrets}/${name}`);
  assert.equal(status, 200, text);
  return Buffer.from(body.data.password, 'base64').toString();
}

/** As the documentation of Kubernetes says it. */
async function rewriteAll(server: TestServer): Promise<void> {
  const { stdout } = await server.kubectl(['get', 'secrets', '-A', '-o', 'json']);
  const { code, stderr } = await server.kubectl(['replace', '-f', '-'], { input: stdout });
  assert.equal(code, 0, stderr);
}

const versionOf = async (server: TestServer, name: string) =>
  (await server.request('GET', `${secrets}/${name}`)).body.metadata.resourceVersion;

for (const [store, start] of [['SQLite', onSqlite] as const, ['etcd', onEtcd] as const])
  describe(`encryption at rest, on ${store}`, () => {
    const begin = async (test: TestContext, providers: readonly object[]) => {
      const encryptionProviderConfig = newFile();
      writeEncryption(encryptionProviderConfig, providers);
      const clock = new HeldClock();
      const disk = await start({
        ...{ clock, encryptionProviderConfig, encryptionProviderConfigAutomaticReload: true },
      });
      test.after(() => disk.close());
      const follow = async (next: readonly object[]) => {
        writeEncryption(encryptionProviderConfig, next);
        await clock.look();
      };
      return { disk, server: disk.server, follow, file: encryptionProviderConfig, clock };
    };

    for (const kind of ['aesgcm', 'aescbc', 'secretbox'] as const)
      it(`${kind} leaves no plain text of a secret in the store, and of other resources all`, async (test) => {
        const { disk, server } = await begin(test, [provider(kind, { one: 1 }), identity]);
        await create(server, 'hidden');
        const map = { metadata: { name: 'shown' }, data: { shown: 'for-everybody' } };
        await server.request('POST', '/api/v1/namespaces/default/configmaps', { body: map });
        assert.equal(await passwordOf(server, 'hidden'), hidden);
        const all = await disk.everything();
        for (const form of [hidden, Buffer.from(hidden).toString('base64')]) assert.ok(!all.includes(form));
        assert.ok(all.includes('for-everybody'));
        const stored = await disk.read('hidden');
        assert.equal(stored.toString('latin1', 0, 22), `k8s:enc:${kind}:v1:one:`.slice(0, 22));
        assert.equal(await passwordOf(server, 'hidden'), hidden);
      });

    it('keys are changed without a restart, and what is old is rewritten though nothing changes', async (test) => {
      const { disk, server, follow } = await begin(test, [identity]);
      const isBy = async (start: string) => (await disk.read('s')).toString('latin1').startsWith(start);
      let version = await create(server, 's');
      assert.ok(await isBy('{"'));
      const steps: [prefix: string, providers: object[]][] = [
        ['k8s:enc:aescbc:v1:one:', [provider('aescbc', { one: 1 }), identity]],
        ['k8s:enc:aescbc:v1:two:', [provider('aescbc', { two: 2, one: 1 })]],
        ['k8s:enc:secretbox:v1:two:', [provider('secretbox', { two: 3 }), provider('aescbc', { two: 2 })]],
        ['{"', [identity, provider('secretbox', { two: 3 })]],
      ];
      for (const [prefix, providers] of steps) {
        await follow(providers);
        assert.ok(!(await isBy(prefix)), prefix);
        await rewriteAll(server);
        assert.ok(await isBy(prefix), prefix);
        const next = await versionOf(server, 's');
        assert.notEqual(next, version);
        await rewriteAll(server);
        version = await versionOf(server, 's');
        assert.equal(version, next, 'what is new already is left alone');
        assert.equal(await passwordOf(server, 's'), hidden);
      }
    });

    it('a value that no key opens is an error that names its object and tells nothing of it', async (test) => {
      const { disk, server, follow } = await begin(test, [provider('aesgcm', { 'first-key': 1 })]);
      await create(server, 'lost');
      for (const kind of ['aescbc', 'secretbox', 'aesgcm'] as const) {
        await follow([provider(kind, { 'first-key': 1 })]);
        await server.request('DELETE', `${secrets}/of-${kind}`);
        await create(server, `of-${kind}`);
        await follow([provider(kind, { 'first-key': 9 })]);
        const path = `${secrets}/of-${kind}`;
        const answers = await Promise.all([
          server.request('GET', path),
          server.request('GET', secrets),
          server.request('DELETE', path),
          server.request('PUT', path, { body: secret(`of-${kind}`) }),
        ]);
        for (const { status, body, text } of answers) {
          assert.deepEqual([status, body.reason], [500, 'InternalError'], text);
          assert.match(
            body.message,
            /"\/secrets\/default\/[a-z-]+" can't be read: it is encrypted, and by none of/,
          );
          for (const form of [hidden, 'first-key', 'AQEB', 'CQkJ']) assert.ok(!text.includes(form), text);
        }
        const again = await server.request('POST', secrets, { body: secret(`of-${kind}`) });
        assert.deepEqual([again.status, again.body.reason], [409, 'AlreadyExists']);
        await follow([provider(kind, { 'first-key': 1 })]);
        assert.equal(await passwordOf(server, `of-${kind}`), hidden);
      }
      assert.ok(!(await disk.everything()).includes(hidden));
    });

    it('damage to a value is told the same way, wherever it is', async (test) => {
      const kinds = ['aescbc', 'secretbox', 'aesgcm'] as const;
      const { disk, server, follow } = await begin(test, [provider('aesgcm', { one: 1 })]);
      for (const kind of kinds) {
        await follow([provider(kind, { one: 1 })]);
        await create(server, kind);
        const whole = await disk.read(kind);
        const start = `k8s:enc:${kind}:v1:one:`.length;
        const flipped = (at: number) => {
          const bytes = Buffer.from(whole);
          bytes[at]! ^= 0x80;
          return bytes;
        };
        const damaged = [
          ...[whole.subarray(0, start), whole.subarray(0, start + 5), whole.subarray(0, -1)],
          ...[whole.subarray(0, -16), flipped(whole.length - 1), flipped(whole.length - 17), flipped(start)],
        ];
        const messages = new Set<string>();
        for (const value of damaged) {
          await disk.put(kind, value);
          const { status, body } = await server.request('GET', `${secrets}/${kind}`);
          assert.equal(status, 500);
          messages.add(body.message);
        }
        assert.equal(messages.size, 1, [...messages].join('\n'));
        await disk.put(kind, whole);
        assert.equal(await passwordOf(server, kind), hidden);
        await server.request('DELETE', `${secrets}/${kind}`);
      }
    });

    it('aesgcm opens a value in its own place alone', async (test) => {
      const { disk, server } = await begin(test, [provider('aesgcm', { one: 1 })]);
      await create(server, 'mine');
      await create(server, 'yours');
      await disk.put('yours', await disk.read('mine'));
      assert.equal((await server.request('GET', `${secrets}/yours`)).status, 500);
      assert.equal(await passwordOf(server, 'mine'), hidden);
    });

    it('watches tell what was encrypted, and begin before a change of keys', async (test) => {
      const { server, follow } = await begin(test, [provider('secretbox', { one: 1 })]);
      const from = await versionOf(server, 'none').catch(() => undefined);
      assert.equal(from, undefined);
      const first = await create(server, 'watched');
      await follow([provider('secretbox', { two: 2, one: 1 })]);
      await rewriteAll(server);
      const query = `watch=true&resourceVersion=${Number(first) - 1}&timeoutSeconds=1`;
      const { text } = await server.request('GET', `${secrets}?${query}`);
      const events = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const seen = events.map(({ type, object }) => [type, object.data.password]);
      const password = Buffer.from(hidden).toString('base64');
      assert.deepEqual(seen, [
        ['ADDED', password],
        ['MODIFIED', password],
      ]);
    });

    it('a changed file that is bad leaves what was', async (test) => {
      const { server, file, clock, follow } = await begin(test, [provider('aesgcm', { one: 1 })]);
      await create(server, 's');
      writeFileSync(
        file,
        encryptionText([{ resources: ['secrets'], providers: [{ aesgcm: { keys: [] } }] }]),
      );
      await clock.look();
      await create(server, 't');
      assert.equal(await passwordOf(server, 's'), hidden);
      rmSync(file);
      await clock.look();
      assert.equal(await passwordOf(server, 't'), hidden);
      await follow([provider('aesgcm', { two: 2 })]);
      assert.equal((await server.request('GET', `${secrets}/s`)).status, 500);
    });

    it('`*.*` is for custom resources too, and for what an earlier entry names it is not', async (test) => {
      const file = newFile();
      const providers = [provider('aesgcm', { one: 1 })];
      writeFileSync(
        file,
        encryptionText([
          { resources: ['configmaps'], providers: [identity] },
          { resources: ['*.*'], providers },
        ]),
      );
      const disk: Disk = await start({ encryptionProviderConfig: file });
      test.after(() => disk.close());
      const { server } = disk;
      const group = 'tests.example.com';
      const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
      const definition = {
        metadata: { name: `things.${group}` },
        spec: {
          ...{ group, scope: 'Cluster', names: { plural: 'things', kind: 'Thing' } },
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      };
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      assert.equal((await server.request('POST', path, { body: definition })).status, 201);
      const thing = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a' }, text: 'of-a-thing' };
      const things = `/apis/${group}/v1/things`;
      for (let status = 404; status === 404; )
        ({ status } = await server.request('POST', things, { body: thing }));
      const map = { metadata: { name: 'shown' }, data: { shown: 'for-everybody' } };
      await server.request('POST', '/api/v1/namespaces/default/configmaps', { body: map });
      const all = await disk.everything();
      assert.ok(!all.includes('of-a-thing'));
      assert.ok(all.includes('for-everybody'));
      await server.restart();
      assert.equal((await server.request('GET', `${things}/a`)).body.text, 'of-a-thing');
    });
  });

it('a server without the flag reads no encrypted value, and lives', async (test) => {
  const file = newFile();
  writeEncryption(file, [provider('aesgcm', { one: 1 })]);
  const server = await TestServer.start({ encryptionProviderConfig: file });
  test.after(() => server.close());
  await create(server, 's');
  delete server.options.encryptionProviderConfig;
  await server.restart();
  const { status, body } = await server.request('GET', `${secrets}/s`);
  assert.equal(status, 500);
  assert.match(body.message, /it is encrypted, and no key is known for it/);
  assert.equal((await server.request('GET', '/readyz')).status, 200);
});

it('a server does not start on a bad file, or on a switch without one', async () => {
  const file = newFile();
  writeFileSync(file, encryptionText([]));
  await assert.rejects(TestServer.start({ encryptionProviderConfig: file }), /resources: Required value/);
  const nothing = join(folder, 'none.yaml');
  await assert.rejects(TestServer.start({ encryptionProviderConfig: nothing }), /none\.yaml/);
  await assert.rejects(
    TestServer.start({ encryptionProviderConfigAutomaticReload: true }),
    /--encryption-provider-config is missing/,
  );
});

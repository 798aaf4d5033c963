/** Kubernetes' own API server and ours on one etcd, encrypted by the same keys: each reads what the other has written. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { identity, provider, writeEncryption } from '../../packages/apiserver/test/test-encryption.ts';
import { TestServer } from '../../packages/apiserver/test/test-server.ts';
import { TwoServers } from './two-servers.ts';

const etcdPort = 23_930;
const kinds = ['aesgcm', 'aescbc', 'secretbox'] as const;
const secrets = '/api/v1/namespaces/default/secrets';
const secret = (name: string) => ({ metadata: { name }, stringData: { of: name } });

const folder = mkdtempSync(join(tmpdir(), 'wherry-encryption-'));

let two: TwoServers;
let files = 0;

before(async () => {
  two = await TwoServers.start({
    ...{ port: 16_483, etcdPort },
    async prepare() {
      return { flags: [`--encryption-provider-config=${fileOf([...allKinds(1), identity])}`] };
    },
  });
});
after(async () => {
  await two.close();
  rmSync(folder, { recursive: true });
});

const allKinds = (seed: number) => kinds.map((kind) => provider(kind, { key: seed }));

function fileOf(providers: readonly object[]): string {
  files += 1;
  const file = join(folder, `${files}.json`);
  writeEncryption(file, providers);
  return file;
}

/** Ours on the other's etcd, with an authority of its own. */
const onSameEtcd = (providers: readonly object[]) =>
  TestServer.start({
    etcdServers: [`http://127.0.0.1:${etcdPort}`],
    encryptionProviderConfig: fileOf(providers),
  });

const upstream = (method: string, path: string, body?: object) =>
  two.ask(two.urls[1], { method, path, ...(body && { body }) });
const contentOf = (text: string) => Buffer.from(JSON.parse(text).data.of, 'base64').toString();

test('upstream’s server reads what ours has encrypted', async () => {
  for (const kind of kinds) {
    const ours = await onSameEtcd([provider(kind, { key: 1 })]);
    const { status, text } = await ours.request('POST', secrets, { body: secret(kind) });
    assert.equal(status, 201, text);
    const read = await upstream('GET', `${secrets}/${kind}`);
    assert.equal(read.code, 200, read.text);
    assert.equal(contentOf(read.text), kind);
    await ours.close();
  }
});

test('ours reads what upstream’s server has encrypted, in protobuf', async () => {
  const made = await upstream('POST', secrets, secret('theirs'));
  assert.equal(made.code, 201, made.text);
  const ours = await onSameEtcd([provider('aesgcm', { key: 1 })]);
  const { status, text } = await ours.request('GET', `${secrets}/theirs`);
  assert.equal(status, 200, text);
  assert.equal(contentOf(text), 'theirs');
  await ours.close();
});

test('what neither has the key of is refused by both alike', async () => {
  const others = await onSameEtcd([provider('secretbox', { key: 2 }), ...allKinds(1)]);
  assert.equal((await others.request('POST', secrets, { body: secret('lost') })).status, 201);
  await others.close();
  const ours = await onSameEtcd(allKinds(1));
  const asked: [method: string, path: string, body?: object][] = [
    ['GET', `${secrets}/lost`],
    ['GET', secrets],
    ['POST', secrets, secret('lost')],
    ['PUT', `${secrets}/lost`, secret('lost')],
    ['DELETE', `${secrets}/lost`],
  ];
  for (const [method, path, body] of asked) {
    const theirs = await upstream(method, path, body);
    const { status, body: said } = await ours.request(method, path, body ? { body } : {});
    const { reason } = JSON.parse(theirs.text);
    assert.deepEqual([status, said.reason], [theirs.code, reason], `${method} ${path} ${theirs.text}`);
  }
  await ours.close();
});

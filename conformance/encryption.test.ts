/** Encryption at rest beside kube-apiserver's own: each opens what the other has sealed, and takes the same files. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Encryption } from '../packages/apiserver/src/encryption/encryption.ts';
import {
  EncryptionFile,
  type EncryptionFileOptions,
} from '../packages/apiserver/src/encryption/encryption-file.ts';
import { readConfiguration } from '../packages/apiserver/src/encryption/read-configuration.ts';
import { isSealed, withKeys } from '../packages/apiserver/src/store/sealing.ts';
import { TestKms } from '../packages/apiserver/test/test-kms.ts';
import { FakeClock } from '../packages/clock/src/index.ts';
import { createLogger, MetricsRegistry } from '../packages/telemetry/src/index.ts';
import { buildGoPeer } from './peers/go-peer.ts';

const place = { key: '/secrets/default/a', storedKey: '/registry/secrets/default/a' };
const secret = (seed: number, length = 32) => Buffer.alloc(length, seed).toString('base64');
const keys = (kind: string, ...named: [name: string, seed: number, length?: number][]) => ({
  [kind]: { keys: named.map(([name, seed, length]) => ({ name, secret: secret(seed, length) })) },
});
const identity = { identity: {} };
const head = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };
const fileOf = (resources: unknown) => JSON.stringify({ ...head, resources });
const forSecrets = (...providers: object[]) => fileOf([{ resources: ['secrets'], providers }]);

interface Answer {
  data: string | null;
  stale: boolean;
  error: string;
}

suite('encryption at rest is upstream’s', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-encryptionjudge-'));
  after(() => rmSync(folder, { recursive: true }));
  let judge: string;
  let files = 0;
  before(async () => {
    judge = await buildGoPeer('encryptionjudge');
  });

  const ask = (
    op: 'seal' | 'open' | 'load',
    text: string,
    data = Buffer.alloc(0),
    key = place.storedKey,
  ): Answer => {
    files += 1;
    const file = join(folder, `${files}.yaml`);
    writeFileSync(file, text);
    const input = JSON.stringify({ op, file, resource: 'secrets', key, data: data.toString('base64') });
    const { stdout, stderr } = spawnSync(judge, { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout) as Answer;
  };
  const ours = (text: string) => new Encryption(readConfiguration(Buffer.from(text)));
  const sealed = (text: string, data: Buffer) => {
    const { prefix, bytes } = ours(text).seal(data, place)!;
    return Buffer.concat([Buffer.from(prefix), bytes]);
  };
  /** What ours says of stored bytes, as the judge says it. */
  const opened = (text: string, data: Buffer) => {
    try {
      if (!isSealed(data)) return { plain: data, stale: ours(text).isPlainStale(place) };
      const { plain, isStale } = ours(text).open(data, place);
      return { plain, stale: isStale };
    } catch {
      return undefined;
    }
  };

  const values = [
    Buffer.from('{}'),
    Buffer.from('{"kind":"Secret","data":{"a":"ÄÖ 😀 16 bytes"}}'),
    Buffer.concat([Buffer.from('k8s\0'), Buffer.alloc(12, 200)]),
    Buffer.from(JSON.stringify({ data: 'x'.repeat(300_000) })),
  ];
  const kinds: [kind: string, lengths: number[]][] = [
    ['aesgcm', [16, 24, 32]],
    ['aescbc', [16, 24, 32]],
    ['secretbox', [32]],
  ];
  for (const [kind, lengths] of kinds)
    test(`${kind}: each opens what the other has sealed`, () => {
      for (const length of lengths)
        for (const value of values) {
          const file = forSecrets(keys(kind, ['a:b', 7, length]));
          const answer = ask('open', file, sealed(file, value));
          assert.deepEqual(answer, { data: value.toString('base64'), stale: false, error: '' });
          const theirs = Buffer.from(ask('seal', file, value).data!, 'base64');
          assert.deepEqual(opened(file, theirs), { plain: value, stale: false });
        }
    });

  test('kms: each opens what the other has sealed, by a program that keeps the keys', async () => {
    const kms = await TestKms.start();
    const file = forSecrets(kms.provider());
    const path = join(folder, 'kms.yaml');
    writeFileSync(path, file);
    const clock = new FakeClock();
    const logger = createLogger('apiserver', { level: 'error' });
    const { encryption, close } = await openFile(path, { clock, logger, metrics: new MetricsRegistry() });
    try {
      for (const value of values) {
        const { prefix, bytes } = encryption.seal(value, place)!;
        const stored = Buffer.concat([Buffer.from(prefix), bytes]);
        const answer = await askLater('open', path, stored);
        assert.deepEqual(answer, { data: value.toString('base64'), stale: false, error: '' });
        const theirs = Buffer.from((await askLater('seal', path, value)).data!, 'base64');
        const opened = await withKeys(() => encryption.open(theirs, place));
        assert.deepEqual(opened, { plain: value, isStale: false });
        const moved = await askLater('open', path, stored, '/registry/secrets/default/b');
        assert.notEqual(moved.error, '');
        kms.keyId = 'two';
        assert.equal((await askLater('open', path, stored)).stale, true);
        kms.keyId = 'one';
      }
    } finally {
      close();
      await kms.close();
    }
  });

  const openFile = async (path: string, options: EncryptionFileOptions) => {
    const opened = await EncryptionFile.open(path, options);
    return { encryption: opened.encryption, close: () => opened.close() };
  };
  /** While this process goes on: what is asked may ask it in turn. */
  const askLater = async (op: 'seal' | 'open', file: string, data: Buffer, key = place.storedKey) => {
    const child = spawn(judge, { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(JSON.stringify({ op, file, resource: 'secrets', key, data: data.toString('base64') }));
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString()) as Answer;
  };

  test('what is stale, and what can’t be read, is the same', () => {
    const orders = [
      forSecrets(keys('aesgcm', ['one', 1])),
      forSecrets(keys('aesgcm', ['two', 2], ['one', 1])),
      forSecrets(keys('aesgcm', ['one', 2], ['one', 1])),
      forSecrets(keys('aesgcm', ['one', 2])),
      forSecrets(keys('aesgcm', ['on', 1])),
      forSecrets(keys('secretbox', ['one', 1]), keys('aescbc', ['one', 1]), keys('aesgcm', ['one', 1])),
      forSecrets(identity, keys('aesgcm', ['one', 1])),
      forSecrets(keys('aescbc', ['two', 2]), identity, keys('secretbox', ['one', 1])),
      fileOf([{ resources: ['*.'], providers: [keys('aesgcm', ['one', 1])] }]),
      fileOf([{ resources: ['*.*'], providers: [keys('aesgcm', ['one', 1])] }]),
      fileOf([
        { resources: ['secrets'], providers: [identity] },
        { resources: ['*.*'], providers: [keys('aesgcm', ['one', 1])] },
      ]),
      fileOf([
        { resources: ['secrets'], providers: [identity] },
        { resources: ['secrets'], providers: [keys('aesgcm', ['one', 1])] },
      ]),
      fileOf([{ resources: ['configmaps', '*.apps'], providers: [keys('aesgcm', ['one', 1])] }]),
    ];
    const plain = values[1]!;
    const stored = [
      plain,
      ...['aesgcm', 'aescbc', 'secretbox'].map((kind) => sealed(forSecrets(keys(kind, ['one', 1])), plain)),
    ];
    for (const file of orders)
      for (const data of stored) {
        const { error, stale, data: found } = ask('open', file, data);
        const expected = error === '' ? { plain: Buffer.from(found!, 'base64'), stale } : undefined;
        assert.deepEqual(opened(file, data), expected, `${file} ${data.toString('latin1', 0, 40)}`);
      }
  });

  test('aesgcm alone authenticates where a value stands', () => {
    for (const [kind] of kinds) {
      const file = forSecrets(keys(kind, ['k', 1]));
      const answer = ask('open', file, sealed(file, values[1]!), '/registry/secrets/default/b');
      assert.equal(answer.error !== '', kind === 'aesgcm', kind);
    }
  });

  const kmsOf = (...all: object[]) =>
    forSecrets(
      ...all.map((more) => ({ kms: { apiVersion: 'v2', name: 'k', endpoint: 'unix:///nobody', ...more } })),
    );

  test('files are taken, or refused by the same fields', () => {
    const provided = { providers: [identity] };
    const named = (...resources: unknown[]) => fileOf([{ resources, ...provided }]);
    const list: string[] = [
      ...[named('secrets'), named('*.'), named('*.*'), named('*.apps', 'secrets'), named('a.b.c', '*.c')],
      ...[
        named(),
        named('*'),
        named('Pods'),
        named('a.*'),
        named('secrets', 'secrets'),
        named('secrets', '*.'),
      ],
      ...[named('secrets', '*.*'), named('x.extensions'), named('e.events.k8s.io'), named('apiserveripinfo')],
      ...[
        named('a.apps', '*.apps'),
        named(''),
        named('deployments.apps', 'deployments'),
        named(7),
        named(null),
      ],
      ...[
        fileOf([]),
        fileOf(null),
        fileOf({}),
        JSON.stringify(head),
        '',
        '[]',
        'a: [',
        'kind: x',
        '{}',
        '\t',
      ],
      JSON.stringify({ ...head, resources: [{ resources: ['a'], ...provided }], metadata: {} }),
      JSON.stringify({ ...head, apiVersion: 'apiserver.config.k8s.io/v2', resources: [] }),
      JSON.stringify({ ...head, kind: 'Other', resources: [] }),
      `${JSON.stringify(head).slice(0, -1)}, "resources": [], "resources": []}`,
      fileOf([
        { resources: ['*.*'], ...provided },
        { resources: ['secrets'], ...provided },
      ]),
      fileOf([
        { resources: ['*.'], ...provided },
        { resources: ['secrets'], ...provided },
      ]),
      fileOf([
        { resources: ['*.apps'], ...provided },
        { resources: ['secrets', 'a.apps'], ...provided },
      ]),
      fileOf([
        { resources: ['a.apps'], ...provided },
        { resources: ['*.apps', '*.'], ...provided },
      ]),
      fileOf([
        { resources: ['*.apps'], ...provided },
        { resources: ['*.apps'], ...provided },
      ]),
      fileOf([
        { resources: ['*.apps'], ...provided },
        { resources: ['*.*'], ...provided },
      ]),
      fileOf([{ resources: ['secrets'] }]),
      ...[forSecrets(), forSecrets({}), forSecrets(null as never), forSecrets({ identity: null })],
      ...[forSecrets({ identity: { a: 1 } }), forSecrets({ ...identity, ...keys('aescbc', ['a', 1]) })],
      ...[forSecrets({ AESGCM: {} }), forSecrets({ aesgcm: {} }), forSecrets({ aesgcm: { keys: [] } })],
      ...[forSecrets({ aesgcm: { keys: 'a' } }), forSecrets({ aesgcm: { keys: [{}] } })],
      ...[forSecrets({ aesgcm: { keys: [null] } }), forSecrets({ aesgcm: [] }), forSecrets({ other: {} })],
      ...[forSecrets({ secretbox: { keys: [{ name: 1, secret: secret(1) }] } })],
      ...[forSecrets({ secretbox: { keys: [{ name: 'a', secret: '*' }] } })],
      ...[
        forSecrets({
          secretbox: { keys: [{ name: 'a', secret: `${secret(1).slice(0, 9)}\n${secret(1).slice(9)}` }] },
        }),
      ],
      ...[forSecrets({ secretbox: { keys: [{ name: 'a', secret: secret(1).slice(0, -1) }] } })],
      ...[forSecrets({ secretbox: { keys: [{ name: 'a', secret: secret(1), more: 1 }] } })],
      ...[1, 15, 16, 24, 31, 32, 33].flatMap((length) =>
        kinds.map(([kind]) => forSecrets(keys(kind, ['a', 1, length]))),
      ),
      forSecrets(keys('aesgcm', ['a', 1], ['a', 2]), keys('aesgcm', ['a', 3])),
      ...[
        kmsOf({ name: '' }),
        kmsOf({ name: 'a:b' }),
        kmsOf({ endpoint: '' }),
        kmsOf({ endpoint: 'https://k' }),
      ],
      ...[
        kmsOf({ timeout: '0s' }),
        kmsOf({ timeout: 'x' }),
        kmsOf({ cachesize: 1 }),
        kmsOf({ apiVersion: 'v3' }),
      ],
      ...[kmsOf({ apiVersion: 'v1' }), kmsOf({ other: 1 }), kmsOf({ apiVersion: '' }), kmsOf({}, {})],
    ];
    for (const file of list) {
      const { error: theirs } = ask('load', file);
      const problem = refusalOf(file);
      assert.equal(problem === undefined, theirs === '', `${file}\n${theirs}\n${problem}`);
      for (const field of theirs.match(/resources\[\d+\][\w.[\]]*(?=: (?:Req|Inv))/g) ?? [])
        assert.ok(problem?.includes(`${field}: `), `${file}\n${theirs}\n${problem}`);
      for (const length of [15, 31, 33])
        assert.ok(!problem?.includes(secret(1, length).slice(0, 8)), problem);
    }
  });

  function refusalOf(file: string): string | undefined {
    try {
      ours(file);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
});

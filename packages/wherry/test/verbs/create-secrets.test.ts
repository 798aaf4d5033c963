/** `create secret TYPE NAME` and `create token NAME`. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { Secret, TokenRequest } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
  await served.client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
});
after(() => served?.close());

const created = (name: string) => ({ code: 0, stdout: `secret/${name} created\n`, stderr: '' });
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
const write = (name: string, content: string): string => {
  const path = join(served.server.folder, name);
  writeFileSync(path, content);
  return path;
};
const textOf = ({ data }: Secret, key: string): string =>
  Buffer.from(Object.entries(data ?? {}).find(([name]) => name === key)?.[1] ?? '', 'base64').toString();

test('create secret tls takes a certificate and the key that belongs to it', async () => {
  const { cert, key } = served.server.admin;
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    ...{ type: 'pkcs8', format: 'pem' },
  });
  const paths = { cert: write('a.crt', cert), key: write('a.key', key), other: write('b.key', `${other}`) };
  const line = 'create secret tls web';
  assert.deepEqual(await served.run(`${line} --cert=${paths.cert} --key=${paths.key}`), created('web'));
  const secret = await served.client.get<Secret>('Secret/web');
  assert.equal(secret.type, 'kubernetes.io/tls');
  assert.deepEqual([textOf(secret, 'tls.crt'), textOf(secret, 'tls.key')], [cert, key]);
  for (const [flags, says] of [
    [`--cert=${paths.cert} --key=${paths.other}`, 'error: tls: private key does not match public key'],
    [
      `--cert=${paths.key} --key=${paths.key}`,
      'error: tls: failed to find any PEM data in certificate input',
    ],
    [`--cert=${paths.cert} --key=${paths.cert}`, 'error: tls: failed to find any PEM data in key input'],
    [
      `--cert=${paths.cert} --key=/nope`,
      'error: Cannot read file /nope, open /nope: no such file or directory',
    ],
    [`--cert=${paths.cert}`, 'error: key and cert must be specified'],
  ] as const)
    assert.deepEqual(await served.run(`${line} ${flags}`), failed(says), flags);
});

test('create secret docker-registry holds what docker would keep of a registry', async () => {
  const user = '--docker-username=ann --docker-password=s';
  await served.run(`create secret docker-registry hub ${user}`);
  const hub = await served.client.get<Secret>('Secret/hub');
  assert.equal(hub.type, 'kubernetes.io/dockerconfigjson');
  const auth = Buffer.from('ann:s').toString('base64');
  assert.deepEqual(JSON.parse(textOf(hub, '.dockerconfigjson')), {
    auths: { 'https://index.docker.io/v1/': { username: 'ann', password: 's', auth } },
  });
  const file = write('config.json', '{"auths":{}}');
  assert.deepEqual(await served.run(`create secret docker-registry own --from-file=${file}`), created('own'));
  assert.equal(textOf(await served.client.get<Secret>('Secret/own'), '.dockerconfigjson'), '{"auths":{}}');
  assert.deepEqual(
    await served.run('create secret docker-registry x --docker-username=ann'),
    failed(
      'error: either --from-file or the combination of --docker-username, --docker-password and --docker-server is required',
    ),
  );
});

test('create --append-hash ends a name with the hash of the content that kubectl would append', async () => {
  const file = join(served.server.folder, 'raw');
  writeFileSync(file, Buffer.from([0xff, 0xfe]));
  const docker = 'docker-registry h --docker-username=u --docker-password=a<b --docker-email=e';
  for (const [line, name] of [
    ['cm h --from-literal=a=b --from-literal=z=<&>é', 'configmap/h-t9h6t8bgkm'],
    [`cm h --from-file=raw=${file}`, 'configmap/h-42mck9b26t'],
    ['secret generic h --from-literal=a=b --type=x/y', 'secret/h-7dmtdchbfd'],
    [`secret ${docker}`, 'secret/h-46hdhdfk84'],
  ]) {
    const { stdout } = await served.run(`create ${line} --append-hash --dry-run=client -o name`);
    assert.equal(stdout, `${name}\n`);
  }
});

test('create token prints a token alone, or the answer with it', async () => {
  const program = join(import.meta.dirname, '../../bin/wherry.cjs');
  const words = ['create', 'token', 'robot', '--kubeconfig', served.server.kubeconfig];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words]);
  assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  const { stdout: json } = await served.run('create token robot --audience=a --duration=20m -o json');
  const { spec, status } = JSON.parse(json) as TokenRequest;
  assert.deepEqual([spec?.audiences, spec?.expirationSeconds], [['a'], 1200]);
  assert.ok(status?.token);
});

test('create token binds to an object, and refuses what it can not ask for', async () => {
  await served.client.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tie' } });
  const { stdout } = await served.run(
    'create token robot --bound-object-kind=Secret --bound-object-name=tie -o json',
  );
  assert.equal((JSON.parse(stdout) as TokenRequest).spec?.boundObjectRef?.name, 'tie');
  for (const [line, says] of [
    ['', "error: exactly one NAME is required, got 0\nSee 'wherry create token -h' for help and examples"],
    ['nope', 'error: failed to create token: serviceaccounts "nope" not found'],
    ['robot --duration=-1s', 'error: --duration must be greater than or equal to 0'],
    ['robot --duration=1ms', 'error: --duration cannot be expressed in units less than seconds'],
    [
      'robot --bound-object-name=x',
      'error: --bound-object-name can only be set if --bound-object-kind is provided',
    ],
    ['robot --bound-object-kind=Foo', 'error: supported --bound-object-kind values are Node, Pod, Secret'],
    [
      'robot --bound-object-kind=Pod',
      'error: --bound-object-name is required if --bound-object-kind is provided',
    ],
  ] as const)
    assert.deepEqual(await served.run(`create token ${line}`.trim()), failed(says), line);
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { ControlPlane, statusOf } from './control-plane.ts';

const run = promisify(execFile);
const wherry = join(import.meta.dirname, '../bin/wherry.cjs');
let assets: string;

before(async () => {
  // A folder whose name the shell could misread.
  const out = join(mkdtempSync(join(tmpdir(), 'wherry-assets-')), "the suite's");
  const { stdout } = await run(process.execPath, [wherry, 'envtest', '--out', out]);
  assets = stdout.trimEnd();
  assert.equal(assets, out);
});
after(() => rmSync(join(assets, '..'), { recursive: true }));

test('the folder has what envtest starts, as programs, however often it is made', async () => {
  const programs = ['etcd', 'kube-apiserver', 'kubectl'];
  await run(process.execPath, [wherry, 'envtest', '--out', assets]);
  assert.deepEqual(readdirSync(assets).sort(), programs);
  for (const name of programs) assert.equal(statSync(join(assets, name)).mode & 0o777, 0o755);
});

test('help tells which flags there are, as envtest asks before it starts anything', async () => {
  const helpOf = async (name: string) => (await run(join(assets, name), ['--help'])).stdout;
  assert.doesNotMatch(await helpOf('kube-apiserver'), /^\s*--insecure-port\b/m);
  const etcd = await helpOf('etcd');
  assert.match(etcd, /^\s*--unsafe-no-fsync\b/m);
  assert.match(etcd, /It is no etcd: it stores nothing/);
});

test('a control plane starts by envtest’s command lines, keeps its objects while its etcd’s folder stands, and ends when it is told to', async (context) => {
  const plane = await ControlPlane.prepare(assets);
  context.after(() => plane.close());
  const etcd = await plane.startEtcd();
  const first = await plane.startApiserver();
  assert.equal(first.child.exitCode, null, first.said.join(''));
  await plane.kubectl('create', 'configmap', 'kept', '--from-literal=a=b');
  assert.equal(await plane.stop(first), 0);
  assert.equal(await plane.stop(etcd), 0);
  await plane.startEtcd();
  const second = await plane.startApiserver();
  assert.equal(await plane.kubectl('get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}'), 'b');

  // No controller runs: what is deleted waits for nobody who would empty it.
  await plane.kubectl('create', 'namespace', 'left');
  await plane.kubectl('delete', 'namespace', 'left', '--wait=false');
  assert.equal(
    await plane.kubectl('get', 'namespace', 'left', '-o', 'jsonpath={.status.phase}'),
    'Terminating',
  );

  const other = await ControlPlane.prepare(assets);
  context.after(() => other.close());
  await other.startEtcd();
  await other.startApiserver();
  await assert.rejects(other.kubectl('get', 'configmap', 'kept'), /not found/);
  assert.equal(second.child.exitCode, null);
});

test('who asks the stand-in as etcd is told what it is, and nothing else', async (context) => {
  const plane = await ControlPlane.prepare(assets);
  context.after(() => plane.close());
  await plane.startEtcd();
  assert.equal(await statusOf(`${plane.etcdUrl}/health`), 200);
  for (const path of ['/version', '/v2/keys', '/metrics', '/v3/kv/range'])
    assert.equal(await statusOf(`${plane.etcdUrl}${path}`), 501);
  const told = await new Promise<string>((resolve, reject) => {
    const asking = request(`${plane.etcdUrl}/v3/kv/put`, { method: 'POST', agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve(text));
    });
    asking.on('error', reject).end('{}');
  });
  assert.match(told, /^This is no etcd: it keeps the place of a store for "wherry apiserver"/);
});

test('etcd’s flags that it can’t act on, and addresses that others reach, are refused by name', async () => {
  const refused = async (...flags: string[]) => {
    const { stderr, code } = await run(join(assets, 'etcd'), flags).catch((error) => error);
    assert.equal(code, 1);
    return stderr;
  };
  const place = ['--data-dir=/nowhere', '--listen-client-urls=http://127.0.0.1:1'];
  assert.match(await refused(...place, '--client-cert-auth=true'), /unknown option '--client-cert-auth/);
  assert.match(
    await refused('--data-dir=/nowhere', '--listen-client-urls=http://0.0.0.0:1'),
    /"http:\/\/0\.0\.0\.0:1": a place is kept for servers of this machine/,
  );
  assert.match(
    await refused('--data-dir=/nowhere', '--listen-client-urls=https://127.0.0.1:1'),
    /is no http:\/\/HOST:PORT/,
  );
});

/** What a running kubelet shows of itself and its node, and what switches take away. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { detectCgroups, foldersAt, removeGroup } from '@wherry/linux';
import { silentLogger } from '@wherry/telemetry';
import { type Kubelet, startKubelet } from '../src/index.ts';
import { MemoryRuntime } from './memory-runtime.ts';

let folder: string;
let runtime: MemoryRuntime;
let kubelet: Kubelet;
const verbosities: number[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubelet-'));
  runtime = new MemoryRuntime({ events: true });
  await runtime.listen(join(folder, 'cri.sock'));
  await mkdir(join(folder, 'manifests'));
  const web = { metadata: { name: 'web' }, spec: { containers: [{ name: 'a', image: 'demo:1' }] } };
  await writeFile(
    join(folder, 'manifests/web.yaml'),
    JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...web }),
  );
});
after(async () => {
  await runtime?.close();
  removeGroup(foldersAt(detectCgroups(), `/${basename(folder)}`));
  await rm(folder, { recursive: true, force: true });
});

async function start(switches: object = {}): Promise<void> {
  kubelet = await startKubelet({
    ...{ rootDir: join(folder, 'root'), hostnameOverride: 'n1', nodeIp: '192.0.2.1', logger: silentLogger },
    flags: { config: '/kubelet.yaml', v: '2' },
    setVerbosity: (level) => verbosities.push(level),
    configuration: {
      ...{ address: '127.0.0.1', port: 0, healthzPort: 0 },
      authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
      authorization: { mode: 'AlwaysAllow' },
      containerRuntimeEndpoint: `unix://${join(folder, 'cri.sock')}`,
      ...{ podLogsDir: join(folder, 'logs'), staticPodPath: join(folder, 'manifests') },
      ...{
        cgroupRoot: `/${basename(folder)}`,
        resolvConf: '',
        failSwapOn: false,
        failCgroupV1: false,
        evictionHard: {},
      },
      ...switches,
    },
  });
}

function ask(path: string, method = 'GET', body = ''): Promise<{ status: number; text: string }> {
  const options = { port: kubelet.port, path, method, rejectUnauthorized: false, agent: false };
  return new Promise((resolve, reject) => {
    const request = https.request(options, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    request.once('error', reject);
    request.end(body);
  });
}

describe('a kubelet', () => {
  before(() => start());
  after(() => kubelet?.close());

  test('shows the files below /var/log, and answers no query of logs unless it is told to', async () => {
    assert.match((await ask('/logs/')).text, /<pre>/);
    const query = await ask('/logs/?query=kubelet');
    assert.equal(query.status, 501);
    assert.match(query.text, /enableSystemLogQuery/);
    assert.equal((await ask('/logs/', 'POST')).status, 405);
  });

  test('records profiles in the formats of V8, and names those of Go that it has not', async () => {
    assert.match((await ask('/debug/pprof/')).text, /profile/);
    assert.match((await ask('/debug/pprof/cmdline')).text, /node.*\0/);
    const [time, more] = await Promise.all([
      ask('/debug/pprof/profile?seconds=1'),
      ask('/debug/pprof/profile?seconds=301'),
    ]);
    assert.ok(JSON.parse(time.text).samples.length > 0);
    assert.equal(more.status, 400);
    const goroutine = await ask('/debug/pprof/goroutine');
    assert.equal(goroutine.status, 501);
    assert.match(goroutine.text, /goroutine is a profile of Go/);
    assert.equal((await ask('/debug/pprof/toString')).status, 404);
  });

  test('takes a level for its log, and nothing that is none', async () => {
    const { status, text } = await ask('/debug/flags/v', 'PUT', '4');
    assert.deepEqual([status, text], [200, 'successfully set klog.logging.verbosity to 4\n']);
    for (const body of ['', '-1', '4.5', 'x', '4294967296', '4'.repeat(100_000)])
      assert.equal((await ask('/debug/flags/v', 'PUT', body)).status, 400, body.slice(0, 20));
    assert.equal((await ask('/debug/flags/v')).status, 406);
    assert.deepEqual(verbosities, [4]);
  });

  test('tells its state and its flags', async () => {
    assert.match((await ask('/statusz')).text, /\nkubelet statusz\n.*Binary version: 1\.36\./s);
    assert.match((await ask('/flagz')).text, /\nconfig=\/kubelet\.yaml\nv=2\n$/);
  });

  test('has the runtime write a checkpoint, into a folder of its own', async () => {
    for (const end = performance.now() + 10_000; !runtime.named('a').length && performance.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 20));
    const { status, text } = await ask('/checkpoint/default/web-n1/a?timeout=200', 'POST');
    assert.equal(status, 200, text);
    const [path] = JSON.parse(text).items as [string];
    assert.match(path, /\/checkpoints\/checkpoint-web-n1_default-a-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\.tar$/);
    assert.equal(readFileSync(path, 'utf8'), 'state');
    assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
    const [container] = runtime.named('a');
    assert.ok(runtime.calls.includes(`checkpointContainer ${container?.status.id} 200`));
    for (const wrong of ['web-n1/b', 'none/a', 'web-n1/a?timeout=x'])
      assert.equal((await ask(`/checkpoint/default/${wrong}`, 'POST')).status, 404, wrong);
    assert.equal((await ask('/checkpoint/default/web-n1/a')).status, 405);
  });
});

describe('a kubelet whose handlers are switched off one by one', () => {
  before(() =>
    start({ enableSystemLogHandler: false, enableProfilingHandler: false, enableDebugFlagsHandler: false }),
  );
  after(() => kubelet?.close());

  for (const [path, what] of [
    ['/logs/', 'logs'],
    ['/debug/pprof/', 'profiling'],
    ['/debug/flags/v', 'flags'],
  ] as const) {
    test(`answers 405 for ${path}`, async () => {
      assert.deepEqual(await ask(path), { status: 405, text: `${what} endpoint is disabled.\n` });
    });
  }
});

describe('a kubelet whose gate ContainerCheckpoint is off', () => {
  before(() => start({ featureGates: { ContainerCheckpoint: false } }));
  after(() => kubelet?.close());

  test('has no such path', async () => {
    assert.equal((await ask('/checkpoint/default/web-n1/a', 'POST')).status, 404);
  });
});

describe('a kubelet without debugging handlers', () => {
  before(() => start({ enableDebuggingHandlers: false }));
  after(() => kubelet?.close());

  test('says so where upstream does, and has the rest no more', async () => {
    for (const path of ['/logs/', '/debug/pprof/', '/runningpods/', '/containerLogs/default/web-n1/a'])
      assert.deepEqual(await ask(path), { status: 405, text: 'Debug endpoints are disabled.\n' });
    for (const path of ['/configz', '/statusz', '/flagz', '/debug/flags/v', '/checkpoint/a/b/c'])
      assert.equal((await ask(path)).status, 404, path);
    for (const path of ['/pods', '/healthz', '/metrics']) assert.equal((await ask(path)).status, 200, path);
  });
});

/** Requests that nobody should send, to a running kubelet's main, health and read-only servers. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { silentLogger } from '@wherry/telemetry';
import { type Kubelet, startKubelet } from '../src/index.ts';
import { MemoryRuntime } from './memory-runtime.ts';

const names = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];
let folder: string;
let runtime: MemoryRuntime;
let kubelet: Kubelet;
const ports = { main: 0, health: 0, readOnly: 0 };

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubelet-'));
  runtime = new MemoryRuntime({ events: true });
  await runtime.listen(join(folder, 'cri.sock'));
  ports.health = await freePort();
  ports.readOnly = await freePort();
  kubelet = await startKubelet({
    rootDir: join(folder, 'root'),
    hostnameOverride: 'n1',
    nodeIp: '192.0.2.1',
    logger: silentLogger,
    configuration: {
      ...{ address: '127.0.0.1', port: 0, healthzPort: ports.health, readOnlyPort: ports.readOnly },
      authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
      authorization: { mode: 'AlwaysAllow' },
      containerRuntimeEndpoint: `unix://${join(folder, 'cri.sock')}`,
      podLogsDir: join(folder, 'logs'),
      ...{ cgroupDriver: 'systemd', resolvConf: '', failSwapOn: false, failCgroupV1: false },
    },
  });
  ports.main = kubelet.port;
});
after(async () => {
  await kubelet?.close();
  await runtime?.close();
  await rm(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The status of the answer. A connection that ends without one is a failure. */
function ask(
  server: keyof typeof ports,
  path: string,
  options: { method?: string; headers?: http.OutgoingHttpHeaders; body?: string } = {},
): Promise<number> {
  const { body, ...rest } = options;
  const send = server === 'main' ? https.request : http.request;
  const where = { host: '127.0.0.1', port: ports[server], path, rejectUnauthorized: false, agent: false };
  return new Promise((resolve, reject) => {
    const request = send({ ...where, ...rest } as https.RequestOptions, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', reject);
    });
    request.once('error', (error) => reject(new Error(`${server} ${path}: ${error.message}`)));
    request.end(body);
  });
}

describe('a running kubelet', { timeout: 60_000 }, () => {
  it('answers paths that are no address on each of its servers', async () => {
    for (const server of ['main', 'health', 'readOnly'] as const) {
      for (const path of ['//', '///', '//[', '/%', '/%zz/%', '/..', '/.', '/?%', '//@:-1/']) {
        const status = await ask(server, path);
        assert.ok(status >= 400 && status < 600, `${server} ${path}: ${status}`);
      }
    }
  });

  it('refuses a path whose escapes are none as a bad request, whatever it would have led to', async () => {
    const upgrade = { headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' } };
    for (const path of [
      '/exec/d/p/%zz',
      '/run/%/p/c',
      '/portForward/d/%ff',
      '/containerLogs/d/p/%e2%28',
      '/%',
    ])
      for (const options of [{}, { method: 'POST' }, upgrade])
        assert.equal(await ask('main', path, options), 400, `${path} ${JSON.stringify(options)}`);
    assert.equal(await ask('main', '/exec/d/p/c?command=%', upgrade), 400);
  });

  it('answers names that every object inherits at every place of a path', async () => {
    const paths = [
      '/exec/default/pod/container',
      '/attach/default/pod/uid/container',
      '/portForward/default/pod',
    ];
    paths.push('/containerLogs/default/pod/container', '/run/default/pod/container', '/stats/summary');
    paths.push('/metrics/probes', '/healthz/log', '/logs/x', '/pods', '/configz', '/checkpoint/a/b/c');
    for (const name of names) {
      for (const path of paths) {
        const segments = path.split('/');
        for (let at = 1; at < segments.length; at++) {
          const replaced = segments.with(at, name).join('/');
          for (const server of ['main', 'health', 'readOnly'] as const) {
            for (const method of ['GET', 'POST']) assert.ok((await ask(server, replaced, { method })) < 600);
          }
        }
      }
      assert.equal(await ask('main', `/${name}`), 404);
      assert.equal(await ask('main', name), 400);
    }
  });

  it('answers names that every object inherits as parameters, headers and upgrades', async () => {
    for (const name of names) {
      const query = ['tailLines', 'sinceTime', 'stream', 'follow', 'command', 'input', 'port', name]
        .map((parameter) => `${parameter}=${name}`)
        .join('&');
      for (const path of ['/containerLogs/default/pod/container', '/stats/summary', '/pods', '/run/a/b/c']) {
        assert.ok((await ask('main', `${path}?${query}`)) < 600);
      }
      const headers = { accept: name, authorization: `Bearer ${name}`, [name]: name, 'content-type': name };
      assert.ok((await ask('main', '/pods', { headers: { ...headers, authorization: 'Basic x' } })) < 600);
      for (const path of ['/exec/default/pod/container', '/portForward/default/pod', `/${name}`]) {
        const upgrade = {
          ...{ connection: 'upgrade', upgrade: name, 'sec-websocket-protocol': name },
          ...{ 'x-stream-protocol-version': name, 'sec-websocket-key': name },
        };
        const status = await ask('main', `${path}?${query}`, { headers: upgrade });
        assert.ok(status >= 400 && status < 600, `${path}: ${status}`);
      }
    }
  });

  it('shows its insides on neither of the servers that ask for no name (CVE-2019-11248)', async () => {
    const insides = [
      '/debug/pprof/',
      '/debug/pprof/heap',
      '/debug/pprof/profile?seconds=1',
      '/debug/flags/v',
    ];
    insides.push('/logs/', '/runningpods/', '/configz', '/statusz', '/flagz', '/checkpoint/a/b/c');
    for (const server of ['health', 'readOnly'] as const) {
      for (const path of insides)
        assert.ok([404, 405].includes(await ask(server, path)), `${server} ${path}`);
      const made = await ask(server, '/checkpoint/a/b/c', { method: 'POST' });
      assert.ok([404, 405].includes(made), `${server} makes no checkpoints (CVE-2025-0426)`);
    }
    for (const path of ['/metrics', '/pods', '/healthz/syncloop']) {
      assert.equal(await ask('health', path), 404, path);
    }
  });

  it('is healthy after all of that', async () => {
    assert.equal(await ask('health', '/healthz'), 200);
    assert.equal(await ask('readOnly', '/pods'), 200);
    assert.equal(await ask('main', '/pods'), 200);
  });
});

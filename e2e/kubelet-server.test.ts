/** The kubelet's own HTTPS server, asked directly: refusals, switched-off handlers, the read-only port, followers. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createKubeClient } from '@wherry/client';
import { createCriClient } from '@wherry/cri';
import { connectRemoteCommand } from '@wherry/remotecommand';
import { checkpointProblem } from '../packages/linux/test/needs.ts';
import { replaceKubelet } from './changed-kubelet.ts';
import { freePort } from './free-port.ts';
import { unlessKubectlHas } from './kubectl-version.ts';
import { eventually, podOf, scriptPod, TestNode } from './node.ts';

let node: TestNode;
let origin: URL;

before(async () => {
  node = await TestNode.start('kubelet-server');
  await node.apply(podOf('target'), scriptPod('silent', 'echo one; sleep 100000'));
  origin = await kubeletOrigin();
});
after(() => node?.remove());

async function kubeletOrigin(): Promise<URL> {
  const [found] = JSON.parse(await node.kubectlOk(['get', 'nodes', '-o', 'json'])).items;
  const address = found.status.addresses.find(({ type }: { type: string }) => type === 'InternalIP').address;
  return new URL(`https://${address}:${found.status.daemonEndpoints.kubeletEndpoint.Port}`);
}

interface Answer {
  status: number;
  body: string;
}

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'SPDY/3.1',
  'x-stream-protocol-version': 'v4.channel.k8s.io',
};

/** What the API server shows to kubelets, and by which it knows them. */
function apiServerIdentity() {
  const read = (file: string) => readFileSync(join(node.dataDir, 'pki', file));
  const [cert, key] = ['crt', 'key'].map((kind) => read(`apiserver-kubelet-client.${kind}`));
  return { ca: read('kubelet-ca.crt'), cert, key };
}

function administrator() {
  const client = createKubeClient({ kubeconfig: node.kubeconfig });
  client.close();
  return client.access.tls ?? {};
}

/** Asks a kubelet as the API server, the API server as the administrator, or either as nobody. */
function ask(
  method: string,
  path: string,
  options: { headers?: http.OutgoingHttpHeaders; anonymous?: boolean; body?: string } = {},
): Promise<Answer> {
  const url = new URL(path, origin);
  const { ca, cert, key } = url.origin === origin.origin ? apiServerIdentity() : administrator();
  const credentials = options.anonymous ? { ca } : { ca, cert, key };
  return new Promise((resolve, reject) => {
    const request = https.request(url, {
      ...credentials,
      method,
      headers: options.headers ?? {},
      agent: false,
    });
    request.on('error', reject);
    request.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, body: '' });
    });
    request.on('response', (answer) => resolve(readAnswer(answer)));
    request.end(options.body);
  });
}

async function readAnswer(answer: http.IncomingMessage): Promise<Answer> {
  let body = '';
  for await (const chunk of answer) body += chunk;
  return { status: answer.statusCode ?? 0, body };
}

describe('the kubelet refuses', () => {
  const exec = '/exec/default/target/main?command=true&output=1';
  const refusals: [what: string, answer: () => Promise<Answer>, status: number, body: RegExp][] = [
    ['who has no certificate', () => ask('GET', '/pods', { anonymous: true }), 401, /^Unauthorized/],
    ['an exec that is no upgrade', () => ask('POST', exec), 500, /Upgrade request required/],
    [
      'an unknown pod',
      () => ask('POST', '/exec/default/nobody/main?command=true&output=1', { headers: upgrade }),
      404,
      /pod does not exist/,
    ],
    [
      'an unknown container',
      () => ask('POST', '/exec/default/target/other?command=true&output=1', { headers: upgrade }),
      500,
      /container not found \("other"\)/,
    ],
    [
      'an exec without streams',
      () => ask('POST', '/exec/default/target/main?command=true', { headers: upgrade }),
      400,
      /you must specify at least 1 of stdin, stdout, stderr/,
    ],
    [
      'the log of an unknown pod',
      () => ask('GET', '/containerLogs/default/nobody/main'),
      404,
      /does not exist/,
    ],
    [
      'a log with a tail of less than nothing',
      () => ask('GET', '/containerLogs/default/target/main?tailLines=-1'),
      422,
      /Invalid request/,
    ],
    ['a path that it does not have', () => ask('GET', '/nothing'), 404, /404 page not found/],
  ];
  for (const [what, answer, status, body] of refusals) {
    test(`72: ${what}: ${status}`, async () => {
      const found = await answer();
      assert.equal(found.status, status, found.body);
      assert.match(found.body, body);
    });
  }
});

/** A token of a service account that may do `verbs` on these sub-resources of nodes, and nothing else. */
async function tokenFor(name: string, verbs: string[], subresources: string[]): Promise<string> {
  const rules = [{ apiGroups: [''], resources: subresources.map((part) => `nodes/${part}`), verbs }];
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name } };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: 'default' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  await node.apply(
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } },
    { ...rbac, kind: 'ClusterRole', rules },
    { ...rbac, kind: 'ClusterRoleBinding', subjects, roleRef },
  );
  return node.createToken(name);
}

const bearer = (token: string, headers = {}) => ({
  anonymous: true,
  headers: { ...headers, authorization: `Bearer ${token}` },
});

describe('what single rights open', { skip: unlessKubectlHas('create token') }, () => {
  const log = '/containerLogs/default/target/main';
  const cases: [right: string, open: string[], shut: string[]][] = [
    ['stats', ['/stats/summary'], ['/metrics', '/pods', log]],
    ['metrics', ['/metrics', '/metrics/resource'], ['/stats/summary', '/pods']],
    ['pods', ['/pods'], ['/metrics', log]],
    ['healthz', ['/healthz'], ['/pods']],
    ['configz', ['/configz', '/flagz'], ['/metrics', '/statusz']],
    ['log', ['/logs/'], ['/pods', log]],
    ['statusz', ['/statusz'], ['/flagz', '/debug/pprof/']],
    [
      'proxy',
      ['/pods', '/healthz', '/configz', '/debug/pprof/', log],
      ['/stats/summary', '/metrics', '/logs/', '/statusz'],
    ],
  ];
  for (const [right, open, shut] of cases) {
    test(`73: who may ${right} alone`, async () => {
      const token = await tokenFor(`may-${right}`, ['get'], [right]);
      for (const path of open) assert.equal((await ask('GET', path, bearer(token))).status, 200, path);
      for (const path of shut) {
        const { status, body } = await ask('GET', path, bearer(token));
        assert.equal(status, 403, path);
        assert.match(body, /^Forbidden \(user=.*, verb=get, resource=nodes, subresource/);
      }
    });
  }

  test('74: who may only get nodes/proxy runs nothing by GET', async () => {
    const token = await tokenFor('may-get', ['get'], ['proxy']);
    for (const path of [
      '/exec/default/target/main?command=true&output=1',
      '/attach/default/target/main?output=1',
    ])
      assert.equal((await ask('GET', path, bearer(token, upgrade))).status, 403, path);
    const both = await tokenFor('may-create', ['get', 'create'], ['proxy']);
    const exec = '/exec/default/target/main?command=true&output=1';
    assert.equal((await ask('GET', exec, bearer(both, upgrade))).status, 101);
  });
});

test('kubectl reads the files below /var/log, and their folders, through the API server', async () => {
  const { name } = JSON.parse(await node.kubectlOk(['get', 'nodes', '-o', 'json'])).items[0].metadata;
  const raw = (path: string) => node.kubectlOk(['get', '--raw', `/api/v1/nodes/${name}/proxy/logs/${path}`]);
  const [file] = readdirSync('/var/log', { withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(file, '/var/log has a file');
  assert.match(await raw(''), new RegExp(`>${file.name}<`));
  assert.ok((await raw(file.name)).startsWith(readFileSync(`/var/log/${file.name}`, 'utf8').slice(0, 100)));
});

test('a log level put to /debug/flags/v counts at once', async () => {
  const url = new URL('/debug/flags/v', origin);
  const { status, body } = await ask('PUT', url.pathname, { body: '4' });
  assert.deepEqual([status, body], [200, 'successfully set klog.logging.verbosity to 4\n']);
  assert.match((await ask('GET', '/flagz')).body, /\nroot-dir=/);
});

test('a checkpoint that the runtime can not make is refused in its words', {
  skip: !checkpointProblem() && 'it can be made here: checkpoint.test.ts',
}, async () => {
  const { status, body } = await ask('POST', '/checkpoint/default/target/main');
  assert.equal(status, 500);
  assert.match(body, /checkpointing of default\/target\/main failed \(rpc error: code = \w+ desc = .*criu/is);
});

test('a kubelet takes exec by both spellings of the streams, by POST and by GET', async () => {
  for (const query of ['input=1&output=1', 'stdin=true&stdout=true']) {
    for (const method of ['POST', 'GET']) {
      const path = `/exec/default/target/main?command=cat&${query}`;
      assert.equal((await ask(method, path, { headers: upgrade })).status, 101);
    }
  }
});

test('43: a query with tty and stderr gets a terminal and no stderr', async () => {
  const tls = apiServerIdentity();
  const url = new URL('/exec/default/target/main?command=tty&output=1&error=1&tty=1', origin);
  const streams = { stdin: false, stdout: true, stderr: false, tty: true };
  const session = await connectRemoteCommand({ url, tls, streams, transport: 'spdy' });
  let output = '';
  const data = (chunk: Uint8Array) => {
    output += Buffer.from(chunk);
  };
  session.stdout?.receive({ data, end() {}, closed() {} });
  assert.equal(await session.exitCode, 0);
  assert.match(output, /\/dev\/(pts|console)/);
});

test('89: followers of a silent log are freed within 2 s of their clients', async () => {
  const kubelet = await node.pidOf('kubelet');
  const openLogs = () =>
    readdirSync(`/proc/${kubelet}/fd`).filter((fd) => {
      try {
        return /\.log$/.test(readlinkSync(`/proc/${kubelet}/fd/${fd}`));
      } catch {
        return false;
      }
    }).length;
  const atStart = openLogs();
  const followers = Array.from({ length: 5 }, () => node.startKubectl(['logs', '-f', 'silent']));
  let heard = 0;
  const hear = () => {
    heard += 1;
  };
  for (const { stdout } of followers) stdout.once('data', hear);
  await eventually('five followers', () => heard === 5);
  for (const follower of followers) follower.kill('SIGKILL');
  await eventually('their files are closed', () => openLogs() <= atStart, 2_000);
});

test('too many sessions that nobody came for are told as 429, at the kubelet and at the API server', async () => {
  const path = '{.status.containerStatuses[0].containerID}';
  const [, containerId = ''] = (
    await node.kubectlOk(['get', 'pod', 'target', '-o', `jsonpath=${path}`])
  ).split('//');
  const { endpoints } = await node.status();
  const cri = createCriClient(endpoints.cri);
  const exec = { containerId, cmd: ['true'], stdout: true };
  try {
    for (let left = 10; left > 0; left--)
      await Promise.allSettled(Array.from({ length: 110 }, () => cri.runtime.exec(exec)));
    await assert.rejects(cri.runtime.exec(exec), { code: 'RESOURCE_EXHAUSTED' });
  } finally {
    cri.close();
  }
  const throughApi = `${endpoints.api}/api/v1/namespaces/default/pods/target/exec?command=true&stdout=true`;
  for (const path of ['/exec/default/target/main?command=true&output=1', throughApi]) {
    const answer = await ask('POST', path, { headers: upgrade });
    assert.equal(answer.status, 429, answer.body);
    assert.match(answer.body, /maximum number of in-flight requests exceeded/);
  }
});

describe('a kubelet whose debugging handlers are off', () => {
  let kubelet: ChildProcess;
  let readOnlyPort: number;

  before(async () => {
    readOnlyPort = await freePort();
    kubelet = await replaceKubelet(node, { enableDebuggingHandlers: false, readOnlyPort });
    origin = await kubeletOrigin();
  });
  after(() => kubelet?.kill('SIGKILL'));

  for (const [method, path] of [
    ['POST', '/exec/default/target/main?command=true&output=1'],
    ['POST', '/attach/default/target/main?output=1'],
    ['POST', '/portForward/default/target'],
    ['POST', '/run/default/target/main?cmd=true'],
    ['GET', '/containerLogs/default/target/main'],
    ['GET', '/runningpods/'],
    ['GET', '/logs/'],
  ] as const) {
    test(`75: answers 405 for ${path.split('/')[1]}`, async () => {
      assert.equal((await ask(method, path)).status, 405);
      if (method === 'POST') assert.equal((await ask(method, path, { headers: upgrade })).status, 405);
    });
  }

  test('75: still tells its pods and metrics', async () => {
    assert.equal((await ask('GET', '/pods')).status, 200);
    assert.equal((await ask('GET', '/metrics')).status, 200);
  });

  test('76: has no exec, run or logs on its read-only port either, but pods', async () => {
    const plain = (path: string, headers = {}) =>
      new Promise<number>((resolve, reject) => {
        const request = http.get({ host: origin.hostname, port: readOnlyPort, path, headers, agent: false });
        request.once('response', (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        request.once('upgrade', () => resolve(101));
        request.once('error', reject);
      });
    assert.equal(await plain('/pods'), 200);
    for (const path of ['/exec/default/target/main?command=true&output=1', '/run/default/target/main']) {
      assert.notEqual(await plain(path), 200);
      assert.notEqual(await plain(path, upgrade).catch(() => 0), 101);
    }
    assert.notEqual(await plain('/containerLogs/default/target/main'), 200);
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startEcho, TestKubelet } from '../packages/apiserver/test/test-kubelet.ts';
import { TestServer } from '../packages/apiserver/test/test-server.ts';
import { run, start } from './command.ts';
import { unlessKubectlHas } from './kubectl-version.ts';
import { eventually, wherry, wherryEntry } from './node.ts';

const skip = unlessKubectlHas('the flags and words of 1.32');

let server: TestServer;
let kubelet: TestKubelet;
let folder: string;

/** What has pods, by the path it is created at; each finds the one pod of its own name, or both pods of `web`. */
const owners: [path: string, apiVersion: string, kind: string][] = [
  ['/api/v1/namespaces/default/replicationcontrollers', 'v1', 'ReplicationController'],
  ['/apis/apps/v1/namespaces/default/deployments', 'apps/v1', 'Deployment'],
  ['/apis/apps/v1/namespaces/default/replicasets', 'apps/v1', 'ReplicaSet'],
  ['/apis/apps/v1/namespaces/default/statefulsets', 'apps/v1', 'StatefulSet'],
  ['/apis/apps/v1/namespaces/default/daemonsets', 'apps/v1', 'DaemonSet'],
  ['/apis/batch/v1/namespaces/default/jobs', 'batch/v1', 'Job'],
];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-kinds-'));
  server = await TestServer.start({ runtimeConfig: { 'api/all': true } });
  kubelet = await TestKubelet.start(server);
  await kubelet.register(server);
  await create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  for (const name of ['one', 'web-1', 'web-2']) await createPod(name, name.split('-')[0] ?? '');
  for (const app of ['one', 'web']) {
    for (const [path, apiVersion, kind] of owners) await create(path, ownerOf(apiVersion, kind, app));
    const ports = [{ port: 80 }];
    await create('/api/v1/namespaces/default/services', {
      metadata: { name: app },
      spec: { selector: { app }, ports },
    });
  }
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await kubelet?.close();
  await server?.close();
});

async function create(path: string, body: object): Promise<void> {
  const { status, text } = await server.request('POST', path, { body });
  assert.equal(status, 201, text);
}

async function createPod(name: string, app: string): Promise<void> {
  const container = (container: string) => ({ name: container, image: 'i' });
  const path = '/api/v1/namespaces/default/pods';
  await create(path, {
    metadata: { name, labels: { app } },
    spec: {
      nodeName: 'worker',
      initContainers: [container('first')],
      containers: [container('main'), container('side')],
    },
  });
  const body = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
  const type = 'application/merge-patch+json';
  const { status, text } = await server.request('PATCH', `${path}/${name}/status`, { body, type });
  assert.equal(status, 200, text);
}

function ownerOf(apiVersion: string, kind: string, app: string): object {
  const labels = { app };
  const plain = kind === 'ReplicationController';
  return {
    apiVersion,
    kind,
    metadata: { name: app },
    spec: {
      selector: plain ? labels : { matchLabels: labels },
      ...(kind === 'Job' ? { manualSelector: true } : {}),
      ...(kind === 'StatefulSet' ? { serviceName: app } : {}),
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: kind === 'Job' ? 'Never' : 'Always',
          containers: [{ name: 'main', image: 'i' }],
        },
      },
    },
  };
}

interface Answered {
  code: number | null;
  stdout: string[];
  stderr: string;
  /** What the kubelet was asked for. */
  asked: string[];
}

async function answersOf(words: string[]): Promise<{ theirs: Answered; ours: Answered }> {
  const env = { KUBECONFIG: server.kubeconfig, HOME: folder };
  const note = async (program: (words: string[], options: object) => ReturnType<typeof run>) => {
    kubelet.seen.length = 0;
    const { code, stdout, stderr } = await program(words, { env });
    // kubectl takes several logs in any order.
    const asked = kubelet.seen.map(({ url }) => url).sort();
    return { code, stdout: stdout.split('\n').sort(), stderr: stderr.replaceAll('kubectl', 'wherry'), asked };
  };
  const theirs = await note((list, options) => run('kubectl', list, options));
  return { theirs, ours: await note(wherry) };
}

const kindNames = [
  ...['po', 'pods', 'svc', 'service', 'services', 'rc', 'replicationcontroller', 'deploy', 'deployment'],
  ...[
    'deployments.apps',
    'deployment.v1.apps',
    'rs',
    'replicasets',
    'sts',
    'statefulset',
    'ds',
    'daemonsets',
  ],
  ...['job', 'jobs.batch'],
];
const logCommands = [
  ...kindNames.map((kind) => ['logs', `${kind}/one`]),
  ...['one', 'one side', 'one -c first', 'one --all-containers', 'one --all-containers --prefix'].map(
    (words) => ['logs', ...words.split(' ')],
  ),
  ['logs', 'one', '--tail=5', '--since=90s', '--timestamps', '--limit-bytes=100', '-p'],
  ['logs', 'one', '--since-time=2020-01-01T00:00:00Z', '--tail=-1', '--insecure-skip-tls-verify-backend'],
  ['logs', 'deploy/web', '--all-pods'],
  ['logs', 'deploy/web', '--all-pods', '--all-containers'],
  ['logs', '-l', 'app=web'],
  ['logs', '-l', 'app=web', '--all-containers', '--prefix', '--tail=3'],
  ['logs', '-l', 'app=web', '--tail=-1', '-c', 'side'],
  ['logs', '-l', 'app=web', '-f', '--all-containers'],
  ['logs', '-l', 'app=absent'],
  ['logs', 'absent'],
  ['logs', 'deploy/absent'],
  ['logs', 'one', '-c', 'absent'],
];

/** kubectl's logs say `error: error from server`, where its other commands say `Error from server`, as ours do. */
const withoutSecondPrefix = (stderr: string) =>
  stderr.trim().replace(/^error: error from server/, 'Error from server');

for (const words of logCommands) {
  test(`${words.join(' ')}: the same log, words and exit code as kubectl`, { skip }, async () => {
    const { theirs, ours } = await answersOf(words);
    assert.deepEqual({ ...ours, stderr: undefined }, { ...theirs, stderr: undefined }, ours.stderr);
    // Newer kubectl, as ours, goes on to say which containers there are.
    assert.ok(
      ours.stderr.startsWith(withoutSecondPrefix(theirs.stderr)),
      `kubectl: ${theirs.stderr}ours: ${ours.stderr}`,
    );
  });
}

test('logs deploy/web says which of its pods it took', { skip }, async () => {
  const { theirs, ours } = await answersOf(['logs', 'deploy/web']);
  const pattern =
    /^Found 2 pods, using pod\/web-[12]\nDefaulted container "main" out of: main, side, first \(init\)\n$/;
  assert.match(theirs.stderr, pattern);
  assert.match(ours.stderr, pattern);
});

for (const kind of kindNames) {
  test(`exec ${kind}/one: the same pod and exit code as kubectl`, { skip }, async () => {
    const { theirs, ours } = await answersOf(['exec', `${kind}/one`, '-q', '--', '7']);
    assert.equal(theirs.code, 7);
    assert.deepEqual(ours, theirs);
  });
}

test('exec -f goes to the pod of the file, or of what the file describes', { skip }, async () => {
  const pod = join(folder, 'pod.json');
  const containers = [{ name: 'main', image: 'i' }];
  const metadata = { name: 'one' };
  writeFileSync(pod, JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers } }));
  const owner = join(folder, 'deployment.json');
  writeFileSync(owner, JSON.stringify(ownerOf('apps/v1', 'Deployment', 'one')));
  for (const file of [pod, owner]) {
    const { theirs, ours } = await answersOf(['exec', '-q', '-f', file, '--', '7']);
    assert.equal(theirs.code, 7, theirs.stderr);
    assert.deepEqual(ours, theirs);
  }
  const { theirs, ours } = await answersOf(['exec', '-f', pod, 'one', '--', '7']);
  assert.deepEqual([ours.code, theirs.code], [1, 1]);
});

test('one log of several that fails is said and passed over with --ignore-errors', { skip }, async () => {
  kubelet.answer = (request, response) => {
    if (request.url?.includes('/side')) response.writeHead(500).end('no such log');
    else response.end(`log of ${request.url}\n`);
  };
  try {
    const { theirs, ours } = await answersOf(['logs', 'one', '--all-containers', '--ignore-errors']);
    assert.deepEqual([ours.code, theirs.code], [0, 0]);
    assert.deepEqual(ours.stdout, theirs.stdout);
  } finally {
    kubelet.answer = undefined;
  }
});

for (const words of [
  'deploy/one',
  'job/one -c side',
  'svc/one -q',
  'one',
  'one -c absent',
  'cm/one',
  'absent',
]) {
  test(`attach ${words}: as kubectl`, { skip }, async () => {
    const { theirs, ours } = await answersOf(['attach', ...words.split(' ')]);
    assert.deepEqual(
      [ours.code, ours.stdout, ours.asked],
      [theirs.code, theirs.stdout, theirs.asked],
      ours.stderr,
    );
  });
}

test('port-forward goes to the pod behind each kind', async () => {
  await using echo = await startPage();
  const env = { KUBECONFIG: server.kubeconfig, HOME: folder };
  for (const kind of ['po', 'svc', 'deploy', 'rs', 'rc', 'sts', 'ds', 'job']) {
    // The service has port 80 alone, whose target is port 80 of the pod.
    const wanted = kind === 'svc' ? '80' : String(echo.port);
    const child = start(process.execPath, [wherryEntry, 'port-forward', `${kind}/one`, `:${wanted}`], {
      env,
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    try {
      const port = await eventually(`${kind} is forwarded`, () => /127\.0\.0\.1:(\d+) ->/.exec(said)?.[1]);
      assert.match(said, new RegExp(`-> ${wanted}\n`));
      if (kind !== 'svc') assert.equal(await (await fetch(`http://127.0.0.1:${port}`)).text(), 'page');
    } finally {
      child.kill('SIGTERM');
    }
  }
});

async function startPage(): Promise<AsyncDisposable & { port: number }> {
  const { port, close } = await startEcho('page');
  return { port, [Symbol.asyncDispose]: async () => close() };
}

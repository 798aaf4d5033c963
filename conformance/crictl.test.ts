/** crictl, the command line for container runtimes, against our CRI socket: what a person at a node would do. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { packTree } from '@wherry/images';
import { detectCgroups, foldersOfProcess } from '@wherry/linux';
import { checkpointProblem } from '../packages/linux/test/needs.ts';
import { makeBusyboxTree } from './cri/busybox-tree.ts';
import { type CriNode, startCriNode } from './cri/cri-node.ts';
import { buildCrictl } from './cri/judges.ts';

const run = promisify(execFile);
const patienceMs = 10_000;

let folder: string;
let program: string;
let node: CriNode;
let podId: string;
let containerId: string;

before(async () => {
  program = await buildCrictl();
  folder = await mkdtemp(join(tmpdir(), 'wherry-crictl-'));
  const tree = join(folder, 'tree');
  await mkdir(tree);
  makeBusyboxTree(tree);
  node = await startCriNode({ podCidr: '10.86.0.0/24' });
  await node.images.build(packTree(tree), { name: 'crictl-test', cmd: ['sh'] });
  podId = await startPod();
  containerId = await startContainer(podId);
});

after(async () => {
  await node?.close();
  await rm(folder, { recursive: true, force: true });
});

const argumentsOf = (command: string[]) => [
  '--runtime-endpoint',
  node.endpoint,
  '--image-endpoint',
  node.endpoint,
  ...command,
];

async function crictl(...command: string[]): Promise<string> {
  return (await run(program, argumentsOf(command))).stdout;
}

async function writeConfig(name: string, config: object): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(config));
  return path;
}

async function startPod(): Promise<string> {
  const metadata = { name: 'pod', namespace: 'default', uid: 'uid-1', attempt: 1 };
  const config = { metadata, log_directory: join(folder, 'logs'), linux: {} };
  return (await crictl('runp', await writeConfig('pod.json', config))).trim();
}

/** A container that serves a page, and repeats on its output what it reads. */
async function startContainer(pod: string): Promise<string> {
  const config = {
    metadata: { name: 'main', attempt: 1 },
    image: { image: 'crictl-test' },
    command: [
      'sh',
      '-c',
      'httpd -p 127.0.0.1:8080 -h /www; echo started; while read line; do echo "got $line"; done; sleep 100000',
    ],
    log_path: 'main.log',
    stdin: true,
    linux: {},
  };
  const created = await crictl(
    'create',
    pod,
    await writeConfig('main.json', config),
    join(folder, 'pod.json'),
  );
  await crictl('start', created.trim());
  return created.trim();
}

async function eventually(check: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await check())) {
    if (performance.now() > deadline) assert.fail(`${what} did not happen within ${patienceMs} ms`);
    await delay(50);
  }
}

test('pods, containers and images are listed', async () => {
  assert.match(await crictl('pods'), /pod\s+default\s+1/);
  assert.match(await crictl('ps'), /Running\s+main/);
  assert.match(await crictl('images'), /docker.io\/library\/crictl-test\s+latest/);
  assert.match(await crictl('info'), /"NetworkReady"/);
  assert.match(await crictl('version'), /RuntimeName:\s+wherry/);
});

test('inspectp and inspect tell address and state', async () => {
  const pod = JSON.parse(await crictl('inspectp', podId)) as {
    status: { network: { ip: string }; state: string };
  };
  assert.match(pod.status.network.ip, /^10\.86\.0\.\d+$/);
  assert.equal(pod.status.state, 'SANDBOX_READY');
  const container = JSON.parse(await crictl('inspect', containerId)) as { status: { state: string } };
  assert.equal(container.status.state, 'CONTAINER_RUNNING');
});

for (const transport of ['spdy', 'websocket']) {
  test(`exec over ${transport} gives output and exit code`, async () => {
    assert.equal(await crictl('exec', '--transport', transport, containerId, 'echo', 'hello'), 'hello\n');
    const failing = crictl('exec', '--transport', transport, containerId, 'sh', '-c', 'exit 7');
    await assert.rejects(failing, /exit code 7|exit status 7|code: 7/);
  });

  test(`attach over ${transport} carries input and output`, async () => {
    const child = spawn(program, argumentsOf(['attach', '-i', '--transport', transport, containerId]));
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stdin.write(`by ${transport}\n`);
    await eventually(async () => output.includes(`got by ${transport}\n`), 'the echo over attach');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });

  test(`port-forward over ${transport} reaches a server on the pod's loopback`, async () => {
    const child = spawn(program, argumentsOf(['port-forward', '--transport', transport, podId, '0:8080']));
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await eventually(async () => /127\.0\.0\.1:\d+ -> 8080/.test(output), 'the forward');
    const port = Number(/127\.0\.0\.1:(\d+) ->/.exec(output)?.[1]);
    assert.match(await fetchText(port), /served from a test image/);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
}

function fetchText(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: '/', agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}

test('exec --sync gives output', async () => {
  assert.equal((await crictl('exec', '--sync', containerId, 'echo', 'sync')).trimEnd(), 'sync');
});

test('logs show what the container printed', async () => {
  assert.match(await crictl('logs', containerId), /^started\n/);
  assert.match(await readFile(join(folder, 'logs/main.log'), 'utf8'), /^\S+ stdout F started\n/);
});

test('stats, statsp and imagefsinfo have numbers', async () => {
  const stats = JSON.parse(await crictl('stats', '-o', 'json')) as {
    stats: { memory: { usageBytes: { value: string } } }[];
  };
  assert.ok(Number(stats.stats[0]?.memory.usageBytes.value) > 0);
  const pods = JSON.parse(await crictl('statsp', '-o', 'json')) as {
    stats: { linux: { network: { defaultInterface: { name: string } } } }[];
  };
  assert.equal(pods.stats[0]?.linux.network.defaultInterface.name, 'eth0');
  assert.match(await crictl('imagefsinfo'), /"usedBytes"/);
});

/** What the kernel holds a process's group to, in bytes. */
function memoryLimitOf(pid: number): number {
  const { controllers, unified } = foldersOfProcess(detectCgroups(), pid);
  const legacy = controllers.get('memory');
  const file = legacy ? join(legacy, 'memory.limit_in_bytes') : join(unified ?? '', 'memory.max');
  return Number(readFileSync(file, 'utf8'));
}

test('update changes a limit', async () => {
  await crictl('update', '--memory', `${64 * 1024 * 1024}`, containerId);
  const container = JSON.parse(await crictl('inspect', containerId)) as {
    info: { pid: number };
    status: { resources: { linux: { memoryLimitInBytes: string } } };
  };
  assert.equal(container.status.resources.linux.memoryLimitInBytes, `${64 * 1024 * 1024}`);
  assert.equal(memoryLimitOf(container.info.pid), 64 * 1024 * 1024);
});

test('checkpoint writes an archive, and create goes on from it', { skip: checkpointProblem() }, async () => {
  const config = async (name: string, image: string) =>
    writeConfig(`${name}.json`, {
      ...{ metadata: { name, attempt: 1 }, image: { image }, log_path: `${name}.log`, linux: {} },
      command: ['sh', '-c', 'i=0; while sleep 0.1; do i=$((i+1)); echo $i; done'],
    });
  const start = async (name: string, image: string) => {
    const pod = join(folder, 'pod.json');
    const id = (await crictl('create', podId, await config(name, image), pod)).trim();
    await crictl('start', id);
    return id;
  };
  const reached = async (id: string) => Number((await crictl('logs', '--tail', '1', id)).trim());
  const counter = await start('counter', 'crictl-test');
  await eventually(async () => (await reached(counter)) > 5, 'the counter');
  const archive = join(folder, 'counter.tar');
  await crictl('checkpoint', `--export=${archive}`, counter);
  const count = await reached(counter);
  await crictl('rm', '--force', counter);
  const back = await start('back', archive);
  await eventually(async () => (await reached(back)) > count + 3, 'the restored counter');
  assert.match(await crictl('ps'), /Running\s+back/);
  await crictl('rm', '--force', back);
});

test('events tell the life of a container', async () => {
  const child = spawn(program, argumentsOf(['events']));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await delay(500);
  const created = (
    await crictl(
      'create',
      podId,
      await writeConfig('short.json', shortConfig('short')),
      join(folder, 'pod.json'),
    )
  ).trim();
  await crictl('start', created);
  await eventually(async () => output.includes('CONTAINER_STOPPED_EVENT'), 'the stopped event');
  await crictl('rm', created);
  await eventually(async () => output.includes('CONTAINER_DELETED_EVENT'), 'the deleted event');
  const order = [...output.matchAll(/CONTAINER_(\w+)_EVENT/g)].map(([, name]) => name);
  assert.deepEqual(order, ['CREATED', 'STARTED', 'STOPPED', 'DELETED']);
  child.kill('SIGKILL');
});

const shortConfig = (name: string) => ({
  metadata: { name, attempt: 1 },
  image: { image: 'crictl-test' },
  command: ['sh', '-c', 'exit 5'],
  linux: {},
});

test('a runtime that is killed comes back with the same pods and containers, and they run on', async () => {
  const before = await Promise.all([crictl('pods', '-o', 'json'), crictl('ps', '-a', '-o', 'json')]);
  const started = await crictl('exec', '--sync', containerId, 'sh', '-c', 'cut -d" " -f22 /proc/1/stat');
  await node.replaceRuntime();
  const afterwards = await Promise.all([crictl('pods', '-o', 'json'), crictl('ps', '-a', '-o', 'json')]);
  assert.deepEqual(
    afterwards.map((text) => JSON.parse(text)),
    before.map((text) => JSON.parse(text)),
  );
  assert.equal(
    await crictl('exec', '--sync', containerId, 'sh', '-c', 'cut -d" " -f22 /proc/1/stat'),
    started,
  );
});

test('stop and remove leave nothing listed', async () => {
  await crictl('stop', '--timeout', '1', containerId);
  assert.match(await crictl('ps', '-a'), /Exited\s+main/);
  await crictl('rm', containerId);
  await crictl('stopp', podId);
  await crictl('rmp', podId);
  assert.doesNotMatch(await crictl('pods'), /default/);
  await crictl('rmi', 'crictl-test');
  assert.doesNotMatch(await crictl('images'), /crictl-test/);
});

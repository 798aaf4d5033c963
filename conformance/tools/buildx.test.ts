/** docker buildx with its driver for Kubernetes before a real node: whole builds go through exec, contexts one way and results the other. */
import assert from 'node:assert/strict';
import { createHash, randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { after, before, test } from 'node:test';
import { run, start } from '../../e2e/command.ts';
import { fillTree } from '../../e2e/image.ts';
import { eventually, podOf, TestNode } from '../../e2e/node.ts';
import { buildTool } from './build.ts';
import { buildBuilderImage, builderImage } from './buildx/builder-image.ts';
import { type OpenRegistry, openRegistry } from './buildx/open-registry.ts';

const stepMs = 120_000;
const largeBytes = 200 << 20;

let node: TestNode;
let folder: string;
let buildx: string;
let buildctl: string;
let registry: OpenRegistry;

const environment = () => ({
  KUBECONFIG: node.kubeconfig,
  HOME: folder,
  BUILDX_CONFIG: join(folder, 'buildx'),
  DOCKER_CONFIG: folder,
});

before(async () => {
  buildx = await buildTool('buildx');
  buildctl = await buildTool('buildctl');
  folder = mkdtempSync(join(tmpdir(), 'wherry-buildx-'));
  const hosts = join(folder, 'hosts');
  mkdirSync(hosts);
  node = await TestNode.start('builds', ['--registry-config', hosts]);
  const path = ['get', 'node', '-o', 'jsonpath={.items[0].status.addresses[0].address}'];
  registry = await openRegistry(await node.kubectlOk(path), join(folder, 'registry'));
  await buildBuilderImage(node);
  const { address } = registry;
  mkdirSync(join(hosts, address));
  writeFileSync(join(hosts, address, 'hosts.toml'), `server = "http://${address}"\n`);
  writeFileSync(join(folder, 'buildkitd.toml'), `[registry."${address}"]\n  http = true\n`);
});
after(async () => {
  await registry?.[Symbol.asyncDispose]();
  await node?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const ask = (words: readonly string[], options = {}) =>
  run(buildx, words, { env: environment(), timeoutMs: stepMs, ...options });

/** Runs buildx, which must succeed, and answers what it said on both. */
async function said(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await ask(words);
  assert.equal(code, 0, `buildx ${words.join(' ')}: ${stderr}${stdout}`);
  return stdout + stderr;
}

/** A folder to build in, with these files. */
function project(name: string, files: Record<string, string>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

/** One that builds from the shell of the tests. */
function shellProject(name: string, lines: readonly string[], files: Record<string, string> = {}): string {
  const path = project(name, { ...files, Dockerfile: ['FROM scratch', 'COPY tree/ /', ...lines].join('\n') });
  mkdirSync(join(path, 'tree'));
  fillTree(join(path, 'tree'));
  return path;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

const build = (path: string, ...words: string[]) => ['build', '--progress=plain', path, ...words];

const toFolder = () => `--output=type=local,dest=${join(folder, 'out')}`;

/** The same without buildx: buildctl has kubectl make its connection. */
async function buildctlBuilds(path: string): Promise<void> {
  const name = ['get', 'pod', '-l', 'app=judge0', '-o', 'jsonpath={.items[0].metadata.name}'];
  const address = `kube-pod://${await node.kubectlOk(name)}?container=buildkitd`;
  const local = ['context', 'dockerfile'].flatMap((kind) => ['--local', `${kind}=${path}`]);
  const words = ['--addr', address, 'build', '--frontend=dockerfile.v0', ...local, toFolder()];
  const { code, stderr } = await run(buildctl, words, { env: environment(), timeoutMs: stepMs });
  assert.equal(code, 0, stderr);
}

/** Sessions that buildx holds open in the builder. */
const sessions = async () => {
  const words = ['exec', 'deployment/judge0', '--', 'sh', '-c', 'ps | grep "[d]ial-stdio" | wc -l'];
  return Number(await node.kubectlOk(words));
};

test('it starts its builder, and tells what it can do', async () => {
  const options = [
    `image=${builderImage}`,
    'env.BUILDKIT_STEP_LOG_MAX_SIZE=-1',
    'env.BUILDKIT_STEP_LOG_MAX_SPEED=-1',
  ];
  await said(
    ...['create', '--driver=kubernetes', '--name=judge', '--node=judge0', '--use', '--bootstrap'],
    ...options.flatMap((option) => ['--driver-opt', option]),
    ...['--buildkitd-config', join(folder, 'buildkitd.toml')],
    '--buildkitd-flags=--oci-worker-snapshotter=native',
  );
  const told = await said('inspect');
  assert.match(told, /Status: +running/);
  assert.match(told, /BuildKit version/);
  assert.match(await node.kubectlOk(['get', 'deployment', 'judge0']), /1\/1/);
});

for (const [way, builds] of [
  ['over SPDY', (path: string) => said('build', '--progress=plain', path, toFolder())],
  ['over the WebSocket of kubectl, which buildctl starts', buildctlBuilds],
] as const)
  test(`a context of 200 MB comes there whole, and back, ${way}`, { timeout: 2 * stepMs }, async () => {
    const path = project('large', { Dockerfile: 'FROM scratch\nCOPY blob /\n' });
    const bytes = randomFillSync(Buffer.allocUnsafe(largeBytes));
    writeFileSync(join(path, 'blob'), bytes);
    await builds(path);
    assert.equal(await hashOf(join(folder, 'out/blob')), createHash('sha256').update(bytes).digest('hex'));
    for (const done of [path, join(folder, 'out')]) rmSync(done, { recursive: true });
  });

test('ten thousand lines of a step come in order', { timeout: stepMs }, async () => {
  const path = shellProject('talks', ['RUN seq 1 10000 | sed "s/^/line /"']);
  // Printed as text, a line that comes in two pieces stands on two lines.
  const told = await said('build', '--progress=rawjson', path, '--no-cache');
  const pieces = told
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? (JSON.parse(line).logs ?? []) : []));
  const text = pieces.map(({ data }: { data: string }) => Buffer.from(data, 'base64').toString()).join('');
  const lines = [...text.matchAll(/^line (\d+)$/gm)].map(([, number]) => Number(number));
  assert.deepEqual(
    lines,
    Array.from({ length: 10_000 }, (_, index) => index + 1),
  );
});

test('a step that fails is told with its code and what it said', { timeout: stepMs }, async () => {
  const path = shellProject('fails', ['RUN echo to be seen >&2; exit 7']);
  const { code, stderr } = await ask(build(path));
  assert.equal(code, 1);
  assert.match(stderr, /to be seen/);
  assert.match(stderr, /exit code: 7/);
});

test('four builds at once push images, with secrets that stay out of them, and a pod runs one', {
  timeout: 2 * stepMs,
}, async () => {
  const names = ['one', 'two', 'three', 'four'];
  await Promise.all(
    names.map((name) => {
      const step = `RUN --mount=type=secret,id=word sed "s/^/${name} /" /run/secrets/word > /said`;
      const path = shellProject(name, [step, 'CMD ["cat", "/said"]'], { word: `heard by ${name}\n` });
      const image = `${registry.address}/judged/${name}:1`;
      return said(...build(path, '-t', image, '--push', '--secret', `id=word,src=${join(path, 'word')}`));
    }),
  );
  const image = `${registry.address}/judged/three:1`;
  await node.create(podOf('runs', { image, imagePullPolicy: 'Always', command: undefined }));
  await eventually('its word', async () => (await node.kubectl(['logs', 'runs'])).stdout !== '');
  assert.equal(await node.kubectlOk(['logs', 'runs']), 'three heard by three\n');
});

/** Starts a build of one step that never ends, and waits until it has begun. */
async function endlessBuild(name: string) {
  const path = shellProject(name, [`RUN echo begun in ${name}; sleep 10000`]);
  const building = start(buildx, build(path), { env: environment() });
  const ended = once(building, 'close');
  let text = '';
  building.stderr.on('data', (chunk) => (text += chunk));
  await eventually('the step to begin', () => /^#\d+ \S+ begun in/m.test(text));
  return { building, text: () => text, ended };
}

test('a build that is broken off ends in the builder too, and its session with it', {
  timeout: stepMs,
}, async () => {
  const { building, ended } = await endlessBuild('unwanted');
  assert.ok((await sessions()) > 0);
  building.kill('SIGINT');
  const [code] = await ended;
  assert.equal(code, 1);
  await eventually('its session to end', async () => (await sessions()) === 0);
  const words = ['exec', 'deployment/judge0', '--', 'sh', '-c', 'ps | grep "[s]leep 10000" | wc -l'];
  await eventually('its step to end', async () => Number(await node.kubectlOk(words)) === 0);
});

test('a build whose builder goes away ends soon, and says so', { timeout: stepMs }, async () => {
  const { text, ended } = await endlessBuild('left');
  await node.kubectlOk(['delete', 'pod', '-l', 'app=judge0', '--now']);
  const [code] = await ended;
  assert.equal(code, 1);
  assert.match(text(), /^ERROR: failed to build: .*(Unavailable|closing|EOF)/m);
});

test('it takes away what it has made', { timeout: stepMs }, async () => {
  await said('rm', 'judge');
  const left = ['get', 'deployments,configmaps,pods', '-l', 'app=judge0', '-o', 'name'];
  await eventually('the end of its builder', async () => (await node.kubectlOk(left)) === '');
});

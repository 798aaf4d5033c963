/**
 * critest, the conformance suite of container runtimes, against our CRI socket. Its images are made here and offered
 * by a registry on loopback that stands in, as a mirror, for every registry it names. On 2026-11-27 critest 1.37.0 told of 126
 * specs passed, none failed and 16 skipped (by the excuses below) with four processes; on 2026-11-28 on cgroup v2
 * alone (`npm run test:cgroup2 -- critest`) of 120, none and 22 with runc 1.1, of 116, none and 26 with crun 1.8, which
 * has no word of recursive read-only mounts.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { detectCgroups } from '@wherry/linux';
import { stretched } from '../e2e/slowness.ts';
import { makeBusyboxTree } from './cri/busybox-tree.ts';
import { type CriNode, startCriNode } from './cri/cri-node.ts';
import { buildCritest, buildEffectiveUid, critestImageHosts } from './cri/judges.ts';
import { type Registry, startRegistry } from './cri/registry.ts';
import { makeTestImages } from './cri/test-images.ts';
import { binFolder, buildGinkgo } from './e2e/build.ts';
import { areBuilt } from './peers/are-built.ts';

/** Specs that cannot pass on a machine without the published images, under any runtime; each with its reason. */
const impossible: Record<string, string> = {
  'public image with digest should be pulled and removed': 'pins the digest of a published image',
  'runtime should support MaskedPaths':
    "needs a shell that runs /bin/ls; Debian's busybox runs its own ls inside",
};

/** Specs that skip themselves, by parts of their names, and why they may. Any other that does fails the run. */
const excuses: Record<string, string> = {
  ...impossible,
  benchmark: 'measures, and judges nothing',
  ...(hasAppArmor() ? {} : { AppArmor: 'this kernel has no AppArmor, or it is off' }),
  ...(hasOldMemoryFolder()
    ? {
        'UserNamespaces when Host idmap':
          'this kernel has no id-mapped mounts of tmpfs (6.3), which holds the images',
      }
    : {}),
  ...(crunIsMute() ? { ' recursive readonly': 'this crun cannot say whether it makes such mounts' } : {}),
};

/** As critest itself asks. */
function hasAppArmor(): boolean {
  const switchFile = '/sys/module/apparmor/parameters/enabled';
  return existsSync(switchFile) && readFileSync(switchFile, 'utf8').startsWith('Y');
}

/** The folder that nodes of tests live in is a tmpfs of a kernel before 6.3. */
function hasOldMemoryFolder(): boolean {
  const tmpfs = 0x01021994;
  const [major = 0, minor = 0] = release().split('.').map(Number.parseFloat);
  return statfsSync(tmpdir()).type === tmpfs && (major < 6 || (major === 6 && minor < 3));
}

/** The OCI runtime that is taken is a crun without the command `features`, as Debian 12's. */
function crunIsMute(): boolean {
  if (detectCgroups().version === 'hybrid') return false;
  const { error, status } = spawnSync('crun', ['features']);
  return !error && status !== 0;
}

const isExcused = (name: string) => Object.keys(excuses).some((part) => name.includes(part));

interface SpecReport {
  LeafNodeText: string;
  ContainerHierarchyTexts: string[] | null;
  LeafNodeType: string;
  State: 'passed' | 'failed' | 'skipped' | 'pending' | 'panicked' | 'timedout' | 'interrupted' | 'aborted';
  Failure?: { Message: string };
}

let folder: string;
let node: CriNode;
let registry: Registry;
let nriSocketPath: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wherry-critest-'));
  const tree = join(folder, 'tree');
  await mkdir(tree);
  makeBusyboxTree(tree);
  registry = await startRegistry(await makeTestImages(tree, await buildEffectiveUid()));
  const hosts = await critestImageHosts();
  const registryConfig = join(folder, 'certs.d');
  for (const host of hosts) {
    await mkdir(join(registryConfig, host), { recursive: true });
    await writeFile(join(registryConfig, host, 'hosts.toml'), `[host."${registry.url}"]\n`);
  }
  nriSocketPath = join(folder, 'nri.sock');
  // Two specs' plug-ins take two seconds, which is as long as they may by default.
  const nriTimes = { registrationMs: stretched(5000), requestMs: stretched(10_000) };
  node = await startCriNode({ registryConfig, nriSocketPath, nriTimes });
});

after(async () => {
  await node?.close();
  registry?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Specs run beside each other: as many processes of Ginkgo, which critest looks for by its name. */
const processes = 4;

async function runCritest(focus: string | undefined, flags: readonly string[] = []): Promise<SpecReport[]> {
  const report = join(folder, 'report.json');
  const skip = Object.keys(impossible).map((name) => `--ginkgo.skip=${name}`);
  const ginkgoBuilt = areBuilt ? join(binFolder, 'ginkgo') : buildGinkgo();
  const [program, ginkgo] = await Promise.all([buildCritest(), ginkgoBuilt]);
  const child = spawn(
    program,
    [
      `--parallel=${processes}`,
      ...flags,
      `--runtime-endpoint=${node.endpoint}`,
      `--image-endpoint=${node.endpoint}`,
      `--nri-socket=${nriSocketPath}`,
      `--ginkgo.json-report=${report}`,
      '--ginkgo.no-color',
      '--ginkgo.succinct',
      ...skip,
      ...(focus === undefined ? [] : [`--ginkgo.focus=${focus}`]),
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      cwd: folder,
      env: { ...process.env, PATH: `${dirname(ginkgo)}:${process.env['PATH']}` },
    },
  );
  await once(child, 'exit');
  const [suite] = JSON.parse(await readFile(report, 'utf8')) as { SpecReports: SpecReport[] }[];
  return (suite?.SpecReports ?? []).filter(({ LeafNodeType }) => LeafNodeType === 'It');
}

const nameOf = (spec: SpecReport) => [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' ');

const failuresOf = (specs: readonly SpecReport[]) =>
  specs
    .filter(({ State }) => State !== 'passed' && State !== 'skipped' && State !== 'pending')
    .map((spec) => `${nameOf(spec)}: ${spec.Failure?.Message ?? spec.State}`);

test('every critest spec that this machine can run passes, four beside each other', async (context) => {
  const focus = process.env['CRITEST_FOCUS'];
  const specs = await runCritest(focus);
  const passed = specs.filter(({ State }) => State === 'passed');
  const failed = failuresOf(specs);
  context.diagnostic(
    `critest: ${passed.length} passed, ${failed.length} failed, ${specs.length - passed.length - failed.length} skipped`,
  );
  for (const [name, why] of Object.entries(excuses)) context.diagnostic(`may be skipped: ${name}: ${why}`);
  assert.deepEqual(failed, []);
  if (focus !== undefined) return;
  const names = specs.map(nameOf);
  const unexcused = specs.filter(({ State }) => State !== 'passed').map(nameOf);
  assert.deepEqual(
    unexcused.filter((name) => !isExcused(name)),
    [],
  );
  assert.deepEqual(
    Object.keys(excuses).filter((part) => !names.some((name) => name.includes(part))),
    [],
    'an excuse that no spec needs any more',
  );
});

test('the specs of streaming pass over WebSocket too', async () => {
  const streams = ['exec', 'attach', 'portforward'].map((stream) => `--websocket-${stream}`);
  const specs = await runCritest('Streaming', streams);
  assert.deepEqual(failuresOf(specs), []);
  const passed = specs.filter(({ State }) => State === 'passed').map(nameOf);
  assert.ok(passed.length >= 4, passed.join('\n'));
});

/**
 * critest, the conformance suite of container runtimes, against our CRI socket. Its images are made here and offered
 * by a registry on loopback that stands in, as a mirror, for every registry it names.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeBusyboxTree } from './cri/busybox-tree.ts';
import { type CriNode, startCriNode } from './cri/cri-node.ts';
import { buildCritest, buildEffectiveUid, critestImageHosts } from './cri/judges.ts';
import { type Registry, startRegistry } from './cri/registry.ts';
import { makeTestImages } from './cri/test-images.ts';

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
  ...(existsSync('/sys/module/apparmor') ? {} : { AppArmor: 'this kernel has no AppArmor' }),
};
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
  node = await startCriNode({ registryConfig });
});

after(async () => {
  await node?.close();
  registry?.close();
  await rm(folder, { recursive: true, force: true });
});

async function runCritest(): Promise<SpecReport[]> {
  const report = join(folder, 'report.json');
  const skip = Object.keys(impossible).map((name) => `--ginkgo.skip=${name}`);
  const focus = process.env['CRITEST_FOCUS'];
  const program = await buildCritest();
  const child = spawn(
    program,
    [
      `--runtime-endpoint=${node.endpoint}`,
      `--image-endpoint=${node.endpoint}`,
      `--ginkgo.json-report=${report}`,
      '--ginkgo.no-color',
      '--ginkgo.succinct',
      ...skip,
      ...(focus === undefined ? [] : [`--ginkgo.focus=${focus}`]),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder },
  );
  await once(child, 'exit');
  const [suite] = JSON.parse(await readFile(report, 'utf8')) as { SpecReports: SpecReport[] }[];
  return (suite?.SpecReports ?? []).filter(({ LeafNodeType }) => LeafNodeType === 'It');
}

const nameOf = (spec: SpecReport) => [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' ');

test('every critest spec that this machine can run passes', async (context) => {
  const specs = await runCritest();
  const passed = specs.filter(({ State }) => State === 'passed');
  const failed = specs.filter(
    ({ State }) => State !== 'passed' && State !== 'skipped' && State !== 'pending',
  );
  context.diagnostic(
    `critest: ${passed.length} passed, ${failed.length} failed, ${specs.length - passed.length - failed.length} skipped`,
  );
  for (const [name, why] of Object.entries(excuses)) context.diagnostic(`may be skipped: ${name}: ${why}`);
  assert.deepEqual(
    failed.map((spec) => `${nameOf(spec)}: ${spec.Failure?.Message ?? spec.State}`),
    [],
  );
  if (process.env['CRITEST_FOCUS'] !== undefined) return;
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

/**
 * Kubernetes' suite of the node, `test/e2e_node`, against a kubelet that it did not start: `npm run conformance -- e2e-node
 * [--focus TEXT] [--skip TEXT] [--kubelet wherry|upstream] [--runtime wherry|containerd] [--procs N] [--timeout TIME] [--once]
 * [--logs DIR] [--keep]`. Focus and skip are regular expressions over specs' names; without them it is all that is neither serial,
 * slow, disruptive, flaky nor of a feature. Serial ones, which want `--procs 1`, stop the kubelet and start it anew with another
 * configuration: what they ask of systemd is done by service-manager/kubelet-unit.ts. The
 * specs of `test/e2e/common`, which the suite carries too, are the business of `e2e`. A spec that fails has a second chance
 * with none beside it. `--keep` writes results.md, in place of what the same flags gave before. The exit code is 0 only when
 * every spec passed or stands in ../e2e/reasons.ts.
 *
 * The suite knows a kubelet by what kubelets have on every machine: it wants the ports 10248, 10250 and 10255 and the folders of
 * the-machine.ts for itself.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createGroup, detectCgroups, enterGroup, foldersAt, removeGroup } from '@wherry/linux';
import { FakeLogind, withoutLogind } from '../../packages/kubelet/test/fake-logind.ts';
import { startRegistry } from '../cri/registry.ts';
import { buildNodeSuite } from '../e2e/build.ts';
import { runTwice } from '../e2e/ginkgo.ts';
import { makeSuiteImages } from '../e2e/images.ts';
import { partsFrom, removeFolder, startNodeOfParts } from '../e2e/nodes/node-of-parts.ts';
import { writeRegistryConfig } from '../e2e/nodes/registry-config.ts';
import { reasonOf } from '../e2e/reasons.ts';
import { resultsSection, specName, withSection } from '../e2e/results.ts';
import { serveKubeletUnit } from './service-manager/kubelet-unit.ts';
import { isOfNodeSuite, skippedTable } from './skipped.ts';
import {
  configFolder,
  configuration,
  configurationFile,
  controllers,
  folders,
  hasSharedMounts,
  kubeletFlags,
  kubeletFolder,
  refuseOtherKubelet,
  runtimeGroup,
  serverFlags,
  staticPodFolder,
} from './the-machine.ts';

if (!hasSharedMounts()) {
  // What the node mounts is to reach containers and back, as where systemd is the first process.
  const words = ['--mount', '--propagation', 'shared', process.execPath, ...process.argv.slice(1)];
  process.exit(spawnSync('unshare', words, { stdio: 'inherit' }).status ?? 1);
}

const { values } = parseArgs({
  options: {
    focus: { type: 'string', default: '.' },
    skip: { type: 'string', default: '\\[(Serial|Slow|Disruptive|Flaky)\\]|\\[Feature:' },
    procs: { type: 'string', default: String(2 * availableParallelism()) },
    kubelet: { type: 'string', default: 'wherry' },
    runtime: { type: 'string', default: 'wherry' },
    timeout: { type: 'string', default: '2h' },
    once: { type: 'boolean', default: false },
    logs: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});

const title = `# Kubernetes' suite of the node

\`test/e2e_node\` against a kubelet that it did not start, by \`npm run conformance -- e2e-node\` with the flags of each heading.
What is in \`test/e2e/common\` stands in [the other table](../e2e/results.md).
`;

const { focus, skip, procs, kubelet, runtime, timeout, once, keep } = values;
const parts = partsFrom({ kubelet, runtime });
if (!parts) throw new Error('--kubelet and --runtime have defaults');
refuseOtherKubelet();
const folder = await mkdtemp(join(tmpdir(), 'wherry-node-suite-'));
const [built, images] = await Promise.all([buildNodeSuite(), makeSuiteImages()]);
// The suite runs where its program is, and writes the kubelet's configuration there.
const program = join(folder, basename(built));
await symlink(built, program);
const registry = await startRegistry(images);
const token = randomBytes(16).toString('hex');
const tokens = join(folder, 'tokens.csv');
for (const made of [staticPodFolder(folder), configFolder(folder)]) await mkdir(made);
await writeFile(tokens, `${token},suite,suite,system:masters\n`, { mode: 0o600 });

async function startNode(parts: NonNullable<ReturnType<typeof partsFrom>>) {
  const options = { folder, registryConfig: writeRegistryConfig(folder, registry.url) };
  return startNodeOfParts(parts, options, {
    ...{ configuration: configuration(folder), configurationFile: configurationFile(folder) },
    kubeletFlags: ['--config-dir', configFolder(folder), ...kubeletFlags],
    controllers,
    ...{ rootDir: kubeletFolder, cgroupRoot: '/', serverFlags: serverFlags(tokens) },
  });
}

// The suite announces shutdowns as anybody on the bus might, and our kubelet believes logind alone: this one says it again. It
// takes any delay, so that the machine's own configuration is left alone.
const noLogind = withoutLogind();
if (noLogind) console.log(`specs of shutdowns will fail: a logind of the suite's own ${noLogind}`);
const logind = noLogind ? undefined : await FakeLogind.start({ delaySeconds: 3_600, relays: true });
if (logind) process.env.DBUS_SYSTEM_BUS_ADDRESS = logind.busAddress;

let node: Awaited<ReturnType<typeof startNode>> | undefined;
let unit: Awaited<ReturnType<typeof serveKubeletUnit>> | undefined;
try {
  createGroup(foldersAt(detectCgroups(), runtimeGroup));
  node = await startNode(parts);
  if (node.runtimePidFile !== undefined)
    enterGroup(foldersAt(detectCgroups(), runtimeGroup), Number(await readFile(node.runtimePidFile, 'utf8')));
  unit = await serveKubeletUnit(folder, node.kubelet);
  const mayFail = (name: string) => reasonOf(name) !== undefined;
  const flags = [
    ...[`--host=${node.url}`, `--bearer-token=${token}`, `--node-name=${node.name}`],
    ...[`--container-runtime-endpoint=${node.endpoint}`, '--dns-domain=cluster.local'],
    ...(node.runtimePidFile === undefined ? [] : [`--container-runtime-pid-file=${node.runtimePidFile}`]),
    ...['--start-services=false', '--stop-services=false', '--restart-kubelet=false'],
    ...['--prepull-images=false', `--config-dir=${configFolder(folder)}`],
  ];
  const choice = { focus, skip, procs, once, focusFile: 'test/e2e_node/' };
  const suite = { program, flags, folder, timeout, mayFail, programs: unit.programs };
  const { specs, skipped } = await runTwice(suite, choice);
  const chosen = `--focus '${focus}' --skip '${skip}'`;
  const isTheirs = kubelet === 'upstream' && runtime === 'containerd';
  const section = resultsSection(specs, {
    flags: `--kubelet ${kubelet} --runtime ${runtime} ${chosen}`,
    ...{ date: new Date(), reasonOf, whose: isTheirs ? 'theirs' : 'ours' },
  });
  const text = `${section}\n${skippedTable(skipped.filter(isOfNodeSuite))}`;
  console.log(text);
  const page = join(import.meta.dirname, 'results.md');
  if (keep) await writeFile(page, withSection(await readFile(page, 'utf8'), text, title));
  const isFailure = (spec: (typeof specs)[number]) => spec.State !== 'passed' && !mayFail(specName(spec));
  if (specs.length === 0 || specs.some(isFailure)) process.exitCode = 1;
} finally {
  unit?.close();
  await node?.close();
  await logind?.[Symbol.asyncDispose]();
  registry.close();
  removeGroup(foldersAt(detectCgroups(), runtimeGroup));
  if (values.logs !== undefined && node) await cp(join(folder, 'logs'), values.logs, { recursive: true });
  for (const made of [...folders, folder]) removeFolder(made);
}

/**
 * Kubernetes' own end-to-end suite against a whole node: `npm run conformance -- e2e [--focus TEXT]... [--skip TEXT]
 * [--all | --set NAME] [--kubelet wherry|upstream] [--runtime wherry|containerd] [--procs N] [--nodes N] [--timeout TIME]
 * [--once] [--logs DIR] [--keep]`. Focus and skip are regular expressions over specs' names;
 * without them it is what every node must pass, [NodeConformance] that is neither serial, slow nor disruptive. What
 * several `--focus` choose runs one after the other. `--all` is Kubernetes' whole list of conformance, in place of focus
 * and skip, on two nodes unless `--nodes` says how many the cluster has; what is serial runs behind the rest. `--set` is
 * one of sets.ts, in place of them too. A spec that fails has a second chance with none beside it, and the table says so;
 * with `--once` none has. `--kubelet` and `--runtime` put the node together of ours and upstream's, each alone and the
 * control plane ours (nodes/node-of-parts.ts). `--logs` keeps what the node's processes said. `--keep` writes what came out
 * into results.md, in place of what the same flags gave before. The exit code is 0 only when every spec passed or stands in
 * reasons.ts.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRegistry } from '../cri/registry.ts';
import { buildKubectl, buildSuite, conformanceList } from './build.ts';
import { runTwice, type Suite } from './ginkgo.ts';
import { makeSuiteImages } from './images.ts';
import type { JudgedNode } from './nodes/judged-node.ts';
import { type Parts, partsFrom, startNodeOfParts } from './nodes/node-of-parts.ts';
import { writeRegistryConfig } from './nodes/registry-config.ts';
import { startWholeNode } from './nodes/whole-node.ts';
import { reasonOf } from './reasons.ts';
import { hasFailed, resultsSection, type SpecReport, specName, withMissing, withSection } from './results.ts';
import { specSet } from './sets.ts';

const { values } = parseArgs({
  options: {
    focus: { type: 'string', multiple: true, default: ['\\[NodeConformance\\]'] },
    skip: { type: 'string', default: '\\[(Serial|Slow|Disruptive|Flaky)\\]|\\[Feature:' },
    procs: { type: 'string', default: String(2 * availableParallelism()) },
    nodes: { type: 'string' },
    all: { type: 'boolean', default: false },
    set: { type: 'string' },
    kubelet: { type: 'string' },
    runtime: { type: 'string' },
    // A suite that hangs is ended after this time.
    timeout: { type: 'string', default: '4h' },
    once: { type: 'boolean', default: false },
    logs: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});

const { all, skip, procs, timeout, once, keep } = values;
const set = values.set === undefined ? undefined : specSet(values.set);
if (all && set) throw new Error('--all and --set name different specs: leave one of them out');
/** What runs one after the other, under which heading, unless it is all. */
const choices = set
  ? [{ words: `--set ${values.set}`, focus: set.focus, skip: set.skip }]
  : values.focus.map((focus) => ({ words: `--focus '${focus}' --skip '${skip}'`, focus, skip }));
const nodes = Number(values.nodes ?? set?.nodes ?? (all ? 2 : 1));
const parts = partsFrom(values);
if (parts && nodes > 1)
  throw new Error('--kubelet and --runtime make one node: leave --nodes, --all and sets of more out');
// A short name: drivers make sockets of their own name and a pod's uid below the kubelet's folder, and the kernel allows no
// longer paths than 107 bytes.
const folder = await mkdtemp(join(tmpdir(), 'wh-'));
const [program, kubectl, images] = await Promise.all([buildSuite(), buildKubectl(), makeSuiteImages()]);
const registry = await startRegistry(images);

function startNode(): Promise<JudgedNode> {
  const options = { folder, registryConfig: writeRegistryConfig(folder, registry.url) };
  return parts ? startNodeOfParts(parts, options) : startWholeNode(options, nodes);
}

const page = join(import.meta.dirname, 'results.md');
const madeOf = ({ kubelet, runtime }: Parts) => `--kubelet ${kubelet} --runtime ${runtime} `;
const theirs: Parts = { kubelet: 'upstream', runtime: 'containerd' };
const isTheirs = parts !== undefined && madeOf(parts) === madeOf(theirs);

/** Why a spec may fail: for a reason that stands there, or because it fails where nothing of the node is ours. */
async function reasonsFor(flags: string): Promise<(name: string) => string | undefined> {
  const before = await readFile(page, 'utf8');
  return (name) => {
    if (parts === undefined || isTheirs) return reasonOf(name);
    const fails = hasFailed(before, { flags: `${madeOf(theirs)}${flags}`, name });
    return reasonOf(name) ?? (fails ? "nor with upstream's kubelet on containerd" : undefined);
  };
}

async function judge(flags: string, specs: readonly SpecReport[]): Promise<void> {
  const reasons = await reasonsFor(flags);
  const section = resultsSection(specs, {
    flags: `${parts ? madeOf(parts) : ''}${flags}${values.nodes ? ` --nodes ${values.nodes}` : ''}`,
    date: new Date(),
    ...{ reasonOf: reasons, whose: isTheirs ? 'theirs' : 'ours' },
  });
  console.log(section);
  if (keep) await writeFile(page, withSection(await readFile(page, 'utf8'), section));
  const isFailure = (spec: SpecReport) => spec.State !== 'passed' && !reasons(specName(spec));
  if (specs.length === 0 || specs.some(isFailure)) process.exitCode = 1;
}

/** Kubernetes' whole list; what of it never ran has failed. */
async function runAll(suite: Suite): Promise<SpecReport[]> {
  const { specs } = await runTwice(suite, { focus: '\\[Conformance\\]', skip: '', procs, once });
  return withMissing(specs, await conformanceList());
}

let node: JudgedNode | undefined;
try {
  node = await startNode();
  const suite: Suite = {
    ...{ program, folder, timeout, mayFail: (name: string) => reasonOf(name) !== undefined },
    flags: [
      `--kubeconfig=${node.kubeconfig}`,
      `--kubectl-path=${kubectl}`,
      `--kubelet-root-dir=${node.kubeletRoot}`,
      '--provider=skeleton',
      `--num-nodes=${nodes}`,
    ],
  };
  if (all) await judge('--all', await runAll(suite));
  else
    for (const { words, ...choice } of choices) {
      const { specs } = await runTwice(suite, { ...choice, procs, once });
      await judge(words, specs);
    }
} finally {
  await node?.close();
  registry.close();
  if (values.logs !== undefined && node) await cp(join(folder, 'logs'), values.logs, { recursive: true });
  await rm(folder, { recursive: true, force: true });
}

/**
 * Kubernetes' own end-to-end suite against a whole node: `npm run conformance -- e2e [--focus TEXT]... [--skip TEXT]
 * [--all] [--procs N] [--nodes N] [--timeout TIME] [--keep]`. Focus and skip are regular expressions over specs' names;
 * without them it is what every node must pass, [NodeConformance] that is neither serial, slow nor disruptive. What
 * several `--focus` choose runs one after the other. `--all` is Kubernetes' whole list of conformance, in place of focus
 * and skip, on two nodes unless `--nodes` says how many the cluster has; what is serial runs behind the rest. A spec that
 * fails has a second chance with none beside it, and the table says so. `--keep` writes what came out into results.md, in
 * place of what the same flags gave before. The exit code is 0 only when every spec passed or stands in reasons.ts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { wherry } from '../../e2e/node.ts';
import { startRegistry } from '../cri/registry.ts';
import { buildGinkgo, buildSuite, conformanceList } from './build.ts';
import { makeSuiteImages } from './images.ts';
import { reasonOf } from './reasons.ts';
import { resultsSection, type SpecReport, specName, withMissing, withSection } from './results.ts';

const { values } = parseArgs({
  options: {
    focus: { type: 'string', multiple: true, default: ['\\[NodeConformance\\]'] },
    skip: { type: 'string', default: '\\[(Serial|Slow|Disruptive|Flaky)\\]|\\[Feature:' },
    procs: { type: 'string', default: String(2 * availableParallelism()) },
    nodes: { type: 'string' },
    all: { type: 'boolean', default: false },
    // A suite that hangs is ended after this time.
    timeout: { type: 'string', default: '4h' },
    keep: { type: 'boolean', default: false },
  },
});

const { all, skip, procs, timeout, keep } = values;
const nodes = Number(values.nodes ?? (all ? 2 : 1));
const readySeconds = 300;
const folder = await mkdtemp(join(tmpdir(), 'wherry-suite-'));
const dataDir = join(folder, 'node');
const [suite, ginkgo, images] = await Promise.all([buildSuite(), buildGinkgo(), makeSuiteImages()]);
const registry = await startRegistry(images);

/** The suite's registry is ours, as a mirror. */
async function registryConfig(): Promise<string> {
  const config = join(folder, 'certs.d');
  await mkdir(join(config, 'registry.k8s.io'), { recursive: true });
  await writeFile(join(config, 'registry.k8s.io', 'hosts.toml'), `[host."${registry.url}"]\n`);
  return config;
}

async function startNodes(): Promise<void> {
  const others = Array.from({ length: nodes - 1 }, (_, index) => ({
    name: `suite-${index + 2}`,
  }));
  const file = join(folder, 'nodes.json');
  const document = { apiVersion: 'wherry/v1alpha1', kind: 'Node', name: 'suite', nodes: others };
  await writeFile(file, JSON.stringify({ ...document, ports: { api: 0, kubelet: 0 } }));
  const where = ['--data-dir', dataDir, '--registry-config', await registryConfig()];
  const patience = ['--ready-timeout', String(readySeconds)];
  const words = ['up', '--detach', '--config', file, ...where, ...patience];
  const { code, stderr } = await wherry(words, { timeoutMs: (readySeconds + 30) * 1000 });
  if (code !== 0) throw new Error(`wherry up: ${stderr}`);
}

interface Choice {
  focus: string;
  /** None is left out when it is empty. */
  skip: string;
  procs: string;
}

async function runSuite({ focus, skip, procs }: Choice): Promise<SpecReport[]> {
  const report = join(folder, 'report.json');
  const own = ['--no-color', '--succinct', '--silence-skips', `--procs=${procs}`, `--timeout=${timeout}`];
  const chosen = [`--focus=${focus}`, ...(skip ? [`--skip=${skip}`] : []), `--json-report=${report}`];
  const cluster = [
    `--kubeconfig=${join(dataDir, 'kubeconfig')}`,
    '--provider=skeleton',
    `--num-nodes=${nodes}`,
  ];
  const words = [...own, ...chosen, suite, '--', ...cluster];
  const child = spawn(ginkgo, words, { stdio: ['ignore', 'inherit', 'inherit'], cwd: folder });
  await once(child, 'exit');
  const [result] = JSON.parse(await readFile(report, 'utf8')) as { SpecReports: SpecReport[] }[];
  return (result?.SpecReports ?? []).filter(
    ({ LeafNodeType, State }) => LeafNodeType === 'It' && State !== 'skipped' && State !== 'pending',
  );
}

const isFailure = (spec: SpecReport) => spec.State !== 'passed' && !reasonOf(specName(spec));

/** What came out for each spec, of the second time where it failed the first time. */
async function runTwice(choice: Choice): Promise<SpecReport[]> {
  const specs = await runSuite(choice);
  const failed = specs.filter(isFailure).map(specName);
  if (failed.length === 0) return specs;
  const again = await runSuite({ ...choice, focus: failed.map(exactly).join('|'), procs: '1' });
  const second = new Map(again.map((spec) => [specName(spec), { ...spec, SecondChance: true }]));
  return specs.map((spec) => second.get(specName(spec)) ?? spec);
}

const exactly = (name: string) => `${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`;

async function judge(flags: string, specs: readonly SpecReport[]): Promise<void> {
  const section = resultsSection(specs, {
    flags: `${flags}${values.nodes ? ` --nodes ${values.nodes}` : ''}`,
    date: new Date(),
  });
  console.log(section);
  const page = join(import.meta.dirname, 'results.md');
  if (keep) await writeFile(page, withSection(await readFile(page, 'utf8'), section));
  if (specs.length === 0 || specs.some(isFailure)) process.exitCode = 1;
}

/** Kubernetes' whole list; what of it never ran has failed. */
async function runAll(): Promise<SpecReport[]> {
  const specs = await runTwice({ focus: '\\[Conformance\\]', skip: '', procs });
  return withMissing(specs, await conformanceList());
}

try {
  await startNodes();
  if (all) await judge('--all', await runAll());
  else
    for (const focus of values.focus)
      await judge(`--focus '${focus}' --skip '${skip}'`, await runTwice({ focus, skip, procs }));
} finally {
  await wherry(['down', '--data-dir', dataDir, '--purge']);
  registry.close();
  await rm(folder, { recursive: true, force: true });
}

/**
 * Kubernetes' own end-to-end suite against a whole node: `npm run conformance -- e2e [--focus TEXT] [--skip TEXT]
 * [--procs N] [--timeout TIME] [--keep]`. Focus and skip are regular expressions over specs' names; without them it is what
 * every node must pass, [NodeConformance] that is neither serial, slow nor disruptive. `--keep` writes what came out into
 * results.md, in place of what the same focus and skip gave before. The exit code is 0 only when every spec passed or
 * stands in reasons.ts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { wherry } from '../../e2e/node.ts';
import { startRegistry } from '../cri/registry.ts';
import { buildGinkgo, buildSuite } from './build.ts';
import { makeSuiteImages } from './images.ts';
import { reasonOf } from './reasons.ts';
import { resultsSection, type SpecReport, specName, withSection } from './results.ts';

const { values } = parseArgs({
  options: {
    focus: { type: 'string', default: '\\[NodeConformance\\]' },
    skip: { type: 'string', default: '\\[(Serial|Slow|Disruptive|Flaky)\\]|\\[Feature:' },
    procs: { type: 'string', default: String(2 * availableParallelism()) },
    // A suite that hangs is ended after this time.
    timeout: { type: 'string', default: '90m' },
    keep: { type: 'boolean', default: false },
  },
});

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

async function startNode(): Promise<void> {
  const ports = ['--api-port', '0', '--kubelet-port', '0'];
  const where = ['--data-dir', dataDir, '--name', 'suite', '--registry-config', await registryConfig()];
  const { code, stderr } = await wherry(['up', '--detach', ...where, ...ports]);
  if (code !== 0) throw new Error(`wherry up: ${stderr}`);
}

async function runSuite(): Promise<SpecReport[]> {
  const report = join(folder, 'report.json');
  const own = [
    '--no-color',
    '--succinct',
    '--silence-skips',
    `--procs=${values.procs}`,
    `--timeout=${values.timeout}`,
  ];
  const chosen = [`--focus=${values.focus}`, `--skip=${values.skip}`, `--json-report=${report}`];
  const cluster = [`--kubeconfig=${join(dataDir, 'kubeconfig')}`, '--provider=skeleton', '--num-nodes=1'];
  const words = [...own, ...chosen, suite, '--', ...cluster];
  const child = spawn(ginkgo, words, { stdio: ['ignore', 'inherit', 'inherit'], cwd: folder });
  await once(child, 'exit');
  const [result] = JSON.parse(await readFile(report, 'utf8')) as { SpecReports: SpecReport[] }[];
  return (result?.SpecReports ?? []).filter(
    ({ LeafNodeType, State }) => LeafNodeType === 'It' && State !== 'skipped' && State !== 'pending',
  );
}

try {
  await startNode();
  const specs = await runSuite();
  const { focus, skip } = values;
  const section = resultsSection(specs, { focus, skip, date: new Date() });
  console.log(section);
  const page = join(import.meta.dirname, 'results.md');
  if (values.keep) await writeFile(page, withSection(await readFile(page, 'utf8'), section));
  const failed = specs.filter((spec) => spec.State !== 'passed' && !reasonOf(specName(spec)));
  if (specs.length === 0 || failed.length > 0) process.exitCode = 1;
} finally {
  await wherry(['down', '--data-dir', dataDir, '--purge']);
  registry.close();
  await rm(folder, { recursive: true, force: true });
}

/**
 * containerd's own CRI integration suite against this runtime's socket: `npm run conformance -- containerd-suite [--run NAME]
 * [--keep]`. `--run` is a regular expression over tests' names; without it all run that speak CRI alone (reasons.ts names
 * the others). `--keep` writes results.md. The exit code is 0 only when no failure is this runtime's own.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs, promisify } from 'node:util';
import { startCriNode } from '../cri/cri-node.ts';
import { startRegistry } from '../cri/registry.ts';
import { buildSuite } from './build.ts';
import { imageHosts, makeSuiteImages } from './images.ts';
import { reasonOf } from './reasons.ts';
import { isOurs, plainOutput, readResults, resultsPage, type TestResult } from './results.ts';

const run = promisify(execFile);

const { values } = parseArgs({
  options: { run: { type: 'string', default: '.' }, keep: { type: 'boolean', default: false } },
});

/** Where the plug-ins of the suite connect. */
const nriSocketPath = '/var/run/nri-test.sock';

/** The suite asks this folder's file system whether pods can have users of their own. */
const probedFolder = '/var/lib/containerd-test';

const folder = await mkdtemp(join(tmpdir(), 'wherry-containerd-suite-'));
const [{ program, version }, images] = await Promise.all([buildSuite(), makeSuiteImages()]);
const registry = await startRegistry(images);

async function registryConfig(): Promise<string> {
  const config = join(folder, 'certs.d');
  for (const host of imageHosts) {
    await mkdir(join(config, host), { recursive: true });
    await writeFile(join(config, host, 'hosts.toml'), `[host."${registry.url}"]\n`);
  }
  return config;
}

/** What Go's converter makes of one test, run alone: one that goes down takes no other along. */
async function runTest(endpoint: string, name: string): Promise<string> {
  const words = [`-cri-endpoint=${endpoint}`, `-test.run=^${name}$`, '-test.v=test2json'];
  const converter = ['tool', 'test2json', '-t', program, ...words, '-test.timeout=10m'];
  const child = spawn('go', converter, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  return text(child.stdout);
}

const madeFolder = await mkdir(probedFolder, { recursive: true });
const node = await startCriNode({
  registryConfig: await registryConfig(),
  podCidr: '10.87.0.0/24,fd00:87::/64',
  nriSocketPath,
});
try {
  const listed = await run(program, [`-cri-endpoint=${node.endpoint}`, '-test.list', '.'], { cwd: folder });
  const all = listed.stdout.split('\n').filter((name) => name.startsWith('Test'));
  const wanted = all.filter((name) => reasonOf(name) === undefined && new RegExp(values.run).test(name));
  const results: TestResult[] = [];
  for (const name of wanted) {
    const output = await runTest(node.endpoint, name);
    const found = readResults(output);
    results.push(...found);
    if (found.some((result) => isOurs(result, found))) console.log(plainOutput(output));
  }
  const notRun = all.filter((name) => reasonOf(name) !== undefined);
  const page = resultsPage(results, { notRun, version, date: new Date() });
  console.log(page);
  if (values.keep) await writeFile(join(import.meta.dirname, 'results.md'), page);
  if (results.length === 0 || results.some((result) => isOurs(result, results))) process.exitCode = 1;
} finally {
  await node.close();
  registry.close();
  if (madeFolder !== undefined) await rmdir(probedFolder);
  await rm(folder, { recursive: true, force: true });
}

/**
 * How long a node takes to be Ready and to run its first pod, and the memory of each of its processes:
 * `node bench/start-up.ts [--rounds N] [TREE…]`. With two trees the rounds alternate between them, so that what the
 * machine does meanwhile falls on both alike. A tree is a clone, or a folder that wherry is installed in.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { busyboxImage } from '../conformance/peers/image.ts';
import { ApiAccess } from './api-access.ts';
import { image, podManifest } from './node.ts';
import { commandOf } from './tree.ts';

const run = promisify(execFile);
const settleMs = 10_000;
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const trees = (positionals.length > 0 ? positionals : ['.']).map((tree) => resolve(tree));

const median = (numbers: readonly number[]) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** Proportional set size in MiB: what is shared counts by share. */
function proportionalMebibytes(pid: number): number {
  const [, kibibytes = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

interface Round {
  readyMs: number;
  podMs: number;
  memory: Record<string, number>;
}

async function measure(tree: string): Promise<Round> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wherry-start-'));
  const wherry = (...words: string[]) => [commandOf(tree), ...words, '--data-dir', dataDir];
  const up = () => run(process.execPath, wherry('up', '--api-port', '0', '--kubelet-port', '0', '--detach'));
  try {
    await up();
    const load = spawn(process.execPath, wherry('image', 'load', '-'), {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    load.stdin.end(await busyboxImage({ name: image }));
    await new Promise((done) => load.on('exit', done));
    await run(process.execPath, wherry('down'));
    const startedMs = performance.now();
    await up();
    const readyMs = performance.now() - startedMs;
    const api = new ApiAccess(join(dataDir, 'kubeconfig'));
    const pods = '/api/v1/namespaces/default/pods';
    await api.request('POST', pods, podManifest('first'));
    while (JSON.parse(await api.request('GET', `${pods}/first`)).status.phase !== 'Running') await delay(5);
    const podMs = performance.now() - startedMs;
    api.close();
    await delay(settleMs);
    const { stdout } = await run(process.execPath, wherry('status', '--json'));
    const processes: { role: string; pid: number }[] = JSON.parse(stdout).processes;
    const memory = Object.fromEntries(processes.map(({ role, pid }) => [role, proportionalMebibytes(pid)]));
    return { readyMs, podMs, memory };
  } finally {
    await run(process.execPath, wherry('down', '--purge'));
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const rounds = trees.map((): Round[] => []);
for (let round = 0; round < Number(values.rounds); round++)
  for (const [index, tree] of trees.entries()) rounds[index]!.push(await measure(tree));
for (const [index, tree] of trees.entries()) {
  const all = rounds[index]!;
  console.log(tree);
  console.log(`  ready ${Math.round(median(all.map(({ readyMs }) => readyMs)))} ms`);
  console.log(`  first pod running ${Math.round(median(all.map(({ podMs }) => podMs)))} ms`);
  const roles = Object.keys(all[0]?.memory ?? {});
  const sizes = roles.map((role) => [role, median(all.map(({ memory }) => memory[role] ?? 0))] as const);
  for (const [role, size] of sizes) console.log(`  ${role} ${size.toFixed(1)} MiB`);
  console.log(`  together ${sizes.reduce((sum, [, size]) => sum + size, 0).toFixed(1)} MiB`);
}
if (trees.length === 2) {
  const ratios = rounds[0]!.map(({ podMs }, index) => rounds[1]![index]!.podMs / podMs);
  console.log(`first pod, second tree to first, median of pairs: ${median(ratios).toFixed(3)}`);
}

/**
 * How long `@wherry/testing` takes until an API server and a node are ready, and what they cost:
 * `node bench/testing.ts [--rounds N]`. Each round is two test processes: one with two API servers, one with three nodes, started
 * one after another. Wall time is the test process's, from the call to what it resolves with; processor time is the
 * host's meanwhile.
 */
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { percentile } from './statistics.ts';

const run = promisify(execFile);
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });

/** Prints, as JSON, each step with its wall and processor milliseconds and the host's memory afterwards in MiB. */
const program = (steps: string) => `
  import { readFileSync } from 'node:fs';
  import { dirname, join } from 'node:path';
  import { startApiServer, startNode } from '@wherry/testing';
  const found = [];
  let usedMs = 0;
  async function step(name, work) {
    const begunMs = performance.now();
    const cluster = await work();
    const wallMs = performance.now() - begunMs;
    const folder = dirname(dirname(cluster.kubeconfig.path));
    const { pid } = JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8'));
    const fields = readFileSync('/proc/' + pid + '/stat', 'utf8').replace(/^.*\\) /s, '').split(' ');
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * 10;
    const [, kibibytes] = /^Pss:\\s+(\\d+)/m.exec(readFileSync('/proc/' + pid + '/smaps_rollup', 'utf8'));
    found.push({ name, wallMs, cpuMs: cpuMs - usedMs, mebibytes: Number(kibibytes) / 1024 });
    usedMs = cpuMs;
    return cluster;
  }
  ${steps}
  console.log(JSON.stringify(found));
`;

const programs = [
  `await using first = await step('API server', () => startApiServer());
   await using second = await step('second API server', () => startApiServer());`,
  `await using first = await step('node', () => startNode());
   await using second = await step('second node', () => startNode());
   await using third = await step('third node', () => startNode());`,
];

interface Step {
  name: string;
  wallMs: number;
  cpuMs: number;
  mebibytes: number;
}

const steps: Step[] = [];
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const words of programs) {
    const flags = ['--input-type=module', '-e', program(words)];
    const { stdout } = await run(process.execPath, flags, { cwd: import.meta.dirname });
    // The first round compiles, and is not counted.
    if (round > 0) steps.push(...(JSON.parse(stdout) as Step[]));
  }
}
for (const [name, all] of Map.groupBy(steps, (step) => step.name)) {
  const of = (field: 'wallMs' | 'cpuMs' | 'mebibytes') => all.map((step) => step[field]);
  const words = [
    `${Math.round(percentile(of('wallMs'), 0.5))} ms (best ${Math.round(Math.min(...of('wallMs')))} ms)`,
    `${Math.round(percentile(of('cpuMs'), 0.5))} ms of processor time`,
    `${percentile(of('mebibytes'), 0.5).toFixed(0)} MiB in the host afterwards`,
  ];
  console.log(`${name}: ${words.join(', ')}`);
}

import { setTimeout as delay } from 'node:timers/promises';
import { type KillableProcess, spawnMonitor, spawnReady } from '../../../monitor/test/spawn-monitor.ts';
import { startTestNode } from '../node.ts';
import { type LifePlan, live } from './life.ts';
import { randomOf } from './random.ts';
import { kindsOfRemains, remains } from './remains.ts';

const runtimeProgram = new URL('../runtime-process.ts', import.meta.url).pathname;
const livesAtOnce = 8;
/** Within this time of its beginning, a round's first death comes. */
const firstDeathMsMax = 600;
/** How long nobody is there at most. */
const absenceMsMax = 400;
const lookMs = 100;
/** What is left is given up on after this time. */
const clearMs = 20_000;

/** How many lives there are to be, on which subnet, and from which seed deaths and lives follow. */
export interface DeathOptions {
  subnet: number;
  seed: number;
  lives: number;
  note?(line: string): void;
}

/**
 * Lives of containers under kills of runtime, monitor or both at random moments. Gives what was wrong: an exit code, a
 * line of a log, or anything of a container that is left on the machine.
 */
export async function surviveRandomDeaths({
  subnet,
  seed,
  lives,
  note = () => {},
}: DeathOptions): Promise<string[]> {
  const random = randomOf(seed);
  const node = await startTestNode(subnet, {}, { apart: true });
  const parts = new Parts(node);
  const wrong: string[] = [];
  try {
    await node.closeRuntime();
    await parts.start();
    const before = new Set(remains(node));
    const unseen = new Set<string>(kindsOfRemains);
    const ground = { cri: node.cri, logFolder: `${node.folder}/logs`, readLog: node.log };
    for (let done = 0; done < lives; done += livesAtOnce) {
      const plans = Array.from({ length: Math.min(livesAtOnce, lives - done) }, (_, at) =>
        planOf(`life${done + at}`, random),
      );
      const all = Promise.all(plans.map((plan) => live(plan, ground)));
      const looked = lookWhile(all, () => {
        for (const line of newSince(before, node)) unseen.delete(line.split(' ')[0] ?? '');
        return unseen.size > 0;
      });
      for (let deaths = 1 + Math.floor(random() * 3); deaths > 0; deaths--) {
        await delay(random() * firstDeathMsMax);
        await parts.killOne(random, note);
      }
      wrong.push(...(await all).flat());
      await looked;
      note(`${done + plans.length} of ${lives} lives, ${wrong.length} wrong`);
    }
    wrong.push(...(await leftOver(before, node)));
    for (const kind of unseen) wrong.push(`the checker never saw a ${kind}`);
  } finally {
    await parts.runtime?.kill();
    if (parts.monitor) node.adoptMonitor(parts.monitor);
    await node.restart();
    await node.close();
  }
  return wrong;
}

function planOf(name: string, random: () => number): LifePlan {
  const isStopped = random() < 0.4;
  const hearsStop = random() < 0.7;
  return {
    name,
    lines: 1 + Math.floor(random() ** 2 * 3_000),
    exitCode: Math.floor(random() * 100),
    stopSeconds: isStopped ? (hearsStop ? 30 : Math.floor(random() * 2)) : null,
    hearsStop,
  };
}

/** Looks until it is over, or nothing more is to be seen. */
async function lookWhile(all: Promise<unknown>, look: () => boolean): Promise<void> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  all.then(end, end);
  while (!isOver && look()) await delay(lookMs);
}

type Place = Parameters<typeof remains>[0];

function newSince(before: ReadonlySet<string>, node: Place): string[] {
  return remains(node).filter((line) => !before.has(line));
}

async function leftOver(before: ReadonlySet<string>, node: Place): Promise<string[]> {
  const endMs = performance.now() + clearMs;
  for (;;) {
    const left = newSince(before, node);
    if (left.length === 0 || performance.now() > endMs) return left.map((line) => `is left: ${line}`);
    await delay(200);
  }
}

/** The two processes that die. */
class Parts {
  runtime: KillableProcess | null = null;
  monitor: KillableProcess | null;
  readonly #node: Awaited<ReturnType<typeof startTestNode>>;

  constructor(node: Awaited<ReturnType<typeof startTestNode>>) {
    this.#node = node;
    this.monitor = node.monitor;
  }

  async start(): Promise<void> {
    const options = JSON.stringify({ ...this.#node.runtimeOptions, logger: undefined });
    [this.monitor, this.runtime] = await Promise.all([
      this.monitor ?? spawnMonitor(this.#node.monitorOptions),
      this.runtime ?? spawnReady(runtimeProgram, options),
    ]);
  }

  async killOne(random: () => number, note: (line: string) => void): Promise<void> {
    const which = random();
    const names =
      which < 0.4
        ? (['monitor'] as const)
        : which < 0.8
          ? (['runtime'] as const)
          : (['monitor', 'runtime'] as const);
    const absenceMs = random() * absenceMsMax;
    note(`kill -9 of ${names.join(' and ')}, for ${Math.round(absenceMs)} ms`);
    await Promise.all(names.map((name) => this[name]?.kill()));
    for (const name of names) this[name] = null;
    await delay(absenceMs);
    await this.start();
  }
}

/**
 * Cuts the power of a store, as often as there is time for:
 *
 *   node packages/apiserver/test/power-cuts.ts ROUNDS CUTS SEED
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SqliteStore } from '../src/store/sqlite-store.ts';
import type { StoreEvent } from '../src/store/store.ts';
import { allLost, allThere, DiskImage, type Fate, torn } from './disk-image.ts';
import { type DiskOperation, readRecording, straceArguments } from './disk-recording.ts';
import { type PlannedWrite, type Round, rounds } from './power-cut-workload.ts';

const workload = fileURLToPath(new URL('./power-cut-workload.ts', import.meta.url));
const files = ['state.db', 'state.db-wal', 'told'];

/** How much is looked at. */
export interface PowerCutOptions {
  /** Rounds that are written, half of them by a second process after the first one's end. */
  roundCount: number;
  /** Of the moments between two operations, how many are tried; each with several fates of what was not flushed. */
  cutsMax: number;
  /** Names the moments and the fates; the same seed tries the same ones of the same recording. */
  seed: number;
}

/**
 * Records every write and flush of a store at work, then cuts the power at many moments: builds the files anew from
 * what had been flushed by then and any part of what had not, opens a store on them and checks that it holds all that
 * was acknowledged, nothing by half, and an unbroken history. Resolves with the number of cuts; throws at the first
 * one that a store does not survive.
 */
export async function tryPowerCuts({ roundCount, cutsMax, seed }: PowerCutOptions): Promise<number> {
  // Hundreds of stores are opened there: in memory, where there is such a folder.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'wherry-power-'));
  try {
    const sessions = [0, Math.floor(roundCount / 2), roundCount];
    const recorded = sessions.slice(1).flatMap((until, session) => {
      const trace = join(folder, `trace-${session}`);
      const bounds = [sessions[session], until].map(String);
      execFileSync('strace', [
        ...straceArguments,
        '-o',
        trace,
        process.execPath,
        workload,
        folder,
        ...bounds,
      ]);
      return [readRecording(trace, files)];
    });
    const operations = inOneRow(recorded);
    const plan = rounds(roundCount);
    const random = randomOf(seed);
    const cuts = momentsOf(operations, recorded[0]!, cutsMax, random);
    return await cutAt(cuts, operations, { plan, folder, random });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One recording behind the other: the flushes of the second count from its own beginning. */
function inOneRow([first = [], second = []]: DiskOperation[][]): DiskOperation[] {
  const moved = second.map((operation) =>
    operation.kind === 'flush' ? { ...operation, began: operation.began + first.length } : operation,
  );
  return [...first, ...moved];
}

/** Not before the store was opened for the first time: until then nothing was acknowledged. */
function momentsOf(
  operations: readonly DiskOperation[],
  first: readonly DiskOperation[],
  cutsMax: number,
  random: () => number,
): Set<number> {
  const opened = first.findIndex(({ kind, file }) => kind === 'truncate' && file === 'state.db-wal') + 1;
  const begin = opened > 0 ? opened : first.findIndex(({ file }) => file === 'told');
  const all = Array.from({ length: operations.length - begin }, (_, index) => index + begin);
  const shuffled = all
    .map((index) => [random(), index] as const)
    .sort(([left], [right]) => left - right)
    .map(([, index]) => index);
  // Half of them right behind an acknowledgement: there it shows whether it came too early.
  const isTold = (index: number) => operations[index]!.file === 'told';
  const told = shuffled.filter(isTold).slice(0, cutsMax / 2);
  return new Set([...told, ...shuffled.filter((index) => !isTold(index)).slice(0, cutsMax - told.length)]);
}

interface Trial {
  plan: readonly Round[];
  folder: string;
  random: () => number;
}

async function cutAt(
  cuts: ReadonlySet<number>,
  operations: readonly DiskOperation[],
  { plan, folder, random }: Trial,
): Promise<number> {
  const images = new Map(files.slice(0, 2).map((file) => [file, new DiskImage()]));
  let told = '';
  let count = 0;
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === 'write' && operation.file === 'told') told += operation.data.toString();
    images.get(operation.file)?.apply(operation, index);
    if (!cuts.has(index)) continue;
    const acknowledged = told.split('\n').slice(0, -1).map(Number);
    const fates: Fate[] = [allLost, allThere, torn(random), torn(random)];
    for (const [which, fate] of fates.entries()) {
      const there = join(folder, `cut-${count++}`);
      mkdirSync(there);
      for (const [file, image] of images) writeFileSync(join(there, file), image.afterCut(fate));
      try {
        await check(there, plan, acknowledged);
      } catch (error) {
        const what = `after operation ${index} of ${operations.length}, fate ${which}`;
        throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
      }
      rmSync(there, { recursive: true });
    }
  }
  return count;
}

async function check(folder: string, plan: readonly Round[], acknowledged: readonly number[]): Promise<void> {
  const store = new SqliteStore({ path: join(folder, 'state.db'), durability: 'process' });
  try {
    const latest = await store.revision();
    const lastOf = ({ writes }: Round) => writes.at(-1)!.revision;
    const promised = Math.max(1, ...acknowledged.map((round) => lastOf(plan[round]!)));
    assert.ok(latest >= promised, `revision ${promised} was acknowledged, ${latest} is the latest`);
    const isWhole = latest === 1 || plan.some((round) => lastOf(round) === latest);
    assert.ok(isWhole, `revision ${latest} stands in the middle of what was written together`);
    const past = plan.flatMap(({ writes }) => writes).filter(({ revision }) => revision <= latest);
    await checkState(store, past);
    await checkHistory(store, plan, { past, latest });
    const { revision } = await store.write({ key: '/new', value: 'x' });
    assert.ok(revision > latest);
  } finally {
    await store.close();
  }
}

async function checkState(store: SqliteStore, past: readonly PlannedWrite[]): Promise<void> {
  const expected = new Map<string, PlannedWrite>();
  for (const write of past) expected.set(write.key, write);
  const live = [...expected.values()].filter(({ value }) => value !== null);
  const { items } = await store.range({ prefix: '/k/' });
  const text = (key: string, revision: number, value: string | null) => `${key}@${revision}=${value}`;
  assert.deepEqual(
    items.map(({ key, modRevision, value }) => text(key, modRevision, value)).sort(),
    live.map(({ key, revision, value }) => text(key, revision, value)).sort(),
  );
}

/** Every write since the last compaction, once and in order, each with the value before. */
async function checkHistory(
  store: SqliteStore,
  plan: readonly Round[],
  { past, latest }: { past: readonly PlannedWrite[]; latest: number },
): Promise<void> {
  const compacted = plan
    .map(({ compactedRevision = 1 }) => compactedRevision)
    .filter((revision) => revision <= latest);
  let at = Math.max(1, ...compacted);
  const events: StoreEvent[] = [];
  const expected = past.filter(({ revision }) => revision > Math.max(1, ...compacted));
  for (;;) {
    const page = await store.history({ prefix: '/', afterRevision: at });
    events.push(...page.events);
    at = page.revision;
    if (page.isCurrent) break;
  }
  assert.deepEqual(
    events.map(({ revision, key, current }) => `${revision} ${key} ${current?.value ?? null}`),
    expected.map(({ revision, key, value }) => `${revision} ${key} ${value}`),
  );
  const before = new Map<string, string | null>();
  for (const { key, value, revision } of past) {
    const event = events.find((each) => each.revision === revision);
    if (event) assert.equal(event.previous?.value ?? null, before.get(key) ?? null);
    before.set(key, value);
  }
}

/** mulberry32: small, and the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (import.meta.main) {
  const [roundCount = 300, cutsMax = 2_000, seed = Date.now() % 1e6] = process.argv.slice(2).map(Number);
  const count = await tryPowerCuts({ roundCount, cutsMax, seed });
  console.log(`${count} power cuts survived (${roundCount} rounds, seed ${seed})`);
}

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import {
  createGroup,
  detectCgroups,
  enterGroup,
  foldersAt,
  foldersOfProcess,
  membersOf,
  removeGroup,
} from '@wherry/linux';
import { createLogger } from '@wherry/telemetry';
import { gatherMs } from '../../limits.ts';
import { ProcessGatherer } from './process-gatherer.ts';

const layout = detectCgroups();
/** Stands for the root, whose processes are the machine's and not a test's to move. */
const from = `/wherry-strays-${process.pid}`;
const group = `/wherry-gathered-${process.pid}/system`;
const groupAbove = `/wherry-gathered-${process.pid}`;
let children: ChildProcess[] = [];

beforeEach(() => createGroup(foldersAt(layout, from)));
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  children = [];
  for (const path of [from, groupAbove]) removeGroup(foldersAt(layout, path));
});

async function stray(): Promise<number> {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  enterGroup(foldersAt(layout, from), child.pid!);
  return child.pid!;
}

function gatherer() {
  const said: string[] = [];
  const clock = new FakeClock();
  const logger = createLogger('test', { write: (line) => said.push(line) });
  return { said, clock, gatherer: new ProcessGatherer({ group, clock, logger, from }) };
}

test('processes without a control group of their own are gathered in that of systemCgroups, in every tree', async () => {
  const pids = [await stray(), await stray()];
  gatherer().gatherer.gather();
  assert.deepEqual(membersOf(foldersAt(layout, from)), []);
  for (const pid of pids) assert.deepEqual(foldersOfProcess(layout, pid), foldersAt(layout, group));
});

test('processes that come later are gathered within a minute, until the kubelet ends', async () => {
  const { gatherer: gathers, clock, said } = gatherer();
  gathers.start();
  const late = await stray();
  assert.deepEqual(membersOf(foldersAt(layout, from)), [late]);
  clock.advance(gatherMs);
  await turn();
  assert.deepEqual(membersOf(foldersAt(layout, from)), []);
  gathers.close();
  await turn();
  assert.equal(clock.pendingTimers, 0);
  assert.deepEqual(said, []);
});

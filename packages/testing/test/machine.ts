import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { layoutOf } from '@wherry/node/layout';
import { type MachineTraces, tracesOf } from '../../../e2e/machine.ts';

/** What a host, its API servers and its nodes have on this machine; all lists are empty once they are gone. */
export interface Traces extends MachineTraces {
  files: string[];
  podRanges: string[];
}

const rangesFolder = '/run/wherry-pod-ranges';

/** Traces of the host in that folder, whose nodes are called `node-1`, `node-2`, …; `more` names what else is theirs. */
export async function tracesOfHost(folder: string, more: readonly string[] = []): Promise<Traces> {
  const ids = ['node-1', 'node-2'].map((name) => layoutOf(join(folder, name)).id);
  const ranges = existsSync(rangesFolder) ? readdirSync(rangesFolder) : [];
  return {
    ...(await tracesOf([folder, ...ids, ...more])),
    files: lstatSync(folder, { throwIfNoEntry: false }) ? [folder] : [],
    podRanges: ranges.filter((name) => ownerOf(name).startsWith(`${folder}/`)),
  };
}

/** Others' ranges come and go meanwhile. */
function ownerOf(range: string): string {
  try {
    return readlinkSync(join(rangesFolder, range));
  } catch {
    return '';
  }
}

/** Names of the lists that are not empty. */
export const leftIn = (traces: Traces): string[] =>
  Object.entries(traces)
    .filter(([, list]) => list.length > 0)
    .map(([name]) => name);

/** Looks until nothing is left, for at most so long; gives back the last look. */
export async function untilNothingIsLeft(
  folder: string,
  more: readonly string[],
  timeoutMs: number,
): Promise<Traces> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const traces = await tracesOfHost(folder, more);
    if (leftIn(traces).length === 0 || performance.now() > deadline) return traces;
    await delay(100);
  }
}

/** What `waiting-program.ts` says of the host behind it. */
export interface Waiting {
  folder: string;
  /** What the nodes that joined another are called outside of their folders. */
  ids: string[];
}

/** Runs a test program in a process of its own, which says in one line of JSON what it has and then waits to be killed. */
export async function startProgram<Said>(path: string, words: readonly string[] = []) {
  const child = spawn(process.execPath, [path, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  if (!text.includes('\n')) throw new Error(`${path} ended without a word`);
  return { child, ended, said: JSON.parse(text) as Said };
}

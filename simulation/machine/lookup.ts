import { failure } from './failure.ts';
import type { FileNode } from './nodes.ts';
import { currentParticipant, DeadError, type Participant } from './participant.ts';
import type { Place, WalkOptions } from './tree.ts';

export const text = (path: unknown): string => (typeof path === 'string' ? path : String(path));

/** Walks as the process that runs; `/proc/self/fd/N` leads to what it has open. */
export function find(path: string, options: WalkOptions): Place {
  const process = currentParticipant();
  if (!path.startsWith('/proc/self/')) return process.machine.tree.walk(path, options);
  const [, number, rest = ''] = /^\/proc\/self\/fd\/(\d+)(\/.*)?$/.exec(path) ?? [];
  if (number === undefined) {
    const own = path.replace(/^\/proc\/self\/task\//, `/proc/${process.process.pid}/task/`);
    return process.machine.tree.walk(own, options);
  }
  const { node, path: real } = descriptorOf(Number(number), options.call);
  return process.machine.tree.walk(rest, { ...options, start: { node, path: real } });
}

export function descriptorOf(descriptor: number, call: string) {
  const open = currentParticipant().descriptors.get(descriptor);
  if (!open) throw failure('EBADF', call, `descriptor ${descriptor}`);
  return open;
}

/** What a change begins with: the simulation may end the process here. */
export function changing(call: string, path: string): Participant {
  const process = currentParticipant();
  process.machine.beforeChange(call, path);
  if (!process.isAlive) throw new DeadError(process.name);
  return process;
}

export function existing(path: string, options: WalkOptions): Place & { node: FileNode } {
  const place = find(path, options);
  if (!place.node) throw failure('ENOENT', options.call, path);
  return place as Place & { node: FileNode };
}

export function nowMs(): number {
  return currentParticipant().machine.clock.nowMs();
}

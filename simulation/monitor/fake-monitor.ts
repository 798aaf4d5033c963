import { aborted } from '@wherry/bytes';
import { type Clock, sleep } from '@wherry/clock';
import {
  type ContainerStatus,
  type CreateContainerRequest,
  createMonitorServer,
  MonitorError,
  type MonitorHandlers,
} from '@wherry/monitor-api';
import { EventLog } from '../../packages/monitor/src/container/event-log.ts';
import type { Machine } from '../machine/machine.ts';
import { Folder } from '../machine/nodes.ts';
import type { Participant } from '../machine/participant.ts';

const startMs = 30;
const clearMs = 10;

/** A container as its keeper and its record know it: they outlive every monitor. */
export interface KeptContainer {
  request: CreateContainerRequest;
  status: ContainerStatus;
  /** Path of its control group. */
  group: string;
}

/** What stands on disk of containers, and the monitor that tells of them, if one lives. */
export class KeptContainers {
  readonly containers = new Map<string, KeptContainer>();
  readonly #machine: Machine;
  teller: { events: EventLog; process: Participant } | undefined;
  /** Told of each process that begins. */
  onStarted: (kept: KeptContainer) => void = () => {};

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** What runc and the keeper do: a control group, a process, a log. */
  start(request: CreateContainerRequest): KeptContainer {
    const { id, sandboxId, bundle, terminal, stdin, stdinOnce, logPath } = request;
    const { tree, processes, groups } = this.#machine;
    const spec = JSON.parse(this.#read(`${bundle}/config.json`)) as Spec;
    const group = `/sys/fs/cgroup${spec.linux.cgroupsPath}`;
    const folder = tree.makeFolders(group);
    if (logPath !== null) tree.write(logPath, '');
    const started = processes.beginContainer(spec.process.args);
    const { pid, startTicks } = started;
    const leave = groups.join(folder, pid);
    started.whenEnded(() => {
      leave();
      this.#exited(id, started.exitCode ?? 0);
    });
    const now = this.#nowNs();
    const facts = { id, sandboxId, bundle, terminal, stdin, stdinOnce, logPath, pid, startTicks };
    const times = { createdAtNs: now, startedAtNs: now, finishedAtNs: 0n };
    const end = {
      exitCode: 0,
      reason: '' as const,
      message: '',
      oomKilled: false,
      logWriteErrors: 0,
      lostLogBytes: 0,
    };
    const kept: KeptContainer = { request, group, status: { ...facts, ...times, ...end, state: 'running' } };
    this.containers.set(id, kept);
    this.onStarted(kept);
    return kept;
  }

  /** Sends a signal to a container's process. */
  kill(pid: number, signal: number): void {
    this.#machine.processes.signal(pid, signal);
  }

  /** What `runc delete` and the removal of its record do. */
  forget(id: string): void {
    const kept = this.containers.get(id);
    if (!kept) return;
    this.containers.delete(id);
    const at = kept.group.lastIndexOf('/');
    const parent = this.#machine.tree.at(kept.group.slice(0, at));
    if (parent instanceof Folder) parent.entries.delete(kept.group.slice(at + 1));
  }

  #read(path: string): string {
    const node = this.#machine.tree.at(path);
    if (!node || !('content' in node)) throw new MonitorError('UNKNOWN', `no file "${path}"`);
    return node.content().toString();
  }

  #exited(id: string, exitCode: number): void {
    const kept = this.containers.get(id);
    if (!kept) return;
    const reason = exitCode === 0 ? 'Completed' : 'Error';
    kept.status = { ...kept.status, state: 'exited', exitCode, reason, finishedAtNs: this.#nowNs() };
    const { teller } = this;
    if (teller?.process.isAlive) teller.process.run(() => teller.events.publish('exited', kept.status));
  }

  #nowNs(): bigint {
    return BigInt(Math.round(this.#machine.clock.nowMs())) * 1_000_000n;
  }
}

interface Spec {
  process: { args: string[] };
  linux: { cgroupsPath: string };
}

/** Starts a monitor: the real end of the wire and the real log of events, over kept containers. */
export async function startFakeMonitor(options: {
  process: Participant;
  clock: Clock;
  kept: KeptContainers;
  socketPath: string;
  effect(what: string): void;
}): Promise<void> {
  const { process, clock, kept, socketPath, effect } = options;
  const events = new EventLog(clock);
  kept.teller = { events, process };
  await createMonitorServer({ socketPath, handlers: handlersOf({ clock, kept, events, effect }) });
}

function handlersOf({
  clock,
  kept,
  events,
  effect,
}: {
  clock: Clock;
  kept: KeptContainers;
  events: EventLog;
  effect(what: string): void;
}): MonitorHandlers {
  const statuses = () => [...kept.containers.values()].map(({ status }) => status);
  const find = (id: string) => {
    const found = kept.containers.get(id);
    if (!found) throw new MonitorError('NOT_FOUND', `no container "${id}" here`);
    return found;
  };
  const unsimulated = () => {
    throw new MonitorError('INVALID_ARGUMENT', 'not simulated');
  };
  return {
    'program.run': unsimulated,
    version: () => ({ name: 'fake', version: '1', pid: 1, ociRuntime: 'fake' }),
    async 'container.create'(request) {
      if (kept.containers.has(request.id))
        throw new MonitorError('ALREADY_EXISTS', `container "${request.id}" exists already`);
      await sleep({ clock, delayMs: startMs });
      effect('a container’s start');
      const { status } = kept.start(request);
      events.publish('created', status);
      events.publish('started', status);
      effect('a container’s start, done');
      return status;
    },
    'container.start': unsimulated,
    'container.kill'({ id, signal }) {
      kept.kill(find(id).status.pid, signal);
      return {};
    },
    'container.wait': unsimulated,
    'container.checkpoint': unsimulated,
    'container.resume': unsimulated,
    async 'container.delete'({ id, force = false }) {
      const found = kept.containers.get(id);
      if (!found) return {};
      if (found.status.state === 'running' && !force)
        throw new MonitorError('FAILED_PRECONDITION', `container "${id}" runs`);
      kept.kill(found.status.pid, 9);
      await sleep({ clock, delayMs: clearMs });
      effect('a container’s removal');
      kept.forget(id);
      events.publish('deleted', found.status);
      return {};
    },
    'container.list': () => ({ containers: statuses() }),
    'container.status': ({ id }) => find(id).status,
    'container.update': () => ({}),
    'container.reopenLog': () => ({}),
    'exec.sync': unsimulated,
    'stream.exec': unsimulated,
    'stream.attach': unsimulated,
    'stream.portForward': unsimulated,
    'stream.endForwards': () => ({}),
    'session.list': unsimulated,
    'session.watch': unsimulated,
    async 'events.subscribe'({ after }, { signal, notify }) {
      const leave = events.subscribe({ after, containers: statuses, send: notify });
      await aborted(signal);
      leave();
      return {};
    },
  };
}

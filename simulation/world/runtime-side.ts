import type { Clock } from '@wherry/clock';
import type { CriServerOptions } from '@wherry/cri';
import type { Machine } from '../machine/machine.ts';
import { Participant } from '../machine/participant.ts';
import { KeptContainers, startFakeMonitor } from '../monitor/fake-monitor.ts';
import { keeperProgram } from '../monitor/keeper-program.ts';
import { keptView } from '../monitor/kept-view.ts';
import { Ledger } from '../monitor/ledger.ts';
import { monitorView } from '../monitor/monitor-view.ts';
import { ociProgram } from '../monitor/oci-program.ts';
import { keeperPath, monitorFolder, ociRuntimePath, startSimMonitor } from '../monitor/sim-monitor.ts';
import { fakeImageHandlers, fakeRuntimeHandlers } from '../runtime/fake-handlers.ts';
import { FakeRuntime } from '../runtime/fake-runtime.ts';
import { fakeView } from '../runtime/fake-view.ts';
import type { ContainerView } from './container-view.ts';
import type { Faults } from './faults.ts';
import { monitorSocket, startSimRuntime } from './sim-runtime.ts';

/** A runtime in memory; ours over a monitor in memory; ours over our monitor. */
export type RuntimeKind = 'fake' | 'alone' | 'real';

/** What stands below the kubelet. */
export interface RuntimeSide {
  containers: ContainerView;
  /** Who serves CRI now; undefined while nobody does. `process` when it is a simulated one. */
  serving(): { handlers: CriServerOptions; process: Participant | undefined } | undefined;
  /** Processes that may be killed, by name. */
  names: readonly string[];
  start(name: string): void;
  /** kill -9; nothing for one that is not there. */
  kill(name: string): void;
  /** Descriptors and the like that a process keeps once nothing goes on. */
  leaks(): string[];
}

/** What a side is made of. */
export interface SideParts {
  machine: Machine;
  clock: Clock;
  faults: Faults;
  note(line: string): void;
  effect(what: string): void;
}

type Starter = (process: Participant, clock: Clock) => void;

/** What stands below, by its kind. */
export const sideOf: Readonly<Record<RuntimeKind, (parts: SideParts) => RuntimeSide>> = {
  fake: fakeSide,
  alone: aloneSide,
  real: realSide,
};

/** A fake runtime, which is nobody's process. */
function fakeSide({ clock }: SideParts): RuntimeSide {
  const runtime = new FakeRuntime(clock);
  const handlers = { runtime: fakeRuntimeHandlers(runtime), images: fakeImageHandlers(runtime) };
  return {
    containers: fakeView(runtime),
    serving: () => ({ handlers, process: undefined }),
    names: [],
    start() {},
    kill() {},
    leaks: () => [],
  };
}

/** The real runtime, over a monitor whose wire is the real one. */
function aloneSide(parts: SideParts): RuntimeSide {
  const { machine, effect } = parts;
  const kept = new KeptContainers(machine);
  const startMonitor: Starter = (process, clock) =>
    process.run(() => void startFakeMonitor({ process, clock, kept, socketPath: monitorSocket, effect }));
  return processes(parts, startMonitor, keptView(machine, kept));
}

/** The real runtime over the real monitor, with keepers and an OCI runtime that are programs of the machine. */
function realSide(parts: SideParts): RuntimeSide {
  const { machine, faults, note } = parts;
  const ledger = new Ledger(machine);
  const { programs } = machine.processes;
  machine.tree.makeFolders('/usr/bin');
  machine.tree.write(ociRuntimePath, '');
  programs.set(ociRuntimePath, ociProgram({ machine, ledger, note, fault: () => faults.next([1]) }));
  programs.set(keeperPath, keeperProgram(machine));
  machine.tree.makeFolders(monitorFolder);
  const startMonitor: Starter = (process, clock) =>
    startSimMonitor({ process, clock, socketPath: monitorSocket, note });
  const side = processes(parts, startMonitor, monitorView(machine, ledger));
  return {
    ...side,
    names: [...side.names, 'keeper'],
    kill: (name) => (name === 'keeper' ? killKeeper(machine, ledger) : side.kill(name)),
  };
}

/** kill -9 of one of those that keep a container, if there is any. */
function killKeeper({ processes: { started } }: Machine, ledger: Ledger): void {
  const keepers = started.filter(({ executable, hasEnded }) => executable === keeperPath && !hasEnded);
  const keeper = keepers[Math.floor(Math.random() * keepers.length)];
  if (!keeper) return;
  ledger.loseWitness(keeper.words.at(-1) ?? '');
  keeper.signal(9);
}

/** Descriptors that a process has for good, by name: what it waits with, and what it looks at output through. */
const idleDescriptors: Readonly<Record<string, readonly string[]>> = {
  monitor: ['poll set', 'counter', 'pipe', 'pipe', '/dev/null'],
};

/** A runtime and a monitor that are processes of the simulation. */
function processes(
  { machine, clock, note }: SideParts,
  startMonitor: Starter,
  containers: ContainerView,
): RuntimeSide {
  const live = new Map<string, Participant>();
  const starters: Readonly<Record<string, Starter>> = {
    monitor: startMonitor,
    runtime: (process, own) => startSimRuntime({ process, clock: own, note }),
  };
  return {
    containers,
    serving: () => {
      const { criServer } = machine;
      return criServer?.process.isAlive ? criServer : undefined;
    },
    names: Object.keys(starters),
    start(name) {
      if (live.has(name) || !starters[name]) return;
      const process = new Participant(name, machine);
      live.set(name, process);
      starters[name]?.(process, process.clockOn(clock));
    },
    kill(name) {
      live.get(name)?.kill();
      live.delete(name);
    },
    leaks: () => [...live.values()].flatMap(openOf),
  };
}

function openOf({ name, descriptors }: Participant): string[] {
  const idle = [...(idleDescriptors[name] ?? [])];
  return [...descriptors.values()]
    .filter(({ path }) => {
      const at = idle.indexOf(path);
      if (at >= 0) idle.splice(at, 1);
      return at < 0;
    })
    .map(({ path }) => `the ${name} keeps "${path}" open`);
}

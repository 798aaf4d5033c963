import type { Clock } from '@wherry/clock';
import type { CriServerOptions } from '@wherry/cri';
import type { Machine } from '../machine/machine.ts';
import { Participant } from '../machine/participant.ts';
import { KeptContainers, startFakeMonitor } from '../monitor/fake-monitor.ts';
import { keptView } from '../monitor/kept-view.ts';
import { fakeImageHandlers, fakeRuntimeHandlers } from '../runtime/fake-handlers.ts';
import { FakeRuntime } from '../runtime/fake-runtime.ts';
import { fakeView } from '../runtime/fake-view.ts';
import type { ContainerView } from './container-view.ts';
import { monitorSocket, startSimRuntime } from './sim-runtime.ts';

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

/** A fake runtime, which is nobody's process. */
export function fakeSide(clock: Clock): RuntimeSide {
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
export function realSide(
  machine: Machine,
  clock: Clock,
  hooks: { note(line: string): void; effect(what: string): void },
): RuntimeSide {
  const kept = new KeptContainers(machine);
  const live = new Map<string, Participant>();
  const starters: Readonly<Record<string, (process: Participant, clock: Clock) => void>> = {
    monitor: (process, own) =>
      process.run(
        () =>
          void startFakeMonitor({
            process,
            clock: own,
            kept,
            socketPath: monitorSocket,
            effect: hooks.effect,
          }),
      ),
    runtime: (process, own) => startSimRuntime({ process, clock: own, note: hooks.note }),
  };
  return {
    containers: keptView(machine, kept),
    serving: () => {
      const { criServer } = machine;
      return criServer?.process.isAlive ? criServer : undefined;
    },
    names: Object.keys(starters),
    start(name) {
      if (live.has(name)) return;
      const process = new Participant(name, machine);
      live.set(name, process);
      starters[name]?.(process, process.clockOn(clock));
    },
    kill(name) {
      live.get(name)?.kill();
      live.delete(name);
    },
    leaks: () =>
      [...live.values()].flatMap(({ name, descriptors }) =>
        [...descriptors.values()].map(({ path }) => `the ${name} keeps "${path}" open`),
      ),
  };
}

import { constants, openSync } from 'node:fs';
import {
  closeDescriptor,
  copyDescriptorOf,
  exitCodeOfDescriptor,
  exitCodeOfZombie,
  identifyProcess,
  openPidDescriptor,
  Poller,
  ProcessExits,
  type ProcessIdentity,
  pollEvents,
  type Watch,
} from '@wherry/linux';
import type { HeldContainer, Holder, HoldMessage, HoldRequest } from './hold.ts';

interface Entry extends HeldContainer {
  readers: number[];
  writers: number[];
  exitWatch: Watch | null;
}

/**
 * Keeps the kernel objects of containers open for a monitor that may die: read ends of the output FIFOs (without a
 * reader the container would get SIGPIPE), write ends of stdin, terminal masters, and pid descriptors. While no monitor
 * is there it notes how processes end. Drive it with `new MonitorClient({ socketPath, holder })`.
 */
export class ContainerHolder implements Holder {
  readonly #entries = new Map<string, Entry>();
  readonly #poller = new Poller();
  #exits: ProcessExits | null = null;
  #alone = false;

  /** Applies one message. Objects that are gone already are left out. */
  apply(message: HoldMessage): void {
    if (message.kind === 'hold') this.#hold(message.request, message.monitorPid);
    else if (message.kind === 'release') this.#release(message.containerId);
    else this.#releaseWriters(message.containerId);
  }

  /** Everything held. */
  held(): HeldContainer[] {
    return [...this.#entries.values()].map(
      ({ containerId, process, pidDescriptor, terminalDescriptor, exit }) => ({
        containerId,
        process,
        pidDescriptor,
        terminalDescriptor,
        exit,
      }),
    );
  }

  /** From now on exits are noted here. */
  monitorLost(): void {
    if (this.#alone || this.#entries.size === 0) return;
    this.#alone = true;
    this.#exits = this.#listenToExits();
    for (const entry of this.#entries.values()) this.#watchExit(entry);
  }

  /** A monitor notices exits again. */
  monitorFound(): void {
    this.#alone = false;
    this.#exits?.close();
    this.#exits = null;
    for (const entry of this.#entries.values()) {
      entry.exitWatch?.stop();
      entry.exitWatch = null;
    }
  }

  /** Lets everything go. */
  close(): void {
    this.monitorFound();
    for (const id of [...this.#entries.keys()]) this.#release(id);
    this.#poller.close();
  }

  #hold(request: HoldRequest, monitorPid: number): void {
    const known = this.#entries.get(request.containerId);
    if (known && known.process.startTicks === request.process.startTicks) return;
    this.#release(request.containerId);
    this.#entries.set(request.containerId, {
      containerId: request.containerId,
      process: request.process,
      pidDescriptor: openProcess(request.process),
      terminalDescriptor: copyTerminal(monitorPid, request.terminalDescriptor),
      exit: null,
      readers: request.readPaths.flatMap((path) => openQuietly(path, constants.O_RDONLY)),
      writers: request.writePaths.flatMap((path) => openQuietly(path, constants.O_WRONLY)),
      exitWatch: null,
    });
  }

  #release(containerId: string): void {
    const entry = this.#entries.get(containerId);
    if (!entry) return;
    this.#entries.delete(containerId);
    entry.exitWatch?.stop();
    const { pidDescriptor, terminalDescriptor } = entry;
    for (const descriptor of [...entry.readers, ...entry.writers, pidDescriptor, terminalDescriptor]) {
      if (descriptor !== null) closeDescriptor(descriptor);
    }
  }

  #releaseWriters(containerId: string): void {
    for (const descriptor of this.#entries.get(containerId)?.writers.splice(0) ?? [])
      closeDescriptor(descriptor);
  }

  /** Null where the connector is not to be had; pid descriptors of kernel 6.15 tell exit codes without it. */
  #listenToExits(): ProcessExits | null {
    try {
      return new ProcessExits(this.#poller, ({ pid, exitCode }) => {
        for (const entry of this.#entries.values()) if (entry.process.pid === pid) note(entry, exitCode);
      });
    } catch {
      return null;
    }
  }

  #watchExit(entry: Entry): void {
    const { pidDescriptor } = entry;
    if (pidDescriptor === null || entry.exit) return;
    entry.exitWatch = this.#poller.watch(pidDescriptor, pollEvents.readable, () => {
      const exitCode = exitCodeOfZombie(entry.process) ?? exitCodeOfDescriptor(pidDescriptor);
      if (exitCode !== null) note(entry, exitCode);
    });
  }
}

function note(entry: Entry, exitCode: number): void {
  entry.exit ??= { exitCode, finishedAtNs: BigInt(Date.now()) * 1_000_000n };
}

function openProcess(identity: ProcessIdentity): number | null {
  try {
    const descriptor = openPidDescriptor(identity.pid);
    if (identifyProcess(identity.pid)?.startTicks === identity.startTicks) return descriptor;
    closeDescriptor(descriptor);
  } catch {
    // The process has ended between the monitor's message and now.
  }
  return null;
}

function copyTerminal(monitorPid: number, descriptor: number | null): number | null {
  if (descriptor === null) return null;
  try {
    const monitor = openPidDescriptor(monitorPid);
    try {
      return copyDescriptorOf(monitor, descriptor);
    } finally {
      closeDescriptor(monitor);
    }
  } catch {
    return null;
  }
}

function openQuietly(path: string, access: number): number[] {
  try {
    return [openSync(path, access | constants.O_NONBLOCK)];
  } catch {
    return [];
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { closeDescriptor, copyDescriptorOf, exitCodeOfDescriptor, openPidDescriptor } from '@wherry/linux';
import type { HeldContainer, HoldMessage, HoldRequest } from '@wherry/monitor-api';
import { limits } from '../limits.ts';
import { nowNs } from './record.ts';

/** What a holder gave back for one container, with descriptors that are this process's own now. */
export interface Returned {
  terminal: number | null;
  exit: { exitCode: number; finishedAtNs: bigint } | null;
}

/**
 * The processes that hold containers' descriptors for us. Everything held is told to each of them, so that one that
 * comes later has all of it too.
 */
export class HoldRegistry {
  readonly #holders = new Set<(message: HoldMessage) => void>();
  readonly #requests = new Map<string, HoldRequest>();
  readonly #returned = new Map<string, Returned>();
  readonly #arrival = Promise.withResolvers<void>();

  /** Takes back what a holder has, then tells it all there is to hold. Gives back how to forget the holder. */
  join(options: {
    pid: number;
    held: readonly HeldContainer[];
    send: (message: HoldMessage) => void;
  }): () => void {
    this.#takeBack(options.pid, options.held);
    this.#holders.add(options.send);
    for (const request of this.#requests.values()) options.send(this.#holdMessage(request));
    this.#arrival.resolve();
    return () => this.#holders.delete(options.send);
  }

  hold(request: HoldRequest): void {
    this.#requests.set(request.containerId, request);
    this.#send(this.#holdMessage(request));
  }

  /** The container's stdin ends: write ends elsewhere must go too. */
  releaseStdin(containerId: string): void {
    const request = this.#requests.get(containerId);
    if (request) this.#requests.set(containerId, { ...request, writePaths: [] });
    this.#send({ kind: 'release-stdin', containerId });
  }

  release(containerId: string): void {
    this.#requests.delete(containerId);
    const returned = this.#returned.get(containerId);
    this.#returned.delete(containerId);
    if (returned?.terminal != null) closeDescriptor(returned.terminal);
    this.#send({ kind: 'release', containerId });
  }

  /** What a holder gave back for a container, waiting a little for one to come; the taker owns the descriptors. */
  async takeReturned(containerId: string): Promise<Returned | null> {
    await Promise.race([this.#arrival.promise, delay(limits.holderWaitMs)]);
    const returned = this.#returned.get(containerId) ?? null;
    this.#returned.delete(containerId);
    return returned;
  }

  #holdMessage(request: HoldRequest): HoldMessage {
    return { kind: 'hold', monitorPid: process.pid, request };
  }

  #send(message: HoldMessage): void {
    for (const send of this.#holders) send(message);
  }

  #takeBack(pid: number, held: readonly HeldContainer[]): void {
    if (held.length === 0) return;
    const holder = openPidDescriptor(pid);
    try {
      for (const container of held) this.#returned.set(container.containerId, takeOne(holder, container));
    } finally {
      closeDescriptor(holder);
    }
  }
}

function takeOne(holder: number, held: HeldContainer): Returned {
  return { terminal: copyQuietly(holder, held.terminalDescriptor), exit: held.exit ?? exitOf(holder, held) };
}

function exitOf(holder: number, held: HeldContainer): Returned['exit'] {
  const descriptor = copyQuietly(holder, held.pidDescriptor);
  if (descriptor === null) return null;
  const exitCode = exitCodeOfDescriptor(descriptor);
  closeDescriptor(descriptor);
  return exitCode === null ? null : { exitCode, finishedAtNs: nowNs() };
}

function copyQuietly(holder: number, descriptor: number | null): number | null {
  try {
    return descriptor === null ? null : copyDescriptorOf(holder, descriptor);
  } catch {
    return null;
  }
}

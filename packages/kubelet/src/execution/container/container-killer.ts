import { type Clock, deadline, sleep } from '@wherry/clock';
import { type CriClient, isCriError } from '@wherry/cri';
import { containerGraceSecondsMin } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import { runHook } from './hooks.ts';

/** One container to stop. */
export interface KillRequest {
  pod: AssignedPod;
  target: PodContainer;
  containerId: string;
  /** Text of the `Killing` event. */
  message: string;
  /** Seconds from now until the container must be gone. */
  graceSeconds: number;
  podIp: string;
  /** Settles when it may be told to stop; its hook runs before, and it waits no longer than its grace. Never rejects. */
  turn?: Promise<unknown>;
  signal: AbortSignal;
}

/** Stops containers: preStop hook, stop signal, and the kill when the grace has passed. */
export class ContainerKiller {
  readonly #runtime: CriClient['runtime'];
  readonly #clock: Clock;
  readonly #recorder: EventRecorder;
  readonly #requestTimeoutMs: number;

  constructor(options: {
    runtime: CriClient['runtime'];
    clock: Clock;
    recorder: EventRecorder;
    requestTimeoutMs: number;
  }) {
    this.#runtime = options.runtime;
    this.#clock = options.clock;
    this.#recorder = options.recorder;
    this.#requestTimeoutMs = options.requestTimeoutMs;
  }

  /** Resolves when the container has stopped; one the runtime does not know counts as stopped. Throws CriError. */
  async kill(request: KillRequest): Promise<void> {
    const { containerId, graceSeconds, signal, target } = request;
    podEvents(this.#recorder, request.pod).normal('Killing', request.message, target);
    const startedMs = this.#clock.monotonicMs();
    if (graceSeconds > 0 && target.container.lifecycle?.preStop) await this.#preStop(request);
    if (request.turn) await this.#waitFor(request.turn, startedMs + graceSeconds * 1_000, signal);
    const spentSeconds = Math.floor((this.#clock.monotonicMs() - startedMs) / 1_000);
    const timeout = Math.max(containerGraceSecondsMin, graceSeconds - spentSeconds);
    try {
      const timeoutMs = this.#requestTimeoutMs + timeout * 1_000;
      await this.#runtime.stopContainer({ containerId, timeout }, { signal, timeoutMs });
    } catch (error) {
      if (!isCriError(error, 'NOT_FOUND')) throw error;
    }
  }

  async #waitFor(turn: Promise<unknown>, deadlineMs: number, signal: AbortSignal): Promise<void> {
    const delayMs = deadlineMs - this.#clock.monotonicMs();
    if (delayMs <= 0) return;
    const isOver = new AbortController();
    const ends = AbortSignal.any([signal, isOver.signal]);
    await Promise.race([turn, sleep({ clock: this.#clock, delayMs, signal: ends }).catch(() => {})]);
    isOver.abort();
    signal.throwIfAborted();
  }

  async #preStop(request: KillRequest): Promise<void> {
    const { pod, target, containerId, podIp, graceSeconds, signal } = request;
    const handler = target.container.lifecycle?.preStop;
    if (!handler) return;
    using limit = deadline({
      clock: this.#clock,
      timeoutMs: graceSeconds * 1_000,
      signal,
      what: 'preStop hook',
    });
    try {
      const context = { runtime: this.#runtime, clock: this.#clock, target, containerId, podIp };
      await runHook(handler, { ...context, signal: limit.signal });
    } catch {
      if (signal.aborted) throw signal.reason;
      if (!limit.signal.aborted)
        podEvents(this.#recorder, pod).warn('FailedPreStopHook', 'PreStopHook failed', target);
    }
  }
}

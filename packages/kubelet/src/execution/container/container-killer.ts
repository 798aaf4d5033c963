import { type Clock, sleep } from '@wherry/clock';
import { type CriClient, isCriError } from '@wherry/cri';
import { containerGraceSecondsMin } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import { type HookFigures, runHook } from './hooks.ts';

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
  readonly #hooks: HookFigures;

  constructor(options: {
    runtime: CriClient['runtime'];
    clock: Clock;
    recorder: EventRecorder;
    requestTimeoutMs: number;
    hooks: HookFigures;
  }) {
    this.#runtime = options.runtime;
    this.#clock = options.clock;
    this.#recorder = options.recorder;
    this.#requestTimeoutMs = options.requestTimeoutMs;
    this.#hooks = options.hooks;
  }

  /** Resolves when the container has stopped; one the runtime does not know counts as stopped. Throws CriError. */
  async kill(request: KillRequest): Promise<void> {
    const { containerId, graceSeconds, signal, target } = request;
    podEvents(this.#recorder, request.pod).normal('Killing', request.message, target);
    const startedMs = this.#clock.monotonicMs();
    const deadlineMs = startedMs + graceSeconds * 1_000;
    const isStopped = new AbortController();
    try {
      // A hook that takes all of the grace runs on as long as its container does.
      const hook = this.#preStop(request, AbortSignal.any([signal, isStopped.signal]));
      if (hook) await this.#waitFor(hook, deadlineMs, signal);
      if (request.turn) await this.#waitFor(request.turn, deadlineMs, signal);
      const spentSeconds = Math.floor((this.#clock.monotonicMs() - startedMs) / 1_000);
      const timeout = Math.max(containerGraceSecondsMin, graceSeconds - spentSeconds);
      const timeoutMs = this.#requestTimeoutMs + timeout * 1_000;
      await this.#runtime.stopContainer({ containerId, timeout }, { signal, timeoutMs });
    } catch (error) {
      if (!isCriError(error, 'NOT_FOUND')) throw error;
    } finally {
      isStopped.abort(new Error('the container has stopped'));
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

  /** Runs the hook to its end; undefined where there is none, or no grace for it. Never rejects. */
  #preStop(
    { pod, target, containerId, podIp, graceSeconds }: KillRequest,
    signal: AbortSignal,
  ): Promise<void> | undefined {
    const handler = target.container.lifecycle?.preStop;
    if (!handler || graceSeconds <= 0) return undefined;
    const [runtime, clock, recorder] = [this.#runtime, this.#clock, this.#recorder];
    const figures = this.#hooks;
    const context = { runtime, clock, recorder, figures, pod, target, containerId, podIp, signal };
    return runHook(handler, context).catch(() => {
      if (!signal.aborted)
        podEvents(this.#recorder, pod).warn('FailedPreStopHook', 'PreStopHook failed', target);
    });
  }
}

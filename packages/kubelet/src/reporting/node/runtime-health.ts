import { clipped } from '@wherry/bytes';
import { type Clock, sleep } from '@wherry/clock';
import type { CriClient, RuntimeCondition } from '@wherry/cri';
import { runtimeDownMs, runtimeStatusMs, runtimeWordsMax } from '../../limits.ts';

/** What the runtime last said of itself. */
export interface RuntimeView {
  name: string;
  version: string;
  handlers: Awaited<ReturnType<CriClient['runtime']['status']>>['runtimeHandlers'];
  supplementalGroupsPolicy: boolean;
}

/** What the watch over the runtime is made of. */
export interface RuntimeHealthOptions {
  runtime: CriClient['runtime'];
  clock: Clock;
  /** The list of problems changed. */
  onChanged(): void;
}

const conditionTypes: ReadonlySet<string> = new Set(['RuntimeReady', 'NetworkReady']);
const short = (text: string) => clipped(text, runtimeWordsMax);
const told = (condition: RuntimeCondition | undefined) =>
  `reason:${condition?.reason ?? ''} message:${condition?.message ?? ''}`;

/** Asks the runtime every few seconds how it is, and quickly while it does not answer. */
export class RuntimeHealth {
  readonly #options: RuntimeHealthOptions;
  readonly #abort = new AbortController();
  readonly #firstReady = Promise.withResolvers<void>();
  #view: RuntimeView = { name: '', version: '', handlers: [], supplementalGroupsPolicy: false };
  #conditions: readonly RuntimeCondition[] = [];
  #answeredMs: number | undefined;
  #wake: (() => void) | undefined;

  constructor(options: RuntimeHealthOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#run();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  /** Asks the runtime now: something was said to it that may change how it is. */
  ask(): void {
    this.#wake?.();
  }

  /** Resolves when the runtime has said for the first time that it is ready. */
  get ready(): Promise<void> {
    return this.#firstReady.promise;
  }

  get view(): RuntimeView {
    return this.#view;
  }

  /** Whether mounts become read-only all the way down, whichever handler runs their pod. */
  get supportsRecursiveReadOnly(): boolean {
    const { handlers } = this.#view;
    return handlers.length > 0 && handlers.every(({ features }) => features?.recursiveReadOnlyMounts);
  }

  /** Why no pod can be run now; undefined when nothing is wrong. */
  get problem(): string | undefined {
    if (this.#answeredMs === undefined) return 'container runtime status check may not have completed yet';
    if (this.#options.clock.monotonicMs() - this.#answeredMs > runtimeDownMs)
      return 'container runtime is down';
    const condition = this.#conditions.find(({ type }) => type === 'RuntimeReady');
    if (condition?.status) return undefined;
    return `container runtime not ready: RuntimeReady=false ${told(condition)}`;
  }

  /** Why pods can get no network now. */
  get networkProblem(): string | undefined {
    const condition = this.#conditions.find(({ type }) => type === 'NetworkReady');
    if (this.#answeredMs === undefined || condition?.status) return undefined;
    return `container runtime network not ready: NetworkReady=false ${told(condition)}`;
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      const before = `${this.problem}|${this.networkProblem}`;
      const answered = await this.#ask();
      if (`${this.problem}|${this.networkProblem}` !== before) this.#options.onChanged();
      if (answered && !this.problem) this.#firstReady.resolve();
      const delayMs = answered && !this.problem ? runtimeStatusMs : runtimeStatusMs / 50;
      const early = new AbortController();
      this.#wake = () => early.abort();
      await sleep({ clock, delayMs, signal: AbortSignal.any([early.signal, signal]) }).catch(() => {});
    }
  }

  async #ask(): Promise<boolean> {
    const { runtime, clock } = this.#options;
    const options = { signal: this.#abort.signal, timeoutMs: runtimeStatusMs };
    try {
      if (this.#view.name === '') {
        const { runtimeName, runtimeVersion } = await runtime.version({ version: 'v1' }, options);
        const [name, version] = [runtimeName, runtimeVersion].map(short) as [string, string];
        this.#view = { ...this.#view, name, version };
      }
      const { status, runtimeHandlers, features } = await runtime.status({}, options);
      const supplementalGroupsPolicy = features?.supplementalGroupsPolicy ?? false;
      this.#view = { ...this.#view, handlers: runtimeHandlers, supplementalGroupsPolicy };
      // What is not looked at is not kept: an answer may have 16 MiB.
      this.#conditions = (status?.conditions ?? []).flatMap(({ type, status: isMet, reason, message }) =>
        conditionTypes.has(type)
          ? [{ type, status: isMet, reason: short(reason), message: short(message) }]
          : [],
      );
      this.#answeredMs = clock.monotonicMs();
      return true;
    } catch {
      return false;
    }
  }
}

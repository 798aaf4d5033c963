import type { Timer } from '@wherry/clock';
import type { OciProcess } from '@wherry/monitor-api';
import { limits } from '../limits.ts';
import type { ExecDependencies } from '../process/exec-call.ts';
import { type PreparedExec, prepareExec } from '../process/exec-process.ts';

/** What a session's process is made of. */
export interface ExecSessionRequest {
  containerId: string;
  process: OciProcess;
  stdin: boolean;
}

interface Waiting {
  prepared: PreparedExec | null;
  timer: Timer;
}

/**
 * Processes that are prepared while their client fetches the URL: the OCI runtime then waits for the session, and not
 * the session for the OCI runtime. A session that comes late, or when many wait, is prepared when it comes.
 */
export class ExecPreparations {
  readonly #dependencies: ExecDependencies;
  readonly #isAlive: (containerId: string) => boolean;
  readonly #waiting = new Map<ExecSessionRequest, Waiting>();

  /** `isAlive` tells whether a container's first process has not ended. */
  constructor(dependencies: ExecDependencies, isAlive: (containerId: string) => boolean) {
    this.#dependencies = dependencies;
    this.#isAlive = isAlive;
  }

  /** The URL was given out. The preparation begins in the event loop's next turn, when the answer is on its way. */
  expect(request: ExecSessionRequest): void {
    if (this.#waiting.size >= limits.preparedExecsMax) return;
    const timer = this.#dependencies.clock.after(
      limits.preparedExecLifetimeMs,
      () => void this.#forget(request),
    );
    const waiting: Waiting = { prepared: null, timer };
    this.#waiting.set(request, waiting);
    setImmediate(() => {
      if (this.#waiting.has(request)) waiting.prepared = this.#tryPrepare(request);
    });
  }

  /**
   * The session is here: what was prepared for it, or what is now. What was prepared for a container that has ended since
   * is not used, as it knows the container by a process id that may be another's by now.
   */
  take(request: ExecSessionRequest): PreparedExec {
    if (!this.#isAlive(request.containerId)) void this.#forget(request);
    const waiting = this.#waiting.get(request);
    this.#waiting.delete(request);
    waiting?.timer.cancel();
    return waiting?.prepared ?? prepareExec(this.#dependencies, request);
  }

  /** Ends what waits, and settles when nothing of it is left. */
  async close(): Promise<void> {
    await Promise.all([...this.#waiting.keys()].map((request) => this.#forget(request)));
  }

  /** What fails now (no descriptors left, say) fails again when the session comes, which is told. */
  #tryPrepare(request: ExecSessionRequest): PreparedExec | null {
    try {
      return prepareExec(this.#dependencies, request);
    } catch {
      return null;
    }
  }

  async #forget(request: ExecSessionRequest): Promise<void> {
    const waiting = this.#waiting.get(request);
    this.#waiting.delete(request);
    waiting?.timer.cancel();
    await waiting?.prepared?.cancel();
  }
}

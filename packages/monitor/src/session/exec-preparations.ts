import type { OciProcess } from '@wherry/monitor-api';
import { limits } from '../limits.ts';
import type { ExecEnvironment } from '../process/exec-call.ts';
import { type PreparedExec, prepareExec } from '../process/exec-process.ts';

/** What a session's process is made of. */
export interface ExecSessionRequest {
  containerId: string;
  process: OciProcess;
  stdin: boolean;
}

interface Waiting {
  prepared: PreparedExec | null;
  timer: NodeJS.Timeout;
}

/**
 * Processes that are prepared while their client fetches the URL: the OCI runtime then waits for the session, and not
 * the session for the OCI runtime. A session that comes late, or when many wait, is prepared when it comes.
 */
export class ExecPreparations {
  readonly #environment: ExecEnvironment;
  readonly #waiting = new Map<ExecSessionRequest, Waiting>();

  constructor(environment: ExecEnvironment) {
    this.#environment = environment;
  }

  /** The URL was given out. The preparation begins in the event loop's next turn, when the answer is on its way. */
  expect(request: ExecSessionRequest): void {
    if (this.#waiting.size >= limits.preparedExecsMax) return;
    const timer = setTimeout(() => this.#forget(request), limits.preparedExecLifetimeMs);
    const waiting: Waiting = { prepared: null, timer };
    this.#waiting.set(request, waiting);
    setImmediate(() => {
      if (this.#waiting.has(request)) waiting.prepared = prepareExec(this.#environment, request);
    });
  }

  /** The session is here: what was prepared for it, or what is now. */
  take(request: ExecSessionRequest): PreparedExec {
    const waiting = this.#waiting.get(request);
    this.#waiting.delete(request);
    clearTimeout(waiting?.timer);
    return waiting?.prepared ?? prepareExec(this.#environment, request);
  }

  /** Ends what waits. */
  close(): void {
    for (const request of this.#waiting.keys()) this.#forget(request);
  }

  #forget(request: ExecSessionRequest): void {
    const waiting = this.#waiting.get(request);
    this.#waiting.delete(request);
    clearTimeout(waiting?.timer);
    waiting?.prepared?.cancel();
  }
}

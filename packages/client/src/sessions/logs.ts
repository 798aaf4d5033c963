import { type Clock, sleep } from '@wherry/clock';
import { StatusError } from '@wherry/kubeapi/objects';
import { pods } from '../generated/kinds.ts';
import { limits } from '../limits.ts';
import { resourcePath } from '../resources/paths.ts';
import { ResourceClient, type ResourceSender } from '../resources/resource-client.ts';
import { LogPosition } from './log-resume.ts';
import type { ContainerTarget } from './session.ts';

/** Whom logs are asked from: any client. */
export interface LogClient extends ResourceSender {
  readonly clock: Clock;
}

/** Which part of a container's log. */
export interface LogOptions extends ContainerTarget {
  follow?: boolean | undefined;
  /** The last so many lines. */
  tailLines?: number | undefined;
  sinceSeconds?: number | undefined;
  /** RFC 3339; not together with `sinceSeconds`. */
  sinceTime?: string | undefined;
  /** Puts a timestamp in front of each line. */
  timestamps?: boolean | undefined;
  /** The log of the instance before the last restart. */
  previous?: boolean | undefined;
  /** Ends after so many bytes, if need be inside a line. */
  limitBytes?: number | undefined;
  insecureSkipTLSVerifyBackend?: boolean | undefined;
  /** A followed log that was cut is taken up again where it was, without a lost or doubled byte. Default true. */
  resume?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The bytes of a log, pulled at the reader's pace; leaving the loop ends the request. Throws `StatusError`,
 * `ClientError` when the answer was cut and can't be resumed, or `signal.reason`.
 */
export async function* logs(client: LogClient, options: LogOptions): AsyncGenerator<Uint8Array, void> {
  const canResume = options.follow === true && options.resume !== false && options.limitBytes === undefined;
  if (canResume) yield* followWithResume(client, options);
  else yield* fetchLog(client, options);
}

async function* fetchLog(client: LogClient, options: LogOptions): AsyncGenerator<Uint8Array, void> {
  const { pod, namespace, signal, resume: _resume, ...query } = options;
  const path = resourcePath(pods, {
    namespace: namespace ?? client.namespace,
    name: pod,
    subresource: 'log',
    query,
  });
  const answer = await client.stream({ method: 'GET', path, signal });
  try {
    yield* answer.body;
  } finally {
    answer.cancel();
  }
}

async function* followWithResume(client: LogClient, options: LogOptions): AsyncGenerator<Uint8Array, void> {
  const position = new LogPosition(options.timestamps === true, options.tailLines);
  const container = await runningInstance(client, options);
  const outage = new Outage(client.clock);
  for (let cuts = 0; ; cuts += 1) {
    const query = cuts === 0 ? options : resumedQuery(options, position.sinceTime);
    if (cuts > 0) position.resume();
    try {
      for await (const chunk of fetchLog(client, { ...query, timestamps: true })) {
        outage.over();
        yield* position.advance(chunk);
      }
      // An end in order is the log's end, unless a server on the way left while the container runs on.
      if (container === undefined || (await runningInstance(client, options)) !== container) return;
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      // The first fetch tells the caller what is wrong with the request; later on, the pod is gone and so is its log.
      if (error instanceof StatusError && cuts === 0) throw error;
      if (isGone(error)) return;
      outage.noteOrThrow(error);
    }
    await sleep({
      clock: client.clock,
      delayMs: limits.logResumePauseMs,
      signal: options.signal,
      keepsAlive: true,
    });
  }
}

/** Whether there is no such log any more. Throws what keeps this user from it, which is no end of the log. */
function isGone(error: unknown): boolean {
  if (!(error instanceof StatusError) || error.code >= 500 || error.code === 429) return false;
  if (error.code === 401 || error.code === 403) throw error;
  return true;
}

/** How long the server has been away; gives up after `limits.logOutageMs`. */
class Outage {
  readonly #clock: Clock;
  #sinceMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  over(): void {
    this.#sinceMs = undefined;
  }

  noteOrThrow(error: unknown): void {
    const nowMs = this.#clock.monotonicMs();
    this.#sinceMs ??= nowMs;
    if (nowMs - this.#sinceMs > limits.logOutageMs) throw error;
  }
}

function resumedQuery(options: LogOptions, sinceTime: string | undefined): LogOptions {
  if (sinceTime === undefined) return options;
  const { tailLines: _tail, sinceSeconds: _since, ...rest } = options;
  return { ...rest, sinceTime };
}

/** Names the running instance of the container; undefined when none runs, so that its log is complete. */
async function runningInstance(client: LogClient, options: LogOptions): Promise<string | undefined> {
  const namespace = options.namespace ?? client.namespace;
  const pod = await new ResourceClient(client, pods).get({
    name: options.pod,
    namespace,
    signal: options.signal,
  });
  const {
    containerStatuses = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = pod.status ?? {};
  const all = [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses];
  const status = options.container
    ? all.find(({ name }) => name === options.container)
    : containerStatuses[0];
  return status?.state?.running ? status.containerID : undefined;
}

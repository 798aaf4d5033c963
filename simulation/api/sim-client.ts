import type { Readable } from 'node:stream';
import { onAbort } from '@wherry/bytes';
import { ClientError, type HttpAnswer, type HttpRequest, KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { Participant } from '../machine/participant.ts';
import type { Faults } from '../world/faults.ts';
import { type FakeApi, statusError, targetOf } from './fake-api.ts';
import type { Line } from './line.ts';
import { watchBody } from './watch-body.ts';

/** How a client reaches the API in memory. */
export interface SimClientOptions {
  api: FakeApi;
  line: Line;
  process: Participant;
  clock: Clock;
  faults: Faults;
  /** Told of each call: what was asked, and how it went. */
  note(line: string): void;
}

const access = {
  server: new URL('http://api.invalid'),
  tls: { rejectUnauthorized: true },
  namespace: 'default',
  headers: () => ({}),
};
const writeCodes = [409, 500, 503, 429];
const readCodes = [500, 503, 429];
/** Share of watches that begin with 410 though nothing was forgotten. */
const expiredShare = 0.05;

/** The client of one process: all of `KubeClient`, but for what carries its requests. */
export class SimClient extends KubeClient {
  readonly #options: SimClientOptions;
  readonly #watches = new Set<Readable>();

  constructor(options: SimClientOptions) {
    super({ access, clock: options.clock });
    this.#options = options;
  }

  override request<T>(request: HttpRequest): Promise<T> {
    return this.#deliver(request, () => {
      const body = typeof request.body === 'string' ? (JSON.parse(request.body) as unknown) : undefined;
      return this.#options.api.handle({ method: request.method, path: request.path, body }) as T;
    });
  }

  override stream(request: HttpRequest): Promise<HttpAnswer> {
    return this.#deliver(request, () => {
      const { api, faults, line } = this.#options;
      if (faults.happens(expiredShare)) throw statusError(410, 'too old resource version');
      const body = watchBody(api, request.path, line);
      this.#watches.add(body);
      body.once('close', () => this.#watches.delete(body));
      body.once(
        'close',
        onAbort(request.signal, () => body.destroy(new Error('aborted'))),
      );
      return { status: 200, header: () => undefined, body, cancel: () => body.destroy() };
    });
  }

  /** Ends watches: in order, in the middle of a line, or as a broken connection. */
  tear(how: 'end' | 'cut' | 'break'): void {
    for (const body of this.#watches) {
      if (how === 'break') body.destroy(new Error('read ECONNRESET'));
      else {
        if (how === 'cut') body.push('{"type":"MODIF');
        body.push(null);
      }
    }
    this.#watches.clear();
  }

  async #deliver<T>({ method, path, signal }: HttpRequest, answer: () => T): Promise<T> {
    const { process, faults, line, note } = this.#options;
    signal?.throwIfAborted();
    const { collection, name, subresource } = targetOf(path);
    const isQuiet = collection === 'events' || collection === 'leases' || collection === 'nodes';
    const what = [method, collection, name, subresource].filter((part) => part).join(' ');
    const fault = faults.next(method === 'GET' ? readCodes : writeCodes);
    if (fault && !isQuiet) note(`api ${what}: ${JSON.stringify(fault)}`);
    if (fault?.kind === 'refused') throw this.#gone();
    if (fault?.kind === 'error') throw statusError(fault.code, 'a fault of the simulation');
    if (fault?.kind === 'slow' && fault.before) await faults.delay(fault.delayMs, signal);
    if (line.isCut('requests') && !(await line.arrives('requests', signal))) throw this.#gone();
    if (!process.isAlive) return never();
    const result = answer();
    if (!fault && !isQuiet && method !== 'GET') note(`api ${what}`);
    if (fault?.kind === 'lost') throw this.#gone();
    if (fault?.kind === 'slow' && !fault.before) await faults.delay(fault.delayMs, signal);
    if (line.isCut('answers') && !(await line.arrives('answers', signal))) throw this.#gone();
    await undefined;
    return process.isAlive ? result : never();
  }

  #gone(): ClientError {
    return new ClientError('unreachable', 'Unable to connect to the server: read ECONNRESET');
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => {});
}

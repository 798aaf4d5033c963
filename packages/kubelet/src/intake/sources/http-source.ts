import { type Clock, sleep } from '@wherry/clock';
import { isJsonObject, type JsonValue } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { manifestBytesMax, manifestRequestMs } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { EventRecorder } from '../../reporting/events/recorder.ts';
import { byUid, deliverPods } from './deliver-pods.ts';
import { type PodSource, type PodSourceHandlers, withSource } from './pod-changes.ts';

/** What the source is made of. */
export interface HttpSourceOptions {
  url: string;
  /** Sent with each request, by name. */
  headers: Readonly<Record<string, readonly string[]>>;
  nodeName: string;
  /** Time between two requests. */
  checkMs: number;
  clock: Clock;
  logger: Logger;
  recorder: EventRecorder;
  handlers: PodSourceHandlers;
}

/**
 * The pods that a web server names: one Pod, or a PodList. An answer that is none, or holds a pod that can't be run, changes
 * nothing; an empty one means no pods.
 */
export class HttpSource implements PodSource {
  readonly #options: HttpSourceOptions;
  readonly #abort = new AbortController();
  #pods: ReadonlyMap<string, AssignedPod> = new Map();
  #text: string | undefined;
  #isReady = false;
  #lastFailure = '';

  constructor(options: HttpSourceOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#run();
  }

  async close(): Promise<void> {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  async #run(): Promise<void> {
    const { clock, checkMs, logger, url } = this.#options;
    const { signal } = this.#abort;
    const { origin, pathname } = new URL(url);
    while (!signal.aborted) {
      try {
        await this.look();
        this.#lastFailure = '';
      } catch (error) {
        const { message } = error as Error;
        if (!signal.aborted && message !== this.#lastFailure)
          logger.error('pods can not be read from their URL', { url: origin + pathname, error });
        this.#lastFailure = message;
      }
      await sleep({ clock, delayMs: checkMs, signal }).catch(() => {});
    }
  }

  /** Asks once and tells of what changed. Rejects with what is wrong with the answer. */
  async look(): Promise<void> {
    const text = await this.#fetch();
    if (text === '') {
      this.#deliver([]);
      this.#text = undefined;
      throw new Error('the answer is empty');
    }
    if (text === this.#text) return;
    // An answer that is wrong is not judged, and told of, again until it changes.
    this.#text = text;
    this.#deliver(await this.#podsIn(text));
  }

  async #podsIn(text: string): Promise<AssignedPod[]> {
    // With it come the rules of all kinds, which a kubelet without manifests does not need.
    const { manifestDocument, staticPod } = await import('./static-pod.ts');
    const { url, nodeName, clock } = this.#options;
    const { origin, pathname } = new URL(url);
    const name = origin + pathname;
    const seen = new Date(clock.nowMs()).toISOString();
    const source = { name, identity: `url:${url}`, nodeName, toleratesNoExecute: false };
    return manifestsIn(manifestDocument(text, name)).map((manifest) =>
      withSource(staticPod(manifest, source), 'http', seen),
    );
  }

  #deliver(pods: readonly AssignedPod[]): void {
    const { handlers, recorder } = this.#options;
    const before = this.#pods;
    this.#pods = byUid(pods, { source: 'http', recorder, before });
    deliverPods(before, this.#pods, handlers);
    if (this.#isReady) return;
    this.#isReady = true;
    handlers.ready();
  }

  async #fetch(): Promise<string> {
    const { url, headers, clock } = this.#options;
    const patience = new AbortController();
    const timer = clock.after(manifestRequestMs, () =>
      patience.abort(new Error(`no answer within ${manifestRequestMs / 1_000} s`)),
    );
    try {
      const { href, authorization } = withoutLogin(url);
      const pairs = Object.entries(headers).flatMap(([name, values]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const answer = await fetch(href, {
        headers: [...authorization, ...pairs],
        signal: AbortSignal.any([this.#abort.signal, patience.signal]),
      });
      if (answer.status !== 200) {
        await answer.body?.cancel();
        throw new Error(`the server answered ${answer.status} ${answer.statusText}`);
      }
      return await boundedText(answer);
    } finally {
      timer.cancel();
    }
  }
}

/** A name and password in the URL go into the header that they stand for. */
function withoutLogin(url: string): { href: string; authorization: [string, string][] } {
  const bare = new URL(url);
  const { username, password } = bare;
  if (username === '' && password === '') return { href: url, authorization: [] };
  bare.username = '';
  bare.password = '';
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const basic = `Basic ${Buffer.from(login, 'utf8').toString('base64')}`;
  return { href: bare.href, authorization: [['Authorization', basic]] };
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > manifestBytesMax) throw new Error(`the answer is longer than ${manifestBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Items of a list say their kind only if they like. */
function manifestsIn(document: JsonValue): JsonValue[] {
  if (!isJsonObject(document) || document['kind'] !== 'PodList') return [document];
  const { items } = document;
  if (!Array.isArray(items)) return [];
  return items.map((item) => (isJsonObject(item) ? { apiVersion: 'v1', kind: 'Pod', ...item } : item));
}

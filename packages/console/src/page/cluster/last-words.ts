import { type ApiClient, logLines, StatusError } from '@wherry/client';
import { limits } from '../limits.ts';
import { LogBuffer } from '../models/log/log-buffer.ts';

/** A container that has ended. */
export interface EndedContainer {
  name: string;
  /** Tells its instances apart. */
  restarts: number;
  /** Whether another instance runs now. */
  previous: boolean;
}

/** The last lines of a pod's containers that have ended, read once of each instance. */
export class LastWords {
  readonly #client: ApiClient;
  readonly #pod: { namespace: string; pod: string };
  readonly #changed: () => void;
  readonly #abort = new AbortController();
  readonly #found = new Map<string, { key: string; lines: readonly string[] }>();

  constructor(client: ApiClient, pod: { namespace: string; pod: string }, changed: () => void) {
    this.#client = client;
    this.#pod = pod;
    this.#changed = changed;
  }

  /** What that instance said last; none while it is not known, or where there is no log any more. */
  of(ended: EndedContainer): readonly string[] {
    const key = `${ended.restarts} ${ended.previous}`;
    const found = this.#found.get(ended.name);
    if (found?.key === key) return found.lines;
    this.#found.set(ended.name, { key, lines: found?.lines ?? [] });
    this.#read(ended, key).catch((error) => {
      // What was refused stays so; who could not be asked is asked again.
      if (!(error instanceof StatusError) || error.code >= 500) this.#found.delete(ended.name);
    });
    return found?.lines ?? [];
  }

  close(): void {
    this.#abort.abort(new Error('nobody looks'));
  }

  async #read({ name, previous }: EndedContainer, key: string): Promise<void> {
    const { lastWordsLines: linesMax, lastWordsBytesMax: limitBytes } = limits;
    const buffer = new LogBuffer({ linesMax });
    const which = { ...this.#pod, container: name, previous, tailLines: linesMax, limitBytes };
    for await (const line of logLines(this.#client, { ...which, signal: this.#abort.signal }))
      buffer.push(line);
    if (this.#found.get(name)?.key !== key) return;
    this.#found.set(name, { key, lines: buffer.lines.map(({ text }) => text) });
    this.#changed();
  }
}

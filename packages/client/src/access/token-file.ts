import { readFile } from 'node:fs/promises';
import { type Clock, systemClock } from '@wherry/clock';
import { systemMessage } from '../config/system-message.ts';
import { ClientError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { CredentialSource, Credentials } from '../transport/credentials.ts';

/**
 * A bearer token in a file that is rotated in place, as in every pod. Read again after `limits.tokenFileReuseMs`, and
 * at once when the server refuses what it said; a file that can't be read later on leaves the last token in use.
 */
export class TokenFile implements CredentialSource {
  readonly #path: string;
  readonly #clock: Clock;
  #last: Credentials | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(path: string, clock: Clock = systemClock) {
    this.#path = path;
    this.#clock = clock;
  }

  async current(): Promise<Credentials> {
    const isFresh = this.#clock.monotonicMs() - this.#readAtMs < limits.tokenFileReuseMs;
    if (this.#last && isFresh) return this.#last;
    return this.#read();
  }

  async replace(refused: Credentials): Promise<boolean> {
    return (await this.#read()).token !== refused.token;
  }

  async #read(): Promise<Credentials> {
    try {
      const token = (await readFile(this.#path, 'utf8')).trim();
      if (token === '') throw new ClientError('no-credentials', `read empty token from file "${this.#path}"`);
      this.#readAtMs = this.#clock.monotonicMs();
      if (token !== this.#last?.token) this.#last = { token };
    } catch (error) {
      if (!this.#last) throw unreadable(this.#path, error);
    }
    return this.#last as Credentials;
  }
}

function unreadable(path: string, error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  const message = `failed to read token file "${path}": ${systemMessage(error)}`;
  return new ClientError('no-credentials', message, { cause: error });
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { headerLines } from '@wherry/upgrade';
import { limits } from '../limits.ts';

const secretBytes = 32;
const cookieName = 'wherry-console';

/**
 * Who may ask: browsers that came by a link with a token. A token works once; the browser gets a cookie for it, and the
 * next link another token. The cookie is sent for paths below `home` alone, whose name nobody else knows, since a browser
 * gives a machine's cookies to all of its ports.
 */
export class Logins {
  /** Path of all that needs a login, with a slash at both ends. */
  readonly home = `/${randomBytes(16).toString('base64url')}/`;
  #token = newSecret();
  readonly #cookies = new Set<string>();

  /** What the next link has to carry. */
  get token(): string {
    return this.#token;
  }

  /** The line of `Set-Cookie` for the one who brings the token, which is another one then; nothing for a wrong token. */
  redeem(token: string): string | undefined {
    if (!isSame(token, this.#token)) return undefined;
    this.#token = newSecret();
    const cookie = newSecret();
    this.#cookies.add(cookie);
    const [oldest] = this.#cookies;
    if (this.#cookies.size > limits.loginsMax && oldest !== undefined) this.#cookies.delete(oldest);
    return `${cookieName}=${cookie}; Path=${this.home}; HttpOnly; SameSite=Strict`;
  }

  /** Whether a request carries the cookie of a login. */
  knows(request: Pick<IncomingMessage, 'rawHeaders'>): boolean {
    const pairs = headerLines(request, 'cookie').flatMap((line) => line.split(';'));
    const given = pairs.map((pair) => pair.trim().split('=')).filter(([name]) => name === cookieName);
    return given.some(([, value = '']) => [...this.#cookies].some((cookie) => isSame(value, cookie)));
  }
}

const newSecret = (): string => randomBytes(secretBytes).toString('base64url');

/** In a time that tells nothing of how much of it was right. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

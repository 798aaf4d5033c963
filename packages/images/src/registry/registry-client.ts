import type { Readable } from 'node:stream';
import type { Clock } from '@wherry/clock';
import { ImageError } from '../errors.ts';
import type { RegistryHost } from '../hosts/registry-host.ts';
import { limits } from '../limits.ts';
import type { TransportAnswer, TransportRequest } from '../transport/transport.ts';
import type { Transports } from '../transport/transports.ts';
import { readBytes, unread } from './answer-body.ts';
import { parseChallenge } from './challenge.ts';
import type { Credentials } from './credentials.ts';
import { followRedirects } from './redirects.ts';
import { RegistryUnavailableError, retryAfterMs } from './registry-unavailable.ts';
import { basicAuthorization, fetchToken } from './token.ts';

/** One repository on one host. */
export interface RegistryClientOptions {
  host: RegistryHost;
  transports: Transports;
  credentials: Credentials | undefined;
  clock: Clock;
}

/** A request below the repository. */
export interface RegistryRequest {
  method?: TransportRequest['method'];
  headers?: Record<string, string>;
  /** Made anew when the registry asks who is there, or redirects. */
  body?: () => Uint8Array | Readable;
  signal: AbortSignal;
}

/** Requests of the OCI distribution specification, with its two ways to authenticate. */
export class RegistryClient {
  readonly host: RegistryHost;
  readonly #root: URL;
  readonly #transports: Transports;
  readonly #credentials: Credentials | undefined;
  readonly #clock: Clock;
  #authorization: string | undefined;

  constructor({ host, transports, credentials, clock }: RegistryClientOptions) {
    this.host = host;
    this.#clock = clock;
    this.#root = new URL(host.root);
    this.#transports = transports;
    this.#credentials = credentials;
    const token = credentials?.registryToken;
    this.#authorization = token ? `Bearer ${token}` : undefined;
  }

  /**
   * Asks for a path below the repository, or for a URL that the registry has named. Answers any response below 400,
   * with redirects followed (without credentials and headers, as soon as they lead to another host). Throws
   * {@link RegistryUnavailableError}, or `ImageError` NOT_FOUND or UNKNOWN as the registry refuses.
   */
  async request(target: string | URL, request: RegistryRequest): Promise<TransportAnswer> {
    const url = typeof target === 'string' ? this.urlOf(target) : target;
    const used = this.#authorization;
    let answer = await this.#follow(url, request);
    if (answer.status === 401 && (await this.#authenticate(answer, used, request.signal))) {
      unread(answer);
      answer = await this.#follow(url, request);
    }
    if (answer.status < 400) return answer;
    throw await this.#refusal(answer, url);
  }

  /** The URL of a path below the repository. */
  urlOf(path: string): URL {
    const { repository, namespace } = this.host;
    const url = new URL(this.#root);
    url.pathname = [url.pathname.replace(/\/+$/, ''), repository, path].join('/');
    if (namespace !== undefined) url.searchParams.set('ns', namespace);
    return url;
  }

  #follow(start: URL, { method, headers, body, signal }: RegistryRequest): Promise<TransportAnswer> {
    return followRedirects(start, method, (url) => {
      const isOurs = url.host === this.#root.host;
      const own = isOurs ? { ...this.host.headers, ...this.#authorized() } : {};
      const request = { method, headers: { ...own, ...headers }, body: body?.(), signal };
      return this.#send(url, request, url.hostname === this.#root.hostname);
    });
  }

  #authorized(): Record<string, string> {
    return this.#authorization === undefined ? {} : { authorization: this.#authorization };
  }

  /** Certificates and the leave to verify nothing are for the host that was named, whatever its port, and its token server. */
  async #send(url: URL, request: TransportRequest, isOurs: boolean): Promise<TransportAnswer> {
    const transport = await (isOurs ? this.#transports.to(this.host) : this.#transports.beyond(this.host));
    try {
      return await transport.send(url, request);
    } catch (error) {
      request.signal.throwIfAborted();
      const why =
        error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error);
      throw new RegistryUnavailableError(`${url.host} cannot be reached: ${why}`, {
        failure: 'unreached',
        cause: error,
      });
    }
  }

  /** Answers a challenge to a request that said `used`; false when there is nothing new to say. */
  async #authenticate(
    { headers }: TransportAnswer,
    used: string | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    // Another request has been challenged meanwhile.
    if (this.#authorization !== used) return true;
    const challenge = parseChallenge(headers['www-authenticate'] ?? null);
    if (!challenge) return false;
    this.#authorization =
      challenge.scheme === 'basic'
        ? basicAuthorization(this.#credentials)
        : `Bearer ${await fetchToken({
            challenge,
            repository: this.host.repository,
            credentials: this.#credentials,
            registry: this.#root,
            send: (to, { headers, ...request }, isNamed) =>
              this.#send(
                to,
                { ...request, headers: { ...(isNamed && this.host.headers), ...headers }, signal },
                isNamed,
              ),
            refusal: (answer, url) => this.#refusal(answer, url),
          })}`;
    return this.#authorization !== undefined && this.#authorization !== used;
  }

  async #refusal(answer: TransportAnswer, url: URL): Promise<ImageError> {
    const body = await readBytes(answer, limits.registryAnswerBytesMax).catch(() => Buffer.alloc(0));
    const detail = body.toString('utf8').trim().slice(0, 300);
    const text = `${url.host} answers ${answer.status} to ${url.pathname}${detail === '' ? '' : `: ${detail}`}`;
    if (answer.status === 404) return new ImageError('NOT_FOUND', text);
    if (answer.status >= 500 || answer.status === 429 || answer.status === 408)
      return new RegistryUnavailableError(text, {
        failure: 'refused',
        retryAfterMs: retryAfterMs(answer.headers['retry-after'], this.#clock.nowMs()),
      });
    return new ImageError('UNKNOWN', text);
  }
}

import { ImageError } from '../errors.ts';
import { limits } from '../limits.ts';
import { type Challenge, parseChallenge } from './challenge.ts';
import type { Credentials } from './credentials.ts';
import { type Endpoint, isLoopback } from './endpoints.ts';

/** A registry cannot be reached or does not work; the kubelet shows the first word as the reason. */
export class RegistryUnavailableError extends ImageError {
  constructor(message: string, options?: ErrorOptions) {
    super('UNKNOWN', `RegistryUnavailable: ${message}`, options);
  }
}

/** One repository on one endpoint. */
export interface RegistryClientOptions {
  endpoint: Endpoint;
  /** Path of the repository, for example `library/busybox`. */
  repository: string;
  credentials: Credentials | undefined;
  signal: AbortSignal;
}

const redirectCodes = new Set([301, 302, 303, 307, 308]);

/** Requests of the OCI distribution specification, with its two ways to authenticate. */
export class RegistryClient {
  readonly #options: RegistryClientOptions;
  #authorization: string | undefined;

  constructor(options: RegistryClientOptions) {
    this.#options = options;
    const token = options.credentials?.registryToken;
    this.#authorization = token ? `Bearer ${token}` : undefined;
  }

  /**
   * GETs a path below the repository. Answers any response below 400, with redirects followed (without the
   * credentials, as soon as they lead to another host). Throws {@link RegistryUnavailableError}, or `ImageError`
   * notFound or failed as the registry refuses.
   */
  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const url = this.#url(path);
    let response = await this.#follow(url, headers);
    if (response.status === 401) {
      await response.body?.cancel();
      await this.#authenticate(response);
      response = await this.#follow(url, headers);
    }
    if (response.status < 400) return response;
    throw await this.#refusal(response, url);
  }

  #url(path: string): URL {
    const { endpoint, repository } = this.#options;
    const url = new URL(`${endpoint.base}/v2/${repository}/${path}`);
    if (endpoint.mirrorOf !== undefined) url.searchParams.set('ns', endpoint.mirrorOf);
    return url;
  }

  async #follow(start: URL, headers: Record<string, string>): Promise<Response> {
    let url = start;
    for (let redirects = 0; redirects <= limits.redirectsMax; redirects++) {
      const authorized = url.host === start.host && this.#authorization !== undefined;
      const authorization = authorized ? { authorization: this.#authorization as string } : {};
      const response = await this.#fetch(url, { headers: { ...headers, ...authorization } });
      const location = response.headers.get('location');
      if (!redirectCodes.has(response.status) || location === null) return response;
      await response.body?.cancel();
      const next = new URL(location, url);
      if (next.protocol !== 'https:' && !isLoopback(next.host)) {
        throw new ImageError(
          'UNKNOWN',
          `${url.host} redirects to plain http at ${next.host}, which is refused`,
        );
      }
      url = next;
    }
    throw new RegistryUnavailableError(`${start.host} redirects more than ${limits.redirectsMax} times`);
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    const { signal } = this.#options;
    try {
      return await fetch(url, { ...init, redirect: 'manual', signal });
    } catch (error) {
      signal.throwIfAborted();
      const cause = (error as { cause?: unknown }).cause ?? error;
      const why =
        cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : String(cause);
      throw new RegistryUnavailableError(`${url.host} cannot be reached: ${why}`, { cause: error });
    }
  }

  async #authenticate(response: Response): Promise<void> {
    const challenge = parseChallenge(response.headers.get('www-authenticate'));
    if (!challenge) return;
    this.#authorization =
      challenge.scheme === 'basic' ? this.#basic() : `Bearer ${await this.#token(challenge)}`;
  }

  #basic(): string | undefined {
    const { credentials } = this.#options;
    if (!credentials?.username) return undefined;
    return `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;
  }

  async #token({ parameters }: Challenge): Promise<string> {
    const { realm = '', service = '', scope = `repository:${this.#options.repository}:pull` } = parameters;
    if (!URL.canParse(realm))
      throw new ImageError('UNKNOWN', `the registry names the token server "${realm}", no URL`);
    const url = new URL(realm);
    if (url.protocol !== 'https:' && !isLoopback(url.host)) {
      throw new ImageError(
        'UNKNOWN',
        `token server ${url.host} is not reached by https, so nothing is sent to it`,
      );
    }
    const response = await this.#requestToken(url, { service, scope });
    if (response.status >= 400) throw await this.#refusal(response, url);
    const answer = JSON.parse(await readText(response)) as { token?: string; access_token?: string };
    return answer.token ?? answer.access_token ?? '';
  }

  /** A refresh token is exchanged by POST (OAuth 2), everything else by GET (docker's token protocol). */
  #requestToken(url: URL, query: { service: string; scope: string }): Promise<Response> {
    const { credentials } = this.#options;
    if (credentials?.identityToken) {
      const body = new URLSearchParams({
        ...query,
        grant_type: 'refresh_token',
        refresh_token: credentials.identityToken,
        client_id: 'wherry',
      });
      return this.#fetch(url, { method: 'POST', body });
    }
    for (const [key, value] of Object.entries(query)) if (value !== '') url.searchParams.set(key, value);
    const basic = this.#basic();
    return this.#fetch(url, { headers: basic ? { authorization: basic } : {} });
  }

  async #refusal(response: Response, url: URL): Promise<ImageError> {
    const detail = (await readText(response).catch(() => '')).trim().slice(0, 300);
    const text = `${url.host} answers ${response.status} to ${url.pathname}${detail === '' ? '' : `: ${detail}`}`;
    if (response.status === 404) return new ImageError('NOT_FOUND', text);
    if (response.status >= 500 || response.status === 429) return new RegistryUnavailableError(text);
    return new ImageError('UNKNOWN', text);
  }
}

/** A small body as text, cut off at the limit. */
async function readText(response: Response): Promise<string> {
  return (await readBytes(response, limits.registryAnswerBytesMax)).toString('utf8');
}

/** A body of at most `bytesMax`. Throws `ImageError` INVALID_ARGUMENT when it is larger. */
export async function readBytes(response: Response, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > bytesMax)
      throw new ImageError('INVALID_ARGUMENT', `the registry's answer is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

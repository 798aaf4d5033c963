import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { ImageError, messageOf } from '../errors.ts';
import type { HostCapability, RegistryHost } from '../hosts/registry-host.ts';
import { type Digest, digestOf, isDigest } from '../layers/digest.ts';
import { limits } from '../limits.ts';
import { mediaTypes } from '../store/manifest.ts';
import type { Reference } from '../store/reference.ts';
import type { TransportAnswer } from '../transport/transport.ts';
import type { Transports } from '../transport/transports.ts';
import { readBytes, unread } from './answer-body.ts';
import { credentialsFor, type RegistryAuth } from './credentials.ts';
import { RegistryClient } from './registry-client.ts';
import { RegistryUnavailableError } from './registry-unavailable.ts';
import { withRetries } from './retries.ts';

/** A document as a registry served it. */
export interface Served {
  bytes: Buffer;
  /** Its content type, or empty. */
  type: string;
}

/** What a repository is opened with. */
export interface RepositoryOptions {
  reference: Reference;
  hosts: readonly RegistryHost[];
  auth: RegistryAuth | undefined;
  transports: Transports;
  clock: Clock;
  logger: Logger;
}

const manifestTypes = [
  mediaTypes.index,
  mediaTypes.dockerList,
  mediaTypes.manifest,
  mediaTypes.dockerManifest,
  '*/*',
].join(', ');

/** One repository wherever it may be asked for: each document and blob comes from the first host that has it. */
export class Repository {
  readonly #name: string;
  readonly #clients: readonly RegistryClient[];
  readonly #clock: Clock;
  readonly #logger: Logger;

  constructor({ reference, hosts, auth, transports, clock, logger }: RepositoryOptions) {
    this.#name = reference.repository;
    this.#clock = clock;
    this.#logger = logger;
    this.#clients = hosts.map((host) => {
      const credentials = credentialsFor(auth, host, reference.domain);
      return new RegistryClient({ host, transports, credentials, clock });
    });
  }

  /** The client of the first host that takes images, as containerd. Throws `ImageError` FAILED_PRECONDITION. */
  get pushClient(): RegistryClient {
    const found = this.#clients.find(({ host }) => host.capabilities.has('push'));
    if (found) return found;
    throw new ImageError('FAILED_PRECONDITION', `no host of "${this.#name}" is configured for pushes`);
  }

  /**
   * What a tag or digest means there, asked by HEAD, which registries do not count as a pull. Undefined where the registry
   * does not say it so. Rejects with {@link RegistryUnavailableError}.
   */
  async digestOf(reference: string, signal: AbortSignal): Promise<Digest | undefined> {
    const ask = async (client: RegistryClient) => {
      const answer = await client.request(`manifests/${reference}`, {
        method: 'HEAD',
        headers: { accept: manifestTypes },
        signal,
      });
      unread(answer);
      return String(answer.headers['docker-content-digest'] ?? '');
    };
    try {
      const digest = await this.#document(isDigest(reference) ? 'pull' : 'resolve', signal, ask);
      if (isDigest(reference)) return reference;
      return isDigest(digest) ? digest : undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ImageError && !(error instanceof RegistryUnavailableError)) return undefined;
      throw error;
    }
  }

  /** A manifest by tag or digest, checked against the digest. Rejects as the last host that was asked. */
  manifest(reference: string, signal: AbortSignal): Promise<Served> {
    const capability = isDigest(reference) ? 'pull' : 'resolve';
    return this.#document(capability, signal, async (client) => {
      const answer = await client.request(`manifests/${reference}`, {
        headers: { accept: manifestTypes },
        signal,
      });
      const bytes = await readBytes(answer, limits.manifestBytesMax);
      if (isDigest(reference)) checkDigest(reference, bytes, 'manifest');
      return { bytes, type: answer.headers['content-type']?.split(';')[0]?.trim() ?? '' };
    });
  }

  /** A small blob, checked. */
  document(digest: Digest, bytesMax: number, signal: AbortSignal): Promise<Buffer> {
    return this.#document('pull', signal, async (client) => {
      const bytes = await readBytes(await client.request(`blobs/${digest}`, { signal }), bytesMax);
      checkDigest(digest, bytes, 'image configuration');
      return bytes;
    });
  }

  /** A blob as it comes, unchecked. */
  blob(digest: Digest, headers: Record<string, string>, signal: AbortSignal): Promise<TransportAnswer> {
    return this.#first('pull', signal, (client) => client.request(`blobs/${digest}`, { headers, signal }));
  }

  /** What a small answer says; hosts that refuse it for the moment are asked again, all of them. */
  #document<Result>(
    capability: HostCapability,
    signal: AbortSignal,
    ask: (client: RegistryClient) => Promise<Result>,
  ): Promise<Result> {
    const round = () => this.#first(capability, signal, ask);
    return withRetries(round, { clock: this.#clock, signal, after: ['refused', 'torn'] });
  }

  async #first<Result>(
    capability: HostCapability,
    signal: AbortSignal,
    ask: (client: RegistryClient) => Promise<Result>,
  ): Promise<Result> {
    const failures: { from: string; error: unknown }[] = [];
    for (const client of this.#clients.filter(({ host }) => host.capabilities.has(capability))) {
      try {
        return await ask(client);
      } catch (error) {
        signal.throwIfAborted();
        const from = new URL(client.host.root).host;
        this.#logger.info('a registry did not give an image', { from, error: messageOf(error) });
        failures.push({ from, error });
      }
    }
    throw this.#failure(capability, failures);
  }

  /** The last host's failure, with what was said before it. */
  #failure(capability: HostCapability, failures: readonly { from: string; error: unknown }[]): unknown {
    const last = failures.at(-1);
    if (!last)
      return new ImageError(
        'FAILED_PRECONDITION',
        `no host of "${this.#name}" is configured to ${capability === 'pull' ? 'be pulled from' : 'resolve tags'}`,
      );
    const { error } = last;
    const before = failures.slice(0, -1).map((failure) => messageOf(failure.error));
    if (before.length === 0 || !(error instanceof ImageError)) return error;
    const text = ` (asked before: ${before.join('; ')})`;
    return error instanceof RegistryUnavailableError
      ? error.with(text)
      : new ImageError(error.code, messageOf(error) + text, { cause: error });
  }
}

function checkDigest(digest: Digest, bytes: Uint8Array, what: string): void {
  const found = digestOf(bytes);
  if (found !== digest)
    throw new ImageError('UNKNOWN', `the ${what} ${digest} arrived with the digest ${found}`);
}

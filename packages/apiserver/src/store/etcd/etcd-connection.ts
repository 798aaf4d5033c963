import { type ChannelCredentials, Client, credentials, Metadata } from '@grpc/grpc-js';
import type { Clock } from '@wherry/clock';
import { messageCodec } from '@wherry/cri/grpc';
import type { Logger } from '@wherry/telemetry';
import { ClientFiles, type ClientMaterial } from '../../documents/client-files.ts';
import { Retired } from '../../documents/retired.ts';
import { limits, periods } from '../../limits.ts';
import { StoreError } from '../errors.ts';
import { isUnavailable, storeErrorOf, wasNotSent } from './etcd-errors.ts';
import type { EtcdCalls, WatchResponse } from './etcd-messages.ts';
import { etcdCalls, etcdMessages, watchPath } from './etcd-schema.ts';
import type { EtcdOptions } from './options.ts';

/** How a call is made. */
export interface EtcdCallOptions {
  /** Another try does no harm, though the first may have been heard. Default: only one that was not sent is repeated. */
  repeats?: boolean;
  /** Default `periods.etcdCallMs`. */
  timeoutMs?: number;
}

/** An open stream of watches. */
export interface WatchStream {
  send(request: object): void;
  close(): void;
}

/** What a connection works with. */
export interface EtcdConnectionParts {
  clock: Clock;
  logger: Logger;
}

/** What a stream of watches tells. */
export interface WatchStreamListener {
  onResponse(response: WatchResponse): void;
  /** Once, unless it was closed from here. */
  onEnd(error: unknown): void;
}

const codec = messageCodec(etcdMessages);

/**
 * The members of one etcd: calls go to one of them, and to the next when it does not answer. When a file of certificates has
 * changed, calls and new watches go over new connections; those watches that run stay where they are.
 */
export class EtcdConnection {
  readonly #files: ClientFiles;
  readonly #retired: Retired;
  readonly #clock: Clock;
  #clients: readonly Client[];
  #current = 0;
  #isClosed = false;

  /** Throws when an address is none, or a file can't be read. */
  constructor({ servers, caFile, certFile, keyFile }: EtcdOptions, { clock, logger }: EtcdConnectionParts) {
    if ((certFile === undefined) !== (keyFile === undefined))
      throw new StoreError('failed', '--etcd-certfile and --etcd-keyfile go together, and one is missing');
    this.#clock = clock;
    this.#retired = new Retired(clock);
    const addresses = servers.map(addressOf);
    const paths = addresses.some(({ isSecure }) => isSecure)
      ? { ca: caFile, cert: certFile, key: keyFile }
      : {};
    this.#files = new ClientFiles(paths, { towards: 'etcd', clock, logger });
    const connect = () => addresses.map((address) => clientOf(address, this.#files.current));
    this.#clients = connect();
    this.#files.onChange(() => {
      for (const client of this.#clients) this.#retired.add(client);
      this.#clients = connect();
    });
  }

  /** Rejects with a `StoreError`: `unavailable` when nobody has answered in time. */
  async call<Name extends keyof EtcdCalls>(
    name: Name,
    request: EtcdCalls[Name]['request'],
    { repeats = false, timeoutMs = periods.etcdCallMs }: EtcdCallOptions = {},
  ): Promise<EtcdCalls[Name]['response']> {
    const deadlineMs = this.#clock.monotonicMs() + timeoutMs;
    for (;;) {
      if (this.#isClosed) throw new StoreError('closed', 'the store was closed');
      const member = this.#current;
      try {
        const leftMs = Math.max(deadlineMs - this.#clock.monotonicMs(), 1);
        return await this.#ask(this.#clients[member]!, name, request, leftMs);
      } catch (error) {
        if (isUnavailable(error) && member === this.#current) this.#moveOn();
        const isOver = this.#clock.monotonicMs() + periods.etcdRetryMs >= deadlineMs;
        const mayRepeat = wasNotSent(error) || (repeats && isUnavailable(error));
        if (this.#isClosed || isOver || !mayRepeat) throw storeErrorOf(error, name);
        await new Promise<void>((resolve) => this.#clock.after(periods.etcdRetryMs, () => resolve()));
      }
    }
  }

  /** Opens a stream of watches at the member that answers calls now. */
  watch(listener: WatchStreamListener): WatchStream {
    let isOver = false;
    const stream = this.#clients[this.#current]!.makeBidiStreamRequest(
      watchPath,
      (request: object) => codec.encode('WatchRequest', request),
      (bytes: Buffer) => codec.decode('WatchResponse', bytes) as unknown as WatchResponse,
      leaderNeeded(),
    );
    const end = (error: unknown) => {
      if (isOver) return;
      isOver = true;
      if (isUnavailable(error)) this.#moveOn();
      stream.cancel();
      listener.onEnd(error);
    };
    stream.on('data', (response: WatchResponse) => {
      if (!isOver) listener.onResponse(response);
    });
    stream.on('error', end);
    stream.on('end', () => end(new Error('etcd has ended the stream of watches')));
    return {
      send: (request) => void (isOver || stream.write(request)),
      close() {
        isOver = true;
        stream.cancel();
      },
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#files.close();
    this.#retired.close();
    for (const client of this.#clients) client.close();
  }

  #moveOn(): void {
    this.#current = (this.#current + 1) % this.#clients.length;
  }

  #ask<Name extends keyof EtcdCalls>(
    client: Client,
    name: Name,
    request: EtcdCalls[Name]['request'],
    timeoutMs: number,
  ): Promise<EtcdCalls[Name]['response']> {
    const [path, asked, answered] = etcdCalls[name];
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        path,
        (message: object) => codec.encode(asked, message),
        (bytes: Buffer) => codec.decode(answered, bytes) as unknown as EtcdCalls[Name]['response'],
        request,
        leaderNeeded(),
        { deadline: this.#clock.nowMs() + timeoutMs },
        (error, response) => (error ? reject(error) : resolve(response!)),
      );
    });
  }
}

/** A member that is cut off from the others refuses, instead of telling what is no longer so (clientv3.WithRequireLeader). */
function leaderNeeded(): Metadata {
  const metadata = new Metadata();
  metadata.set('hasleader', 'true');
  return metadata;
}

interface MemberAddress {
  target: string;
  isSecure: boolean;
}

function addressOf(server: string): MemberAddress {
  const url = URL.parse(server);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.host === '') {
    throw new StoreError(
      'failed',
      `--etcd-servers: "${server}" is no address of etcd; it is http://HOST:PORT or https://HOST:PORT`,
    );
  }
  const isSecure = url.protocol === 'https:';
  return { target: `dns:${url.hostname}:${url.port || (isSecure ? '443' : '80')}`, isSecure };
}

function clientOf({ target, isSecure }: MemberAddress, material: ClientMaterial): Client {
  return new Client(target, isSecure ? secured(material) : credentials.createInsecure(), {
    'grpc.max_receive_message_length': limits.etcdMessageBytesMax,
    'grpc.max_send_message_length': limits.etcdMessageBytesMax,
    'grpc.initial_reconnect_backoff_ms': periods.etcdRetryMs,
    'grpc.max_reconnect_backoff_ms': periods.etcdReconnectMs,
    'grpc.keepalive_time_ms': periods.etcdKeepAliveMs,
    'grpc.keepalive_timeout_ms': periods.etcdCallMs,
    'grpc.enable_retries': 0,
  });
}

function secured({ ca, cert, key }: ClientMaterial): ChannelCredentials {
  return credentials.createSsl(ca ?? null, key ?? null, cert ?? null);
}

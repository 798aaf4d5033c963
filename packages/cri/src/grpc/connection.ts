import { Client, connectivityState, credentials, Metadata } from '@grpc/grpc-js';
import { onAbort } from '@wherry/bytes';
import { CriError } from '../errors.ts';
import { comeBackMs, messageBytesMax, reconnectMs } from '../limits.ts';
import { type Method, methodsOf } from './methods.ts';
import type { GrpcSchema } from './schema.ts';
import type { CallOptions, ClientOf } from './types.ts';

/**
 * A connection to a gRPC server on a unix socket. It connects on the first call and reconnects by itself; a call made
 * while the server is away waits up to `comeBackMs` (1 s) for it before it rejects with UNAVAILABLE.
 */
export interface GrpcConnection {
  /** The client of one service; `Methods` are the generated types of it. Calls reject with {@link CriError}. */
  service<Methods>(schema: GrpcSchema, name: string): ClientOf<Methods>;
  /** Connects without a call, again whenever the server is back, and tells whether it is there until that is aborted. */
  follow(onState: (isConnected: boolean) => void, signal: AbortSignal): void;
  /** Ends the connection; calls under way reject with CANCELLED or UNAVAILABLE. */
  close(): void;
}

/** Opens one: `endpoint` is a path, or upstream's form `unix:///path`; `what` names the server in errors. */
export function openConnection(endpoint: string, what: string): GrpcConnection {
  const path = endpoint.replace(/^unix:(\/\/)?/, '');
  const connection = new Client(`unix:${path}`, credentials.createInsecure(), {
    'grpc.default_authority': 'localhost',
    'grpc.max_receive_message_length': messageBytesMax,
    'grpc.max_send_message_length': messageBytesMax,
    'grpc.initial_reconnect_backoff_ms': reconnectMs,
    'grpc.max_reconnect_backoff_ms': reconnectMs,
    'grpc.enable_retries': 0,
  });
  return {
    service: <Methods>(schema: GrpcSchema, name: string) =>
      stub({ connection, what }, methodsOf(schema, name)) as unknown as ClientOf<Methods>,
    follow: (onState, signal) => follow(connection, onState, signal),
    close: () => connection.close(),
  };
}

function follow(connection: Client, onState: (isConnected: boolean) => void, signal: AbortSignal): void {
  const channel = connection.getChannel();
  const look = () => {
    if (signal.aborted) return;
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.SHUTDOWN) return;
    onState(state === connectivityState.READY);
    channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, look);
  };
  look();
}

interface Target {
  connection: Client;
  what: string;
}

function stub(target: Target, methods: readonly Method[]): Record<string, unknown> {
  const entries = methods.map((method) => [
    method.name,
    method.definition.responseStream ? streamCall(target, method) : unaryCall(target, method),
  ]);
  return Object.fromEntries(entries);
}

function metadataOf({ headers = {} }: CallOptions): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}

const deadlineOf = (options: CallOptions) =>
  options.timeoutMs === undefined ? {} : { deadline: Date.now() + options.timeoutMs };

/** A server that was restarted is there before the next attempt to reach it: that attempt is waited for. */
async function comeBack(connection: Client): Promise<void> {
  if (connection.getChannel().getConnectivityState(false) !== connectivityState.TRANSIENT_FAILURE) return;
  await new Promise((resolve) => connection.waitForReady(Date.now() + comeBackMs, resolve));
}

function unaryCall({ connection, what }: Target, { definition }: Method) {
  return async (request: object = {}, options: CallOptions = {}) => {
    await comeBack(connection);
    return new Promise((resolve, reject) => {
      const { signal } = options;
      if (signal?.aborted) return reject(cancelled(definition.path));
      const call = connection.makeUnaryRequest(
        definition.path,
        definition.requestSerialize,
        definition.responseDeserialize,
        request,
        metadataOf(options),
        deadlineOf(options),
        (error, response) => {
          leave();
          if (error) reject(named(error, { connection, what }));
          else resolve(response);
        },
      );
      const leave = onAbort(signal, () => call.cancel());
    });
  };
}

function streamCall({ connection, what }: Target, { definition }: Method) {
  return async function* (request: object = {}, options: CallOptions = {}) {
    const { signal } = options;
    await comeBack(connection);
    if (signal?.aborted) throw cancelled(definition.path);
    const call = connection.makeServerStreamRequest(
      definition.path,
      definition.requestSerialize,
      definition.responseDeserialize,
      request,
      metadataOf(options),
      deadlineOf(options),
    );
    const leave = onAbort(signal, () => call.cancel());
    try {
      yield* call;
    } catch (error) {
      throw named(error, { connection, what });
    } finally {
      leave();
      call.cancel();
    }
  };
}

/** gRPC's own words for a socket that nobody listens at name neither it nor what to do. */
function named(error: unknown, { connection, what }: Target): CriError {
  const failure = CriError.from(error);
  if (failure.code !== 'UNAVAILABLE' || !failure.message.startsWith(noConnectionWords)) return failure;
  const socket = connection
    .getChannel()
    .getTarget()
    .replace(/^unix:/, '');
  return new CriError('UNAVAILABLE', `no ${what} answers at "${socket}"`, { cause: error });
}

const noConnectionWords = 'No connection established';

const cancelled = (path: string) => new CriError('CANCELLED', `${path}: cancelled before it was sent`);

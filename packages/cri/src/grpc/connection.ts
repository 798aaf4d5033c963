import { Client, connectivityState, credentials, Metadata } from '@grpc/grpc-js';
import { clipped, onAbort, orAborted } from '@wherry/bytes';
import { CriError } from '../errors.ts';
import { comeBackMs, errorCharactersMax, messageBytesMax, reconnectMs } from '../limits.ts';
import { type Method, methodsOf } from './methods.ts';
import type { GrpcSchema } from './schema.ts';
import { socketPathOf } from './socket-path.ts';
import type { CallOptions, ClientOf } from './types.ts';

/**
 * A connection to a gRPC server on a unix socket. It connects on the first call and reconnects by itself; a call made
 * while the server is away waits up to `comeBackMs` (1 s) for it before it rejects with UNAVAILABLE.
 */
export interface GrpcConnection {
  /**
   * The client of one service; `Methods` are the generated types of it. Calls reject with {@link CriError}, of whose server's words there
   * are at most 8,192 characters.
   */
  service<Methods>(schema: GrpcSchema, name: string): ClientOf<Methods>;
  /** Connects without a call, again whenever the server is back, and tells whether it is there until that is aborted. */
  follow(onState: (isConnected: boolean) => void, signal: AbortSignal): void;
  /** Ends the connection; calls under way reject with CANCELLED or UNAVAILABLE. */
  close(): void;
}

/** What may come over a connection. */
export interface ConnectionOptions {
  /** Largest answer in bytes, 16 MiB by default; a larger one rejects with RESOURCE_EXHAUSTED. */
  answerBytesMax?: number | undefined;
}

/**
 * Opens one: `endpoint` is a path, or upstream's form `unix:///path`; `what` names the server in errors. Throws
 * INVALID_ARGUMENT for another scheme.
 */
export function openConnection(
  endpoint: string,
  what: string,
  { answerBytesMax = messageBytesMax }: ConnectionOptions = {},
): GrpcConnection {
  const path = socketPathOf(endpoint);
  const connection = new Client(`unix:${path}`, credentials.createInsecure(), {
    'grpc.default_authority': 'localhost',
    'grpc.max_receive_message_length': answerBytesMax,
    'grpc.max_send_message_length': messageBytesMax,
    'grpc.initial_reconnect_backoff_ms': reconnectMs,
    'grpc.max_reconnect_backoff_ms': reconnectMs,
    'grpc.enable_retries': 0,
  });
  const target: Target = { connection, what, isClosed: false };
  return {
    service: <Methods>(schema: GrpcSchema, name: string) =>
      stub(target, methodsOf(schema, name)) as unknown as ClientOf<Methods>,
    follow: (onState, signal) => follow(connection, onState, signal),
    close() {
      target.isClosed = true;
      connection.close();
    },
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
  isClosed: boolean;
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

/** The library fails outside of its calls over a deadline that is no time. */
function deadlineOf({ timeoutMs }: CallOptions) {
  if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return {};
  if (timeoutMs >= 0) return { deadline: Date.now() + timeoutMs };
  throw new CriError('INVALID_ARGUMENT', `timeoutMs: ${timeoutMs} is no time to wait; use 0 or more, in ms`);
}

/** Before a call leaves: a server that was restarted is there before the next attempt to reach it, which is waited for. */
async function comeBack({ connection, what, isClosed }: Target, path: string, signal?: AbortSignal) {
  if (isClosed) throw new CriError('CANCELLED', `${path}: this client of the ${what} was closed`);
  if (signal?.aborted) throw cancelled(path, signal);
  if (connection.getChannel().getConnectivityState(false) !== connectivityState.TRANSIENT_FAILURE) return;
  const ready = new Promise((resolve) => connection.waitForReady(Date.now() + comeBackMs, resolve));
  await orAborted(ready, signal).catch(() => {
    throw cancelled(path, signal);
  });
}

function unaryCall(target: Target, { definition }: Method) {
  const { connection } = target;
  return async (request: object = {}, options: CallOptions = {}) => {
    const { signal } = options;
    const deadline = deadlineOf(options);
    await comeBack(target, definition.path, signal);
    return new Promise((resolve, reject) => {
      const call = connection.makeUnaryRequest(
        definition.path,
        definition.requestSerialize,
        definition.responseDeserialize,
        request,
        metadataOf(options),
        deadline,
        (error, response) => {
          leave();
          if (error) reject(named(error, target, signal));
          else resolve(response);
        },
      );
      const leave = onAbort(signal, () => call.cancel());
    });
  };
}

function streamCall(target: Target, { definition }: Method) {
  const { connection } = target;
  return async function* (request: object = {}, options: CallOptions = {}) {
    const { signal } = options;
    const deadline = deadlineOf(options);
    await comeBack(target, definition.path, signal);
    const call = connection.makeServerStreamRequest(
      definition.path,
      definition.requestSerialize,
      // Read when they are taken: the library has sixteen messages wait, which as bytes are small.
      (bytes: Buffer) => bytes,
      request,
      metadataOf(options),
      deadline,
    );
    const leave = onAbort(signal, () => call.cancel());
    try {
      for await (const bytes of call) yield readAnswer(definition, bytes as Buffer);
    } catch (error) {
      throw named(error, target, signal);
    } finally {
      leave();
      call.cancel();
    }
  };
}

function readAnswer({ responseDeserialize }: Method['definition'], bytes: Buffer): object {
  try {
    return responseDeserialize(bytes);
  } catch (error) {
    const detail = `Response message parsing error: ${(error as Error).message}`;
    throw new CriError('INTERNAL', detail, { cause: error });
  }
}

/** gRPC's own words for a socket that nobody listens at name neither it nor what to do; nor do they know who aborted. */
function named(error: unknown, { connection, what }: Target, signal: AbortSignal | undefined): CriError {
  const failure = bounded(CriError.from(error));
  if (failure.code === 'CANCELLED' && signal?.aborted) {
    return new CriError('CANCELLED', failure.message, { cause: signal.reason });
  }
  if (failure.code !== 'UNAVAILABLE' || !failure.message.startsWith(noConnectionWords)) return failure;
  const socket = connection
    .getChannel()
    .getTarget()
    .replace(/^unix:/, '');
  return new CriError('UNAVAILABLE', `no ${what} answers at "${socket}"`, { cause: error });
}

/** A failure without its cause where that has all of the words, too. */
function bounded(failure: CriError): CriError {
  if (failure.message.length <= errorCharactersMax) return failure;
  return new CriError(failure.code, clipped(failure.message, errorCharactersMax));
}

const noConnectionWords = 'No connection established';

const cancelled = (path: string, signal: AbortSignal | undefined) =>
  new CriError('CANCELLED', `${path}: cancelled before it was sent`, { cause: signal?.reason });

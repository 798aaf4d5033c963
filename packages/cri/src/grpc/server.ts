import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerErrorResponse,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { clipped, shownJson } from '@wherry/bytes';
import { CriError } from '../errors.ts';
import { errorCharactersMax, messageBytesMax } from '../limits.ts';
import { definitionOf, type Method, methodsOf } from './methods.ts';
import type { GrpcSchema } from './schema.ts';
import { socketPathOf } from './socket-path.ts';
import type { CallContext } from './types.ts';

/** A service and what it answers with; a method without a handler answers UNIMPLEMENTED. */
export interface ServedService {
  schema: GrpcSchema;
  name: string;
  handlers: object;
}

/** A gRPC server on a unix socket. */
export interface GrpcServer {
  /**
   * Binds the socket with mode 0600: a path, or `unix:///path` as clients have it; a stale socket file is replaced.
   * Rejects when the path cannot be bound.
   */
  listen(endpoint: string): Promise<void>;
  /** Refuses new calls, lets those under way end for `graceMs` (default 1000), then cuts them. */
  close(graceMs?: number): Promise<void>;
}

type UnaryHandler = (request: object, context: CallContext) => Promise<object>;
type StreamHandler = (request: object, context: CallContext) => AsyncIterable<object>;

const defaultGraceMs = 1000;

/** Makes a server from handlers; errors they throw become gRPC statuses by {@link CriError.from}. */
export function createGrpcServer(served: readonly ServedService[]): GrpcServer {
  const server = new Server({
    'grpc.max_receive_message_length': messageBytesMax,
    'grpc.max_send_message_length': messageBytesMax,
  });
  for (const { schema, name, handlers } of served) {
    const methods = methodsOf(schema, name);
    server.addService(definitionOf(methods), implementation(methods, handlers));
  }
  return {
    async listen(endpoint) {
      const socketPath = socketPathOf(endpoint);
      await rm(socketPath, { force: true });
      await new Promise<void>((resolve, reject) => {
        server.bindAsync(`unix:${socketPath}`, ServerCredentials.createInsecure(), (error) =>
          error ? reject(error) : resolve(),
        );
      });
      await chmod(socketPath, 0o600);
    },
    async close(graceMs = defaultGraceMs) {
      const timer = setTimeout(() => server.forceShutdown(), graceMs);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(timer);
    },
  };
}

function implementation(methods: readonly Method[], handlers: object): UntypedServiceImplementation {
  const entries = methods.map(({ name, definition }) => {
    const handler: unknown = Reflect.get(handlers, name);
    if (!handler) return [name, unimplemented(definition.path)];
    return [
      name,
      definition.responseStream
        ? stream(handler as StreamHandler, definition.path)
        : unary(handler as UnaryHandler, definition.path),
    ];
  });
  return Object.fromEntries(entries);
}

function toServiceError(error: unknown): ServerErrorResponse {
  const { code, message } = CriError.from(error);
  const details = clipped(message, errorCharactersMax);
  return { name: 'CriError', code: status[code], message: details, details };
}

function contextOf(
  call: ServerUnaryCall<object, object> | ServerWritableStream<object, object>,
): CallContext {
  const controller = new AbortController();
  call.on('cancelled', () => controller.abort(new CriError('CANCELLED', 'the caller went away')));
  return {
    signal: controller.signal,
    header(name) {
      const [value] = call.metadata.get(name);
      return value?.toString();
    },
  };
}

/** The codec cannot write what is no object, and its own words for that name no method. */
function messageOf(answer: unknown, path: string): object {
  if (typeof answer === 'object' && answer) return answer;
  throw new CriError('INTERNAL', `${path}: its handler gave ${shownJson(answer)} instead of a message`);
}

function unary(handler: UnaryHandler, path: string): handleUnaryCall<object, object> {
  return (call, callback) => {
    Promise.resolve()
      .then(() => handler(call.request, contextOf(call)))
      .then((answer) => messageOf(answer, path))
      .then(
        (response) => callback(null, response),
        (error) => callback(toServiceError(error)),
      );
  };
}

function stream(handler: StreamHandler, path: string): handleServerStreamingCall<object, object> {
  return async (call) => {
    const context = contextOf(call);
    try {
      for await (const message of handler(call.request, context)) {
        if (context.signal.aborted) return;
        if (!call.write(messageOf(message, path))) await once(call, 'drain', { signal: context.signal });
      }
      call.end();
    } catch (error) {
      if (!context.signal.aborted) call.emit('error', toServiceError(error));
    }
  };
}

function unimplemented(path: string) {
  const error = toServiceError(new CriError('UNIMPLEMENTED', `${path} is not implemented by this runtime`));
  return (call: ServerWritableStream<object, object>, callback?: (error: ServerErrorResponse) => void) =>
    callback ? callback(error) : call.emit('error', error);
}

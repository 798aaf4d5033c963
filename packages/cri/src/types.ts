import type { ImageServiceMethods, RuntimeServiceMethods } from './generated/types.ts';

/** What a caller may leave out when it builds a message: anything; absent means the zero value. */
export type Input<T> = T extends Uint8Array | string | number | boolean | bigint
  ? T
  : T extends (infer Item)[]
    ? Input<Item>[]
    : T extends object
      ? { [Key in keyof T]?: Input<T[Key]> | undefined }
      : T;

interface Method {
  request: object;
  response: object;
  stream: boolean;
}

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call: it rejects with code CANCELLED. */
  signal?: AbortSignal | undefined;
  /** Deadline in milliseconds; none by default. Past it the call rejects with code DEADLINE_EXCEEDED. */
  timeoutMs?: number | undefined;
}

/** What a handler knows of its call. */
export interface CallContext {
  /** Aborts when the caller cancelled, its deadline passed, or its connection went away. */
  signal: AbortSignal;
}

type ClientMethod<M extends Method> = M['stream'] extends true
  ? (request?: Input<M['request']>, options?: CallOptions) => AsyncIterable<M['response']>
  : (request?: Input<M['request']>, options?: CallOptions) => Promise<M['response']>;

type Handler<M extends Method> = M['stream'] extends true
  ? (request: M['request'], context: CallContext) => AsyncIterable<Input<M['response']>>
  : (request: M['request'], context: CallContext) => Promise<Input<M['response']>>;

type ClientOf<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends Method ? ClientMethod<Methods[Name]> : never;
};
type HandlersOf<Methods> = {
  [Name in keyof Methods]?: Methods[Name] extends Method ? Handler<Methods[Name]> : never;
};

/** Every method of the runtime service. */
export type RuntimeServiceClient = ClientOf<RuntimeServiceMethods>;
/** Every method of the image service. */
export type ImageServiceClient = ClientOf<ImageServiceMethods>;
/** Handlers of the runtime service; a method without one answers UNIMPLEMENTED. */
export type RuntimeServiceHandlers = HandlersOf<RuntimeServiceMethods>;
/** Handlers of the image service; a method without one answers UNIMPLEMENTED. */
export type ImageServiceHandlers = HandlersOf<ImageServiceMethods>;

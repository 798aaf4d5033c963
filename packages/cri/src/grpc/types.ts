/** What a caller may leave out when it builds a message: anything; absent means the zero value. */
export type Input<T> = T extends Uint8Array | string | number | boolean | bigint
  ? T
  : T extends (infer Item)[]
    ? Input<Item>[]
    : T extends object
      ? { [Key in keyof T]?: Input<T[Key]> | undefined }
      : T;

/** What a generated method says of itself. */
export interface MethodTypes {
  request: object;
  response: object;
  stream: boolean;
}

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call: it rejects with code CANCELLED, and the signal's reason as the cause. */
  signal?: AbortSignal | undefined;
  /** Deadline in milliseconds, 0 or more; none by default. Past it the call rejects with code DEADLINE_EXCEEDED. */
  timeoutMs?: number | undefined;
  /** Metadata that goes with it, in lower case: `traceparent`. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** What a handler knows of its call. */
export interface CallContext {
  /** Aborts when the caller cancelled, its deadline passed, or its connection went away. */
  signal: AbortSignal;
  /** The caller's metadata of that name, in lower case; of several, the first. */
  header?(name: string): string | undefined;
}

type ClientMethod<M extends MethodTypes> = M['stream'] extends true
  ? (request?: Input<M['request']>, options?: CallOptions) => AsyncIterable<M['response']>
  : (request?: Input<M['request']>, options?: CallOptions) => Promise<M['response']>;

type Handler<M extends MethodTypes> = M['stream'] extends true
  ? (request: M['request'], context: CallContext) => AsyncIterable<Input<M['response']>>
  : (request: M['request'], context: CallContext) => Promise<Input<M['response']>>;

/** The client of a service's methods. */
export type ClientOf<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends MethodTypes ? ClientMethod<Methods[Name]> : never;
};
/** Handlers of a service's methods; one without answers UNIMPLEMENTED. */
export type HandlersOf<Methods> = {
  [Name in keyof Methods]?: Methods[Name] extends MethodTypes ? Handler<Methods[Name]> : never;
};

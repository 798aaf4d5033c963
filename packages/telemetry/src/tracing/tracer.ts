/** Where a span is, as W3C's `traceparent` says it. */
export interface SpanContext {
  /** 32 hexadecimal digits, lower case. */
  traceId: string;
  /** 16 hexadecimal digits, lower case. */
  spanId: string;
  /** Whether its spans are sent to the collector. */
  isSampled: boolean;
}

/** What is known of a span, under the names of OpenTelemetry's conventions. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** How a span begins. */
export interface SpanOptions {
  /** Which end of a call it is. Default `internal`. */
  kind?: 'internal' | 'server' | 'client' | undefined;
  facts?: SpanFacts | undefined;
  /** The span above it; `'none'` for the first of a new trace. Default: the span that the work belongs to. */
  parent?: SpanContext | 'none' | undefined;
  /** The span is this one: the root that others were begun under before it was known when it ends. */
  as?: SpanContext | undefined;
  /** Spans of other traces that have to do with it. */
  links?: readonly (SpanContext | undefined)[] | undefined;
  /** Unix time in milliseconds. Default: now. */
  startMs?: number | undefined;
  /** Which errors of the work are the span's; others are answers. Default: all. */
  isFailure?: ((error: unknown) => boolean) | undefined;
}

/** One piece of work, from its beginning to its end. */
export interface Span {
  /** Undefined where nothing is traced. */
  readonly context: SpanContext | undefined;
  /** Adds to what is known of it. */
  set(facts: SpanFacts): void;
  /** Ends it, as failed where there is an error. Repeats are harmless. */
  end(error?: unknown): void;
}

/** Where spans begin. */
export interface Tracer {
  /** Whether there is a collector at all. */
  readonly isOn: boolean;
  /** Begins a span; whoever does ends it. */
  begin(name: string, options?: SpanOptions): Span;
  /** Does the work inside a span, which ends when it has: what begins meanwhile, and in its callbacks, is below it. */
  within<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** Headers (or metadata) that tell the next server of the span that the work belongs to. */
  headers(span?: SpanContext): Record<string, string>;
  /** The root of a trace whose ID others know: the same for everybody who samples at the same rate. */
  rootOf(traceId: string | undefined): SpanContext | undefined;
  /** Sends what is left, for 5 s at most. */
  close(): Promise<void>;
}

const noSpan: Span = { context: undefined, set() {}, end() {} };

/** Where a span begins whose caller has said its own: below it, or beside it where the caller may not choose what is sent. */
export function spanOfCaller(
  caller: SpanContext | undefined,
  isTrusted: boolean,
): Pick<SpanOptions, 'parent' | 'links'> {
  return isTrusted && caller ? { parent: caller } : { parent: 'none', links: [caller] };
}

/** The tracer of a process without a collector. */
export const noTracer: Tracer = {
  isOn: false,
  begin: () => noSpan,
  within: (_name, _options, work) => work(noSpan),
  headers: () => ({}),
  rootOf: () => undefined,
  close: () => Promise.resolve(),
};

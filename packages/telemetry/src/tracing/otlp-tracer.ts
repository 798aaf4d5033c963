/** The one user of OpenTelemetry's SDK: spans that are sent by OTLP. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  Context,
  Link,
  Span as OtelSpan,
  SpanContext as OtelSpanContext,
  Tracer as OtelTracer,
} from '@opentelemetry/api';
import { limits } from '../limits.ts';
import { loadPackages, type OtelPackages } from './packages.ts';
import { defaultEndpoint, samplingRateMax, type TracedProcess, type TracingSettings } from './settings.ts';
import { isTraceId, traceparentHeader, writeTraceparent } from './traceparent.ts';
import type { Span, SpanContext, SpanFacts, SpanOptions, Tracer } from './tracer.ts';

/** Opens one. Rejects where a package is missing. */
export async function otlpTracer(settings: TracingSettings, traced: TracedProcess): Promise<Tracer> {
  return new OtlpTracer(await loadPackages(), settings, traced);
}

/** IDs that the next span has to have; otherwise they are random. */
interface ChosenIds {
  next: SpanContext | undefined;
}

class OtlpTracer implements Tracer {
  readonly isOn = true;
  readonly #packages: OtelPackages;
  readonly #provider: InstanceType<OtelPackages['sdk']['TracerProvider']>;
  readonly #tracer: OtelTracer;
  readonly #ids: ChosenIds = { next: undefined };
  readonly #ratio: InstanceType<OtelPackages['sdk']['TraceIdRatioBasedSampler']>;
  /** The span that the work at hand belongs to. */
  readonly #current = new AsyncLocalStorage<OpenSpan>();

  constructor(
    packages: OtelPackages,
    settings: TracingSettings,
    { service, instance, logger }: TracedProcess,
  ) {
    const { api, sdk, resources, exporter } = packages;
    this.#packages = packages;
    const report = (message: string) => logger.warn('spans could not be sent', { message });
    api.diag.setLogger(
      { error: report, warn: report, info() {}, debug() {}, verbose() {} },
      { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
    );
    this.#ratio = new sdk.TraceIdRatioBasedSampler((settings.samplingRatePerMillion ?? 0) / samplingRateMax);
    const random = new sdk.RandomIdGenerator();
    const take = (part: 'traceId' | 'spanId', otherwise: () => string) =>
      this.#ids.next?.[part] ?? otherwise();
    this.#provider = new sdk.TracerProvider({
      resource: resources.resourceFromAttributes({
        'service.name': service,
        ...(instance === undefined ? {} : { 'service.instance.id': instance }),
      }),
      sampler: new sdk.ParentBasedSampler({ root: this.#ratio }),
      idGenerator: {
        generateTraceId: () => take('traceId', () => random.generateTraceId()),
        generateSpanId: () => take('spanId', () => random.generateSpanId()),
      },
      spanProcessors: [
        new sdk.BatchSpanProcessor({
          exporter: new exporter.OTLPTraceExporter({
            url: urlOf(settings.endpoint),
            timeoutMillis: limits.spansSentWithinMs,
          }),
          maxQueueSize: limits.spansWaitingMax,
          // All at once: the end of a process waits for one batch.
          maxExportBatchSize: limits.spansWaitingMax,
          scheduledDelayMillis: limits.spansSentAfterMs,
          exportTimeoutMillis: limits.spansSentWithinMs,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer('wherry');
  }

  begin(name: string, options: SpanOptions = {}): OpenSpan {
    const { api } = this.#packages;
    const { kind = 'internal', facts = {}, links = [], startMs } = options;
    this.#ids.next = options.as;
    const span = this.#tracer.startSpan(
      name,
      {
        kind: { internal: api.SpanKind.INTERNAL, server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT }[
          kind
        ],
        attributes: cut(facts),
        links: links
          .filter((link) => link !== undefined)
          .map((link): Link => ({ context: this.#remote(link) })),
        ...(startMs === undefined ? {} : { startTime: new Date(startMs) }),
      },
      this.#above(options),
    );
    this.#ids.next = undefined;
    return new OpenSpan(span, this.#packages);
  }

  async within<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const span = this.begin(name, options);
    try {
      const result = await this.#current.run(span, () => work(span));
      span.end();
      return result;
    } catch (error) {
      const { isFailure = () => true } = options;
      span.end(isFailure(error) ? (error ?? 'failed') : undefined);
      throw error;
    }
  }

  headers(span: SpanContext | undefined = this.#active()): Record<string, string> {
    return span ? { [traceparentHeader]: writeTraceparent(span) } : {};
  }

  rootOf(traceId: string | undefined): SpanContext | undefined {
    if (traceId === undefined || !isTraceId(traceId)) return undefined;
    const { api } = this.#packages;
    const { decision } = this.#ratio.shouldSample(api.ROOT_CONTEXT, traceId);
    const isSampled = decision === this.#packages.sdk.SamplingDecision.RECORD_AND_SAMPLED;
    // Half of a UUID is never zero, since its version and its variant are not.
    return { traceId, spanId: traceId.slice(16), isSampled };
  }

  async close(): Promise<void> {
    await this.#provider.shutdown().catch(() => {});
  }

  /** A span that has ended is above nothing that begins in timers and callbacks it has left. */
  #active(): SpanContext | undefined {
    const span = this.#current.getStore();
    return span?.isOver ? undefined : span?.context;
  }

  #above({ parent, as }: SpanOptions): Context {
    const { api } = this.#packages;
    const above = parent === 'none' || as ? undefined : (parent ?? this.#active());
    return above ? api.trace.setSpanContext(api.ROOT_CONTEXT, this.#remote(above)) : api.ROOT_CONTEXT;
  }

  #remote({ traceId, spanId, isSampled }: SpanContext): OtelSpanContext {
    const { TraceFlags } = this.#packages.api;
    return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
  }
}

class OpenSpan implements Span {
  readonly context: SpanContext;
  readonly #span: OtelSpan;
  readonly #packages: OtelPackages;
  #isOver = false;

  constructor(span: OtelSpan, packages: OtelPackages) {
    this.#span = span;
    this.#packages = packages;
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.context = { traceId, spanId, isSampled: (traceFlags & packages.api.TraceFlags.SAMPLED) !== 0 };
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  set(facts: SpanFacts): void {
    this.#span.setAttributes(cut(facts));
  }

  end(error?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (error !== undefined) {
      const { SpanStatusCode } = this.#packages.api;
      const message = (error instanceof Error ? error.message : String(error)).slice(0, limits.spanTextMax);
      this.#span.recordException({ name: error instanceof Error ? error.name : 'Error', message });
      this.#span.setStatus({ code: SpanStatusCode.ERROR, message });
    }
    this.#span.end();
  }
}

/** Facts may come from outside: none is longer than the bound. */
const cut = (facts: SpanFacts): SpanFacts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, limits.spanTextMax) : value,
    ]),
  );

/** As the exporter reads it: `http:` is its word for gRPC without TLS. */
function urlOf(endpoint = defaultEndpoint): string {
  const scheme = /^(unix|unix-abstract):/.exec(endpoint);
  if (scheme) return endpoint;
  const url = new URL('http://localhost');
  url.host = endpoint.replace(/^dns:\/\/\/?/, '');
  return url.href;
}

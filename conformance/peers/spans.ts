import { buildGoPeer } from './go-peer.ts';
import { type GoPeer, startGoPeer } from './go-process.ts';

/** A span as its collector got it. */
export interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** '' for the root of a trace. */
  parentSpanId: string;
  startMs: number;
  endMs: number;
  facts: Record<string, string>;
  /** Traces of spans that it names. */
  links: string[];
  hasFailed: boolean;
}

/** A collector that speaks OTLP by OpenTelemetry's own Go definitions. */
export interface SpanCollector extends AsyncDisposable {
  /** `HOST:PORT`. */
  endpoint: string;
  /** All that came so far. */
  spans(): ReceivedSpan[];
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: { spans: WireSpan[] }[];
  }[];
}
interface KeyValue {
  key: string;
  value: Record<string, string | boolean>;
}
interface WireSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: KeyValue[];
  links?: { traceId: string }[];
  status?: { code?: string };
}

/** Builds and starts one. */
export async function startCollector(): Promise<SpanCollector> {
  const peer: GoPeer = startGoPeer(await buildGoPeer('otlpreceiver'), []);
  let text = '';
  peer.process.stdout?.on('data', (chunk: Buffer) => (text += chunk));
  const port = (await peer.output(/^\d+\n/)).split('\n', 1)[0];
  return {
    endpoint: `127.0.0.1:${port}`,
    spans: () =>
      text
        .split('\n')
        .slice(0, -1)
        .filter((line) => line.startsWith('{'))
        .flatMap(spansOf),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

const hex = (base64 = '') => Buffer.from(base64, 'base64').toString('hex');
const factsOf = (list: KeyValue[] = []) =>
  Object.fromEntries(list.map(({ key, value }) => [key, String(Object.values(value)[0])]));

function spansOf(line: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(line) as ExportRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: factsOf(resource.attributes)['service.name'] ?? '',
        name: span.name,
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId),
        startMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
        endMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
        facts: factsOf(span.attributes),
        links: (span.links ?? []).map(({ traceId }) => hex(traceId)),
        hasFailed: span.status?.code === 'STATUS_CODE_ERROR',
      })),
    ),
  );
}

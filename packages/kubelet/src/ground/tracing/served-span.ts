import type { IncomingMessage } from 'node:http';
import { readTraceparent, type SpanOptions, spanOfCaller, traceparentHeader } from '@wherry/telemetry';

/**
 * How the span of a request begins. Whoever is known and let in, the API server above all, says which trace it belongs to;
 * anybody else's is named beside its own.
 */
export function servedSpan(
  { headers, method = '' }: IncomingMessage,
  { path, isTrusted }: { path: string; isTrusted: boolean },
): SpanOptions {
  return {
    kind: 'server',
    facts: { 'http.request.method': method, 'url.path': path },
    ...spanOfCaller(readTraceparent(headers[traceparentHeader]), isTrusted),
  };
}

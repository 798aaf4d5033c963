import type { SentRequest } from '@wherry/client';
import type { Tracer } from '@wherry/telemetry';

/** A span for each request to the API server, which is told of it; until the head of the answer. */
export function tracedExchanges(tracer: Tracer): ((sent: { method: string }) => SentRequest) | undefined {
  if (!tracer.isOn) return undefined;
  return ({ method }) => {
    const span = tracer.begin(`HTTP ${method}`, { kind: 'client', facts: { 'http.request.method': method } });
    return {
      headers: tracer.headers(span.context),
      ended({ status, serverName }) {
        span.set({
          'server.address': serverName,
          ...(status ? { 'http.response.status_code': status } : {}),
        });
        span.end(status === undefined ? 'no answer' : status >= 500 ? `HTTP ${status}` : undefined);
      },
    };
  };
}

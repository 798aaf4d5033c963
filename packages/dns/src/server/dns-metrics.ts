import type { MetricsRegistry } from '@wherry/telemetry';
import type { Resolver } from '../forward/resolver-list.ts';
import type { Answer } from '../wire/answer.ts';
import { responseCodes, typeName } from '../wire/codes.ts';
import type { Query } from '../wire/query.ts';

/** Names of codes as CoreDNS writes them. */
const codeNames = new Map<number, string>([
  [responseCodes.noError, 'NOERROR'],
  [responseCodes.formatError, 'FORMERR'],
  [responseCodes.serverFailure, 'SERVFAIL'],
  [responseCodes.nameError, 'NXDOMAIN'],
  [responseCodes.notImplemented, 'NOTIMP'],
  [responseCodes.refused, 'REFUSED'],
  [responseCodes.badVersion, 'BADVERS'],
]);
const codeName = (code: number) => codeNames.get(code) ?? String(code);

const secondsBuckets = [0.000_25, 0.000_5, 0.001, 0.002, 0.004, 0.008, 0.016, 0.064, 0.256, 1, 4, 8];

/** What is counted, in the families that CoreDNS has where they fit. */
export class DnsMetrics {
  readonly #registry: MetricsRegistry;
  /** Since the last look, by code, and by type and transport: they become series only when somebody looks, since a series costs more than an answer. */
  readonly #newCodes = new Map<number, number>();
  readonly #newTypes = { udp: new Map<string, number>(), tcp: new Map<string, number>() };
  readonly #requests;
  readonly #responses;
  readonly #seconds;
  readonly #forwarded;
  readonly #forwardFailures;
  readonly #searched;

  constructor(registry: MetricsRegistry) {
    this.#registry = registry;
    this.#requests = registry.counter('coredns_dns_requests_total', 'Questions by transport and type.');
    this.#responses = registry.counter('coredns_dns_responses_total', 'Answers by code.');
    this.#seconds = registry.histogram(
      'coredns_dns_request_duration_seconds',
      'Time from question to answer.',
      secondsBuckets,
    );
    this.#forwarded = registry.counter(
      'coredns_proxy_requests_total',
      'Questions asked of other servers, by server and code.',
    );
    this.#forwardFailures = registry.counter(
      'coredns_proxy_failures_total',
      'Questions that another server did not answer.',
    );
    this.#searched = registry.counter(
      'coredns_autopath_success_total',
      'Questions that stood for the whole search of a pod.',
    );
  }

  answered(event: { query: Query; answer: Answer; transport: 'udp' | 'tcp'; seconds: number }): void {
    const { query, answer, transport, seconds } = event;
    count(this.#newTypes[transport], typeName(query.type));
    count(this.#newCodes, answer.code);
    this.#seconds.observe(seconds);
  }

  /** All of the registry's metrics as text. */
  render(): string {
    for (const proto of ['udp', 'tcp'] as const) {
      for (const [type, many] of this.#newTypes[proto]) this.#requests.add(many, { proto, type });
      this.#newTypes[proto].clear();
    }
    for (const [code, many] of this.#newCodes) this.#responses.add(many, { rcode: codeName(code) });
    this.#newCodes.clear();
    return this.#registry.render();
  }

  asked({ address, port }: Resolver, code: number | undefined): void {
    const to = `${address}:${port}`;
    if (code === undefined) this.#forwardFailures.add(1, { to });
    else this.#forwarded.add(1, { to, rcode: codeName(code) });
  }

  searched(): void {
    this.#searched.add(1);
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

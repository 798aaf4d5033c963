import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { FakeClock } from '@wherry/clock';
import { findResource, type ResourceFacts } from '@wherry/kubeapi';
import { MetricsRegistry } from '@wherry/telemetry';
import type { AdmissionPlugin } from '../src/admission/admission.ts';
import { AdmissionChain } from '../src/admission/chain.ts';
import { AdmissionFigures } from '../src/admission/figures/admission-figures.ts';
import { userInfo } from '../src/authentication/identity.ts';
import { alwaysAllow } from '../src/authorization/authorizer.ts';
import { plainJson } from '../src/http/negotiation.ts';
import { Query } from '../src/http/query.ts';
import { readRequestInfo } from '../src/http/request-info.ts';
import { toServedResource } from '../src/kinds/served-resources.ts';
import { Collection } from '../src/registry/collection.ts';
import { RegistryFigures } from '../src/registry/resource-figures.ts';
import type { ResourceRequest } from '../src/requests/request.ts';
import { SqliteStore } from '../src/store/sqlite-store.ts';
import type { Store } from '../src/store/store.ts';

/** One stored resource over a store in memory, without the HTTP server around it. */
export class TestCollection {
  readonly collection: Collection;
  readonly clock: FakeClock;
  readonly store: Store;
  readonly #root: string;

  constructor(
    plural: string,
    options: {
      group?: string;
      version?: string;
      admission?: AdmissionPlugin[];
      store?: Store;
      facts?: ResourceFacts;
    } = {},
  ) {
    const { group = '', version = 'v1', admission = [] } = options;
    const facts = options.facts ?? findResource(group, version, plural)!;
    this.clock = new FakeClock();
    this.store = options.store ?? new SqliteStore({ path: ':memory:' });
    const metrics = new MetricsRegistry();
    this.collection = new Collection({
      store: this.store,
      figures: new RegistryFigures(metrics, this.clock),
      resource: toServedResource(facts),
      admission: new AdmissionChain(admission, {
        figures: new AdmissionFigures(metrics),
        clock: this.clock,
      }),
      authorizer: alwaysAllow,
      clock: this.clock,
    });
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    this.#root = `${root}/${facts.namespaced ? 'namespaces/default/' : ''}${plural}`;
  }

  /** The request that a client sends for `/NAME[/SUBRESOURCE]?QUERY` below the resource's collection. */
  request(
    method: string,
    below = '',
    body?: unknown,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): ResourceRequest {
    const [path = '', search = ''] = `${this.#root}${below}`.split('?');
    const parameters = new URLSearchParams(search);
    return {
      info: readRequestInfo(method, path, parameters),
      query: new Query(parameters),
      user: userInfo('tester', []),
      media: plainJson,
      http: messageOf(body, headers),
      signal: new AbortController().signal,
      warnings: [],
      auditId: 'audit',
    };
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

function messageOf(body: unknown, headers: Record<string, string>): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  Object.assign(message.headers, headers);
  if (body !== undefined) message.push(typeof body === 'string' ? body : JSON.stringify(body));
  message.complete = true;
  message.push(null);
  return message;
}

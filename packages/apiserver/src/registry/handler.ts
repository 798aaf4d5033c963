import type { ServerResponse } from 'node:http';
import type { Verb } from '@wherry/kubeapi';
import type { UpgradeExchange } from '@wherry/upgrade';
import type { ResourceRequest } from '../requests/request.ts';

/** What a handler writes its answer to. */
export interface Wire {
  /** The HTTP response; made on demand for upgrade requests. */
  response(): ServerResponse;
  /** Present when the request is an upgrade. */
  exchange: UpgradeExchange | undefined;
}

/** Serves one request for a sub-resource, or for a resource that is not stored. */
export type ResourceHandler = (request: ResourceRequest, wire: Wire) => Promise<void>;

/** What answers for a sub-resource, or for a resource that is not stored. */
export interface Handler {
  /** All that it answers; what is advertised beyond them ends the start. */
  readonly verbs: readonly Verb[];
  readonly serve: ResourceHandler;
}

/** By sub-resource; '' is the resource itself. */
export type Handlers = Readonly<Record<string, Handler>>;

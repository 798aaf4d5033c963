import type { IncomingMessage } from 'node:http';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { UserInfo } from '../authentication/identity.ts';
import type { MediaType } from '../http/negotiation.ts';
import type { Query } from '../http/query.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { ApiObject } from '../objects/api-object.ts';

/** A request for a resource, authenticated and authorized. */
export interface ResourceRequest {
  readonly info: RequestInfo;
  readonly query: Query;
  readonly user: UserInfo;
  /** The form the answer shall have. */
  readonly media: MediaType;
  readonly http: IncomingMessage;
  /** Aborts when the client is gone, its time is over or the server closes. */
  readonly signal: AbortSignal;
  /** The shortest that a watch lasts whose client says no time. Default: half an hour. */
  readonly watchMinimumMs?: number | undefined;
  /** The request's name in the audit. */
  readonly auditId: string;
  /** Texts for the answer's Warning headers. */
  readonly warnings: string[];
  /** Hears of the object that the request has made, or bound to its node. */
  readonly onWritten?: ((object: ApiObject) => void) | undefined;
  /** What is written down of it; undefined where nothing is. */
  readonly audit?: AuditTrail | undefined;
  /** Hears of time that it spent on others, as webhooks are. */
  readonly waited?: ((ms: number) => void) | undefined;
}

/** Who writes what, without the HTTP around it. */
export type WriteContext = Pick<ResourceRequest, 'info' | 'user'> &
  Partial<Pick<ResourceRequest, 'warnings' | 'query' | 'signal' | 'audit' | 'waited'>>;

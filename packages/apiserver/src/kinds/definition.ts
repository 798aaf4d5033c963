import type { SessionBook } from '@wherry/telemetry';
import type { AdmissionChain } from '../admission/chain.ts';
import type { Authenticator } from '../authentication/authenticator.ts';
import type { ServiceAccountTokens } from '../authentication/service-accounts/tokens.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { KnownRights } from '../authorization/create-authorizer.ts';
import type { Kubelets } from '../connect/kubelets.ts';
import type { StreamConnector } from '../connect/streams.ts';
import type { DialGuard } from '../dialing/dial-guard.ts';
import type { Way } from '../dialing/dialled-agents.ts';
import type { Conversion, Strategy } from '../objects/strategy.ts';
import type { Collection } from '../registry/collection.ts';
import type { Handlers } from '../registry/handler.ts';
import type { UsageMeter } from '../usage/usage-meter.ts';

/** What handlers work with. */
export interface HandlerParts {
  /** A stored resource of the core group, by its plural. */
  core(plural: string): Collection;
  /** Disruption budgets; undefined where they are not served. */
  budgets: Collection | undefined;
  /** Leases; undefined where they are not served. */
  leases: Collection | undefined;
  admission: AdmissionChain;
  authenticator: Authenticator;
  authorizer: Authorizer;
  /** As it is now. */
  knownRights(): KnownRights;
  tokens: ServiceAccountTokens;
  kubelets: Kubelets;
  guard: DialGuard;
  /** How what is in the cluster is reached; undefined: from here. */
  way: Way | undefined;
  streams: StreamConnector;
  /** What passes through here. */
  sessions: SessionBook;
  /** What nodes and pods take. */
  usage: UsageMeter;
}

/** What this server does with a kind, in all its versions. A kind without a definition is a plain stored object. */
export interface ServedKind {
  group: string;
  kind: string;
  strategy?: Strategy;
  /** Absent: stored as it is shown. */
  conversion?: Conversion;
  /** Told to whoever asks for it: that it goes away. */
  warning?: string;
  /**
   * What answers for its sub-resources but `status`, and for itself (under '') where it is not stored. `own` holds its
   * objects.
   */
  handlers?(parts: HandlerParts, own: Collection): Handlers;
}

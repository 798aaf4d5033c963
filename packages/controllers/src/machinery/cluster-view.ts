import type { KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import type { ControllerFigures } from '../figures/controller-figures.ts';
import { limits } from '../limits.ts';
import { OwnerIndex } from '../owners/owner-index.ts';
import { ServedKinds } from '../watching/served-kinds.ts';
import { SharedInformers } from '../watching/shared-informers.ts';
import { type AutoscalerSettings, usualAutoscalerSettings } from './autoscaler-settings.ts';
import { type NodeEvictionRates, usualNodeEvictionRates } from './node-eviction-rates.ts';
import { type NodeMonitorTimes, usualNodeMonitorTimes } from './node-monitor-times.ts';
import type { NodeRanges } from './node-ranges.ts';
import type { SigningOptions } from './signing-options.ts';

/** What a view is made of. */
export interface ClusterViewOptions {
  client: KubeClient;
  /** The CA certificate that pods find in `kube-root-ca.crt`, PEM. */
  rootCaPem: string;
  signing?: SigningOptions | undefined;
  tokenSigningKeyFile?: string | undefined;
  nodeEvictionRates?: Partial<NodeEvictionRates> | undefined;
  nodeMonitorTimes?: Partial<NodeMonitorTimes> | undefined;
  nodeRanges?: NodeRanges | undefined;
  legacyTokenUnusedMs?: number | undefined;
  finishedPodsMax?: number | undefined;
  autoscaling?: Partial<AutoscalerSettings> | undefined;
  /** Keys that controllers work on at once, by their names; default: as each says. */
  concurrency?: ReadonlyMap<string, number> | undefined;
  /** What is told of the controllers. Default: nothing. */
  figures?: ControllerFigures | undefined;
  clock: Clock;
  logger: Logger;
}

/** A cluster as controllers see it. What they share begins when the first of them asks for it. */
export class ClusterView {
  readonly client: KubeClient;
  readonly rootCaPem: string;
  readonly signing: SigningOptions;
  readonly tokenSigningKeyFile: string | undefined;
  readonly nodeEvictionRates: NodeEvictionRates;
  readonly nodeMonitorTimes: NodeMonitorTimes;
  readonly nodeRanges: NodeRanges;
  readonly legacyTokenUnusedMs: number;
  readonly finishedPodsMax: number;
  readonly autoscaling: AutoscalerSettings;
  readonly concurrency: ReadonlyMap<string, number>;
  readonly figures: ControllerFigures | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly informers: SharedInformers;
  #served: ServedKinds | undefined;
  #owners: OwnerIndex | undefined;
  readonly #options: ClusterViewOptions;
  /** Whose informers these are, where they are another's. */
  readonly #shared: ClusterView | undefined;

  constructor(options: ClusterViewOptions, shared?: ClusterView) {
    this.#options = options;
    this.#shared = shared;
    this.client = options.client;
    this.rootCaPem = options.rootCaPem;
    this.tokenSigningKeyFile = options.tokenSigningKeyFile;
    this.nodeEvictionRates = { ...usualNodeEvictionRates, ...options.nodeEvictionRates };
    this.nodeMonitorTimes = { ...usualNodeMonitorTimes, ...options.nodeMonitorTimes };
    this.nodeRanges = options.nodeRanges ?? { ranges: [], excluded: [] };
    this.legacyTokenUnusedMs = options.legacyTokenUnusedMs ?? limits.legacyTokenUnusedMs;
    this.finishedPodsMax = options.finishedPodsMax ?? limits.finishedPodsMax;
    this.signing = options.signing ?? { authorities: {} };
    this.autoscaling = { ...usualAutoscalerSettings, ...options.autoscaling };
    this.concurrency = options.concurrency ?? new Map();
    this.figures = options.figures;
    this.clock = options.clock;
    this.logger = options.logger;
    this.informers = shared?.informers ?? new SharedInformers(options);
  }

  /** The same cluster, which another user reads and writes: what is followed is followed once, by this one. */
  as(client: KubeClient): ClusterView {
    return new ClusterView({ ...this.#options, client }, this);
  }

  /** Which kinds the server serves. */
  get served(): ServedKinds {
    if (this.#shared) return this.#shared.served;
    this.#served ??= new ServedKinds(this).start();
    return this.#served;
  }

  /** Who owns whom, of all kinds that are served. */
  get owners(): OwnerIndex {
    if (this.#shared) return this.#shared.owners;
    this.#owners ??= new OwnerIndex({ informers: this.informers, served: this.served });
    return this.#owners;
  }

  async close(): Promise<void> {
    if (this.#shared) return;
    await this.#served?.close();
    await this.#owners?.close();
    await this.informers.close();
  }
}

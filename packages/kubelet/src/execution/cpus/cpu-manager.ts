import type { Container } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import type { CpuTopology } from '../../ground/topology/cpu-topology.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { CpuSet } from '../../pod/cpu-set.ts';
import { type Hint, type HintProvider, noHints, type ResourceHints } from '../topology/hints.ts';
import type { CpuFigures } from './cpu-figures.ts';
import type { CpuState } from './cpu-state.ts';
import type { StaticCpuPolicy } from './static-cpu-policy.ts';

/** What the manager is made of. */
export interface CpuManagerOptions {
  /** Undefined where no container has processors to itself. */
  policy: StaticCpuPolicy | undefined;
  /** Containers share no core. */
  isFullCores: boolean;
  state: CpuState;
  topology: CpuTopology;
  figures: CpuFigures;
  logger: Logger;
}

/** Which processors containers run on. */
export class CpuManager implements HintProvider {
  readonly #options: CpuManagerOptions;

  constructor(options: CpuManagerOptions) {
    this.#options = options;
    this.#save();
  }

  /** Whether any container can have processors to itself. */
  get isStatic(): boolean {
    return this.#options.policy !== undefined;
  }

  isAsked(pod: AssignedPod, container: Container): boolean {
    return this.#options.policy?.isAsked(pod, container) ?? false;
  }

  hintsOf(pod: AssignedPod, container: Container): ResourceHints {
    return this.#options.policy?.hintsOf(pod, container) ?? noHints;
  }

  podHintsOf(pod: AssignedPod): ResourceHints {
    return this.#options.policy?.podHintsOf(pod) ?? noHints;
  }

  allocate(pod: AssignedPod, container: Container, from: Hint): void {
    const { policy, figures, isFullCores } = this.#options;
    if (!policy?.isAsked(pod, container)) return;
    figures.requests.add(1);
    try {
      const given = policy.allocate(pod, container, from);
      if (isFullCores) figures.alignment.given('container', 'physical_cpu');
      if (!given) return;
      if (this.#isOfOneCache(given)) figures.alignment.given('container', 'uncore_cache');
      this.#save();
    } catch (error) {
      figures.errors.add(1);
      if (isFullCores) figures.alignment.failed('container', 'physical_cpu');
      throw error;
    }
  }

  #isOfOneCache(cpus: CpuSet): boolean {
    return this.#options.topology.only(cpus).idsOf('uncore').length <= 1;
  }

  /** Takes back what pods have that are not kept; answers whether there was anything. */
  keep(isKept: (uid: string) => boolean): boolean {
    const { policy, state } = this.#options;
    const gone = state.grants.filter(({ uid }) => !isKept(uid));
    for (const { uid, container } of gone) policy?.remove(uid, container);
    if (gone.length > 0) this.#save();
    return gone.length > 0;
  }

  /** The processors that a container runs on: its own, or those that are shared. Empty where none are given away. */
  cpusOf(uid: string, container: string): CpuSet {
    return this.exclusiveOf(uid, container) ?? this.#options.state.shared;
  }

  /** The processors that a container has to itself. */
  exclusiveOf(uid: string, container: string): CpuSet | undefined {
    return this.#options.state.get(uid, container);
  }

  /** Processors that containers can have to themselves, taken or not. */
  get allocatable(): CpuSet {
    return this.#options.policy?.allocatable ?? new Set();
  }

  #save(): void {
    const { state, logger } = this.#options;
    try {
      state.save();
    } catch (error) {
      logger.warn('what processors containers have can not be noted; a restart will not know it', { error });
    }
  }
}

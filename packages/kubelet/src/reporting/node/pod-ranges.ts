import type { CriClient } from '@wherry/cri';
import type { Node } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { runtimeStatusMs } from '../../limits.ts';

/** Tells the runtime the ranges of pods' addresses that the cluster gave the node, each time that they are others. */
export class PodRanges {
  readonly #runtime: Pick<CriClient['runtime'], 'updateRuntimeConfig'>;
  readonly #logger: Logger;
  #told = '';

  constructor(runtime: Pick<CriClient['runtime'], 'updateRuntimeConfig'>, logger: Logger) {
    this.#runtime = runtime;
    this.#logger = logger;
  }

  /** Answers whether the runtime was told something. What failed is tried again with the next look at the node. */
  async tell({ spec }: Node): Promise<boolean> {
    const podCidr = (spec?.podCIDRs ?? []).join(',');
    if (podCidr === '' || podCidr === this.#told) return false;
    try {
      await this.#runtime.updateRuntimeConfig(
        { runtimeConfig: { networkConfig: { podCidr } } },
        { timeoutMs: runtimeStatusMs },
      );
      this.#told = podCidr;
      this.#logger.info('the runtime was told the ranges of pods', { podCidr });
      return true;
    } catch (error) {
      this.#logger.warn('the runtime could not be told the ranges of pods', { podCidr, error });
      return false;
    }
  }
}

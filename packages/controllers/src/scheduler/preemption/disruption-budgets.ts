import { type LabelMatcher, matcherFrom, ownValue, type PodDisruptionBudget } from '@wherry/kubeapi/objects';
import type { PodInfo } from '../cluster/pod-info.ts';

/** How much of their budgets is left while pods are taken away, one after the other. */
export class DisruptionBudgets {
  readonly #budgets: readonly { budget: PodDisruptionBudget; selector: LabelMatcher }[];

  constructor(budgets: Iterable<PodDisruptionBudget>) {
    this.#budgets = [...budgets]
      .map((budget) => ({ budget, selector: matcherFrom(budget.spec.selector) }))
      .filter(({ selector }) => !selector.isEmpty);
  }

  /** Which of the pods would be one too many for a budget, if all of them went in that order. */
  violators(pods: readonly PodInfo[]): Set<PodInfo> {
    const left = this.#budgets.map(({ budget }) => budget.status?.disruptionsAllowed ?? 0);
    const found = new Set<PodInfo>();
    for (const info of pods) {
      const { namespace, name = '', labels = {} } = info.pod.metadata;
      if (Object.keys(labels).length === 0) continue;
      for (const [index, { budget, selector }] of this.#budgets.entries()) {
        if (budget.metadata.namespace !== namespace || !selector.matches(labels)) continue;
        // Its eviction was counted already.
        if (ownValue(budget.status?.disruptedPods ?? {}, name) !== undefined) continue;
        left[index]! -= 1;
        if (left[index]! < 0) found.add(info);
      }
    }
    return found;
  }
}

import type { Job, JobSpec } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';
import { ownTemplate, templateWarnings } from '../template-warnings.ts';

/** Jobs: each selects the pods that carry its own uid, unless it brings a selector (upstream: pkg/registry/batch/job). */
export const job: ServedKind = {
  group: 'batch',
  kind: 'Job',
  strategy: {
    ...specGenerations,
    ...templateWarnings({
      ...ownTemplate,
      namesPods: true,
      others: (object) => indexWarnings(as<Job>(object).spec, 'spec'),
    }),
    orphansByDefault: true,
    undecidedDeletionWarning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    prepareCreate(object) {
      delete object.status;
      if (!as<Job>(object).spec?.manualSelector) selectOwnPods(object);
    },
  },
};

/**
 * The short labels are those of Kubernetes before 1.27, which still writes them. A job without labels of its own has those of its
 * template, these too.
 */
function selectOwnPods(object: ApiObject): void {
  const { metadata } = object;
  const { spec } = as<Job>(object);
  if (!spec?.template) return;
  const { name = '', uid = '' } = metadata;
  const labels = {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
    ...spec.template.metadata?.labels,
  };
  const isWithout = Object.keys(metadata.labels ?? {}).length === 0;
  if (isWithout || metadata.labels === spec.template.metadata?.labels) metadata.labels = { ...labels };
  spec.template.metadata = { ...spec.template.metadata, labels };
  const matchLabels = { 'batch.kubernetes.io/controller-uid': uid, ...spec.selector?.matchLabels };
  spec.selector = { ...spec.selector, matchLabels };
}

/** Upstream's soft limits of what fits into `completedIndexes`; a cron job's jobs have them, too. */
export function indexWarnings(spec: JobSpec | undefined, path: string): string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec ?? {};
  if (completionMode !== 'Indexed' || completions <= 100_000 || parallelism <= 10_000) return [];
  return [
    `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
  ];
}

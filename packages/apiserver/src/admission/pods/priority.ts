import type { Pod, PodSpec, PriorityClass } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { ObjectCache } from '../../objects/object-cache.ts';
import { type AdmissionPlugin, type AdmissionRequest, refused } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';

const priorityClasses = 'scheduling.k8s.io/priorityclasses';

/** Turns a pod's priority class into its number, and lets there be one default class at most. */
export function priority({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  const classes = caches.priorityClasses;
  return {
    name: 'Priority',
    handles: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods', priorityClasses] }],
    admit(request) {
      const { spec } = as<Pod>(request.object!);
      if (request.resource.plural !== 'pods' || !spec) return;
      if (request.operation === 'CREATE') settle(spec, request, classes);
      else keep(spec, as<Pod>(request.previous!).spec);
    },
    validate(request) {
      if (request.resource.plural === 'pods') return;
      const { globalDefault, metadata } = as<PriorityClass>(request.object!);
      const other = globalDefault ? defaultOf(classes)?.metadata?.name : undefined;
      if (other === undefined || (request.operation === 'UPDATE' && other === metadata?.name)) return;
      throw refused(
        request,
        `PriorityClass ${other} is already marked as default. Only one default can exist`,
      );
    },
  };
}

function settle(spec: PodSpec, request: AdmissionRequest, classes: ObjectCache<PriorityClass>): void {
  const { priorityClassName: named, priority: given, preemptionPolicy: policyGiven } = spec;
  const found = named ? classes.get(named) : defaultOf(classes);
  if (named && !found) throw refused(request, `no PriorityClass with name ${named} was found`);
  const value = found?.value ?? 0;
  const policy = found ? found.preemptionPolicy : 'PreemptLowerPriority';
  const isOwn = 'must not be provided in pod spec; priority admission controller computed';
  const source = 'from the given PriorityClass name';
  if (given !== undefined && given !== value) {
    throw refused(request, `the integer value of priority (${given}) ${isOwn} ${value} ${source}`);
  }
  if (policy && policyGiven && policyGiven !== policy) {
    throw refused(
      request,
      `the string value of PreemptionPolicy (${policyGiven}) ${isOwn} ${policy} ${source}`,
    );
  }
  if (found?.metadata?.name) spec.priorityClassName = found.metadata.name;
  spec.priority = value;
  spec.preemptionPolicy = policy ?? policyGiven ?? 'PreemptLowerPriority';
}

/** What an update leaves out stays as it was. */
function keep(spec: PodSpec, previous: PodSpec | undefined): void {
  if (previous?.priority !== undefined) spec.priority ??= previous.priority;
  if (previous?.preemptionPolicy !== undefined) spec.preemptionPolicy ??= previous.preemptionPolicy;
}

/** The lowest of those that say they are, should there be several. */
function defaultOf(classes: ObjectCache<PriorityClass>): PriorityClass | undefined {
  const marked = [...classes.values()].filter(({ globalDefault }) => globalDefault);
  return marked.sort((left, right) => (left.value ?? 0) - (right.value ?? 0))[0];
}

/** Violations in changes of jobs (upstream: pkg/apis/batch/validation). */

import type { Job, JobSpec } from '../../generated/types.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { child, type FieldError, invalidValue } from '../../status/field-error.ts';
import { immutable } from '../../validation/metadata.ts';
import { validateJob } from './job-validation.ts';

/** Violations in a change of a job: what its pods are made from stays, but where it is suspended and never ran. */
export function validateJobUpdate(next: Job, previous: Job): FieldError[] {
  const same = [
    'selector',
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ] as const;
  return [
    ...validateJob(next),
    ...validateCompletions(next.spec, previous.spec),
    ...validateTemplateKept(next, previous),
    ...same.flatMap((name) =>
      immutable(
        child('spec', name),
        next.spec[name] as JsonValue | undefined,
        previous.spec[name] as JsonValue | undefined,
      ),
    ),
  ];
}

function validateCompletions(next: JobSpec, previous: JobSpec): FieldError[] {
  const field = 'spec.completions';
  if (next.completionMode !== 'Indexed') return immutable(field, next.completions, previous.completions);
  const isKept = next.completions === previous.completions || next.completions === undefined;
  if (isKept || next.completions === next.parallelism) return [];
  return [invalidValue(field, next.completions, 'can only be modified in tandem with spec.parallelism')];
}

function validateTemplateKept(next: Job, previous: Job): FieldError[] {
  const isSuspended = previous.spec.suspend === true;
  const isIdle = (previous.status?.active ?? 0) === 0;
  const wasSuspended = previous.status?.conditions?.some(
    ({ type, status }) => type === 'Suspended' && status === 'True',
  );
  const mayMove =
    isSuspended && isIdle && (previous.status?.startTime === undefined || wasSuspended === true);
  const before = mayMove ? withPlacement(previous.spec.template, next.spec.template) : previous.spec.template;
  const field = mayMove ? 'spec.template.spec' : 'spec.template';
  const [after, former] = mayMove
    ? [next.spec.template?.spec, withResources(before?.spec, next.spec.template?.spec)]
    : [next.spec.template, before];
  return immutable(field, after as unknown as JsonValue, former as unknown as JsonValue);
}

type Template = JobSpec['template'];
type Spec = NonNullable<Template['spec']>;

/** What says where pods run may still change. */
function withPlacement(template: Template, next: Template): Template {
  const { nodeSelector, tolerations, schedulingGates, affinity } = next?.spec ?? {};
  const { affinity: former, ...spec } = template?.spec ?? { containers: [] };
  const { nodeAffinity: _nodeAffinity, ...others } = former ?? {};
  const merged = { ...others, ...(affinity?.nodeAffinity ? { nodeAffinity: affinity.nodeAffinity } : {}) };
  const isNone = Object.keys(merged).length === 0 && !affinity;
  const moved = {
    ...spec,
    nodeSelector,
    tolerations,
    schedulingGates,
    ...(isNone ? {} : { affinity: merged }),
  };
  return { ...template, spec: withoutUndefined(moved) as unknown as Spec };
}

function withResources(spec: Spec | undefined, next: Spec | undefined): Spec | undefined {
  if (!spec) return spec;
  const matched = (name: 'containers' | 'initContainers') => {
    const [former, after] = [spec[name], next?.[name]];
    if (!former || former.length !== after?.length) return former;
    return former.map((container, index) => {
      const { resources, name: ownName } = after[index]!;
      return container.name === ownName ? withoutUndefined({ ...container, resources }) : container;
    });
  };
  const changed = { ...spec, containers: matched('containers'), initContainers: matched('initContainers') };
  return withoutUndefined(changed) as unknown as Spec;
}

const withoutUndefined = (object: object): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;

/** Violations in kinds that make pods from a template. */
import { child, type FieldError, invalidValue, notSupported, required } from '../field-error.ts';
import type { CronJob, Job, JobSpec, LabelSelector, PodTemplateSpec } from '../generated/types.ts';
import type { JsonValue } from '../json-value.ts';
import { matcherFrom } from '../selector/label-selector.ts';
import { immutable, nonNegative, validateLabels, validateSelector } from './metadata.ts';
import { validatePodSpec } from './pod.ts';

interface ReplicatedSpec {
  replicas?: number;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  selector?: LabelSelector;
  template?: PodTemplateSpec;
}

/** Violations in deployments, replica sets, stateful sets and daemon sets. */
export function validateReplicated({ spec }: { spec: ReplicatedSpec }): FieldError[] {
  const errors = [
    ...nonNegative('spec.replicas', spec.replicas),
    ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...validateSelectorMatches(spec),
    ...(hasGoodSelector(spec) ? validateTemplate(spec.template, 'spec.template') : []),
  ];
  const policy = spec.template?.spec?.restartPolicy;
  if (policy && policy !== 'Always') {
    errors.push(notSupported('spec.template.spec.restartPolicy', policy, ['Always']));
  }
  return errors;
}

/** Violations in a change of them. */
export function validateReplicatedUpdate(
  next: { spec: ReplicatedSpec },
  previous: { spec: ReplicatedSpec },
): FieldError[] {
  const { selector } = next.spec;
  const frozen = immutable(
    'spec.selector',
    selector as JsonValue | undefined,
    previous.spec.selector as JsonValue | undefined,
  );
  return [...validateReplicated(next), ...frozen];
}

/** With a selector that cannot be read the template is not looked into, as upstream does. */
const hasGoodSelector = ({ selector }: ReplicatedSpec) => validateSelector(selector, '').length === 0;

function validateSelectorMatches({ selector, template }: ReplicatedSpec): FieldError[] {
  if (selector === undefined) return [required('spec.selector')];
  const errors = validateSelector(selector, 'spec.selector');
  const isEmpty = !Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length;
  if (isEmpty)
    errors.push(
      invalidValue('spec.selector', selector as JsonValue, 'empty selector is invalid for deployment'),
    );
  if (errors.length > 0) return errors;
  const labels = template?.metadata?.labels ?? {};
  if (matcherFrom(selector).matches(labels)) return [];
  return [
    invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'),
  ];
}

function validateTemplate(template: PodTemplateSpec | undefined, field: string): FieldError[] {
  const { metadata, spec = { containers: [] } } = template ?? {};
  return [
    ...validateLabels(metadata?.labels, child(field, 'metadata', 'labels')),
    ...validatePodSpec(spec, child(field, 'spec')),
  ];
}

/** Violations in a job. */
export function validateJob({ spec }: Job): FieldError[] {
  return validateJobSpec(spec, 'spec');
}

/** Violations in a cron job. */
export function validateCronJob({ spec }: CronJob): FieldError[] {
  const errors = spec.schedule ? validateSchedule(spec.schedule) : [required('spec.schedule')];
  const policies = ['Allow', 'Forbid', 'Replace'];
  const { concurrencyPolicy: policy = '' } = spec;
  if (!policies.includes(policy)) errors.push(notSupported('spec.concurrencyPolicy', policy, policies));
  const { spec: job } = spec.jobTemplate;
  return [...errors, ...(job ? validateJobSpec(job, 'spec.jobTemplate.spec') : [])];
}

function validateSchedule(schedule: string): FieldError[] {
  const isMacro = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/.test(schedule);
  const count = schedule.trim().split(/\s+/).length;
  if (isMacro || count === 5) return [];
  const detail = `expected exactly 5 fields, found ${count}: [${schedule.trim()}]`;
  return [invalidValue('spec.schedule', schedule, detail)];
}

function validateJobSpec(spec: JobSpec, field: string): FieldError[] {
  const numbers = ['parallelism', 'completions', 'backoffLimit', 'ttlSecondsAfterFinished'] as const;
  const errors = numbers.flatMap((name) => nonNegative(child(field, name), spec[name]));
  const policy = spec.template.spec?.restartPolicy;
  const place = child(field, 'template', 'spec', 'restartPolicy');
  if (policy === 'Always') {
    errors.push(required(place, 'valid values: "OnFailure", "Never"'));
  } else if (spec.completionMode === 'Indexed' && spec.completions === undefined) {
    errors.push(required(child(field, 'completions'), 'when completion mode is Indexed'));
  }
  return [...errors, ...validateTemplate(spec.template, child(field, 'template'))];
}

/** Violations in jobs (upstream: pkg/apis/batch/validation). */

import type { Job, JobSpec } from '../../generated/types.ts';
import { type JsonValue, ownValue } from '../../json/json-value.ts';
import { matcherFrom } from '../../selector/label-selector.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { dnsLabel } from '../../validation/formats.ts';
import { nonNegative, validateSelector } from '../../validation/metadata.ts';
import { domainPrefixedPath } from '../../validation/references.ts';
import { notSelected, validateTemplate } from '../core/pod/validation/template.ts';
import { validateFailurePolicy, validateSuccessPolicy } from './job-policies.ts';

const indexedParallelismMax = 100_000;
const failedIndexesMax = 100_000;
/** From so many completions on the two bounds below hold for jobs with a limit per index. */
const manyCompletions = 100_000;
const manyParallelismMax = 10_000;
const manyFailedIndexesMax = 10_000;
const managedByBytesMax = 63;

/** Violations in a job. */
export function validateJob(job: Job): FieldError[] {
  const { metadata, spec } = job;
  const { completions = 0, completionMode } = spec;
  const lastPod = `${metadata?.name ?? ''}-${completions - 1}`;
  const isLong = completionMode === 'Indexed' && completions > 0 && dnsLabel(lastPod).length > 0;
  return [
    ...validateOwnLabels(job),
    ...validateJobSpec(spec, 'spec'),
    ...validateJobSelector(spec),
    ...(isLong
      ? [invalidValue('metadata.name', metadata?.name ?? '', `its pod ${lastPod} would have an invalid name`)]
      : []),
  ];
}

/** A job without a selector of its own has the labels that the server gave it. */
function validateOwnLabels({ metadata, spec }: Job): FieldError[] {
  const { selector, manualSelector, template } = spec;
  if (manualSelector || !selector) return [];
  const { name = '', uid = '' } = metadata ?? {};
  const field = 'spec.template.metadata.labels';
  const wanted: [key: string, value: string][] = [
    ['controller-uid', uid],
    ['job-name', name],
    ['batch.kubernetes.io/controller-uid', uid],
    ['batch.kubernetes.io/job-name', name],
  ];
  const labels = template?.metadata?.labels ?? {};
  const isReadable = validateSelector(selector, '').length === 0;
  const isOwn = !isReadable || matcherFrom(selector).matches(Object.fromEntries(wanted));
  return [
    ...(uid === '' ? [required('metadata.uid')] : []),
    ...wanted.flatMap(([key, value]) => {
      const told = ownValue(labels, key);
      if (told === undefined) return [required(at(field, key), `must be '${value}'`)];
      return told === value ? [] : [invalidValue(at(field, key), told, `must be '${value}'`)];
    }),
    ...(isOwn ? [] : [invalidValue('spec.selector', selector as JsonValue, '`selector` not auto-generated')]),
  ];
}

function validateJobSelector({ selector, template }: JobSpec): FieldError[] {
  const errors = selector ? validateSelector(selector, 'spec.selector') : [required('spec.selector')];
  if (selector && errors.length > 0) return errors;
  const labels = template?.metadata?.labels ?? {};
  const isSelected = selector !== undefined && matcherFrom(selector).matches(labels);
  return isSelected ? errors : [...errors, notSelected('spec.template', labels)];
}

/** Violations in the spec of a job, or in the one that a cron job has for its jobs. */
export function validateJobSpec(spec: JobSpec, field: FieldPath): FieldError[] {
  const counts = [
    ...(['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit'] as const),
    ...(['ttlSecondsAfterFinished', 'backoffLimitPerIndex', 'maxFailedIndexes'] as const),
  ];
  return [
    ...counts.flatMap((name) => nonNegative(child(field, name), spec[name])),
    ...(spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined
      ? [required(child(field, 'backoffLimitPerIndex'), 'when maxFailedIndexes is specified')]
      : []),
    ...validateManager(spec.managedBy, child(field, 'managedBy')),
    ...validateMode(spec, field),
    ...(spec.podFailurePolicy ? validateFailurePolicy(spec, child(field, 'podFailurePolicy')) : []),
    ...(spec.successPolicy ? validateSuccessPolicy(spec, child(field, 'successPolicy')) : []),
    ...validateReplacement(spec, child(field, 'podReplacementPolicy')),
    ...validateTemplate(spec.template, child(field, 'template')),
    ...validateRestart(spec, child(field, 'template', 'spec', 'restartPolicy')),
  ];
}

function validateManager(manager: string | undefined, field: FieldPath): FieldError[] {
  if (manager === undefined) return [];
  const isLong = Buffer.byteLength(manager) > managedByBytesMax;
  return [...domainPrefixedPath(field, manager), ...(isLong ? [tooLong(field, managedByBytesMax)] : [])];
}

const modes = ['NonIndexed', 'Indexed'];

function validateMode(spec: JobSpec, field: FieldPath): FieldError[] {
  const { completionMode: mode } = spec;
  if (mode === 'Indexed') return validateIndexed(spec, field);
  if (mode !== undefined && !modes.includes(mode)) {
    return [notSupported(child(field, 'completionMode'), mode, modes)];
  }
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
    .filter((name) => spec[name] !== undefined)
    .map((name) => invalidValue(child(field, name), spec[name], 'requires indexed completion mode'));
}

function validateIndexed(spec: JobSpec, field: FieldPath): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes: failed } = spec;
  const atMost = (name: 'parallelism' | 'maxFailedIndexes', bound: number) => {
    const value = spec[name] ?? 0;
    return value > bound
      ? [invalidValue(child(field, name), value, `must be less than or equal to ${bound}`)]
      : [];
  };
  const errors = [
    ...(completions === undefined
      ? [required(child(field, 'completions'), 'when completion mode is Indexed')]
      : []),
    ...atMost('parallelism', indexedParallelismMax),
    ...(completions !== undefined && failed !== undefined && failed > completions
      ? [invalidValue(child(field, 'maxFailedIndexes'), failed, 'must be less than or equal to completions')]
      : []),
    ...atMost('maxFailedIndexes', failedIndexesMax),
  ];
  if ((completions ?? 0) <= manyCompletions || spec.backoffLimitPerIndex === undefined) return errors;
  if (failed === undefined) {
    errors.push(required(child(field, 'maxFailedIndexes'), `when completions is above ${manyCompletions}`));
  }
  if (parallelism > manyParallelismMax) errors.push(...atMost('parallelism', manyParallelismMax));
  return [...errors, ...atMost('maxFailedIndexes', manyFailedIndexesMax)];
}

function validateReplacement(spec: JobSpec, field: FieldPath): FieldError[] {
  const { podReplacementPolicy: policy, podFailurePolicy } = spec;
  const fit = podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  return policy === undefined || fit.includes(policy) ? [] : [notSupported(field, policy, fit)];
}

function validateRestart({ template, podFailurePolicy }: JobSpec, field: FieldPath): FieldError[] {
  const { restartPolicy: policy = '' } = template?.spec ?? {};
  if (policy === '' || policy === 'Always') return [required(field, 'valid values: "OnFailure", "Never"')];
  if (!['OnFailure', 'Never'].includes(policy)) return [notSupported(field, policy, ['OnFailure', 'Never'])];
  if (!podFailurePolicy || policy === 'Never') return [];
  return [invalidValue(field, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

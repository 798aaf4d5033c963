/** Violations in autoscalers (upstream: pkg/apis/autoscaling/validation). */

import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricSpec,
  MetricTarget,
} from '../../generated/types.ts';
import { ownValue } from '../../json/json-value.ts';
import { parseApiVersion } from '../../schema/resources.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { dnsLabel, pathSegment } from '../../validation/formats.ts';
import { requiredName } from '../../validation/references.ts';
import { validateContainerResourceName } from '../../validation/resource-names.ts';
import { parseQuantity } from '../../values/quantity.ts';

const periodSecondsMax = 1800;
const windowSecondsMax = 3600;

/** What the apiVersion of a reference may be: anything, any that can be read, or one that names a group. */
type TakenVersions = 'any' | 'readable' | 'grouped';

/** What an autoscaler may say that depends on what it said before. */
interface Takes {
  minReplicasLow: number;
  target: TakenVersions;
  /** Of the objects that metrics describe. */
  described: TakenVersions;
}

/** Violations in a new autoscaler, or in a changed one. What was wrong before, and is not touched, may stay. */
export function validateAutoscaler(
  autoscaler: HorizontalPodAutoscaler,
  previous?: HorizontalPodAutoscaler,
): FieldError[] {
  const [next, before] = [autoscaler.spec.scaleTargetRef, previous?.spec.scaleTargetRef];
  const isSame = before && (before.apiVersion ?? '') === (next.apiVersion ?? '') && before.kind === next.kind;
  const wasWrong = previous?.spec.metrics?.some(
    ({ type, object }) =>
      type === 'Object' && object && parseApiVersion(object.describedObject?.apiVersion ?? '') === undefined,
  );
  return validateSpec(autoscaler, {
    minReplicasLow: previous?.spec.minReplicas === 0 ? 0 : 1,
    // Of the core group there is this one to scale.
    target: isSame ? 'any' : next.kind === 'ReplicationController' ? 'readable' : 'grouped',
    described: wasWrong ? 'any' : 'readable',
  });
}

function validateSpec({ spec }: HorizontalPodAutoscaler, takes: Takes): FieldError[] {
  const { minReplicasLow } = takes;
  const { minReplicas, maxReplicas = 0, metrics = [], behavior } = spec;
  const toZero = metrics.some(({ type }) => type === 'Object' || type === 'External');
  return [
    ...(minReplicas !== undefined && minReplicas < minReplicasLow
      ? [invalidValue('spec.minReplicas', minReplicas, `must be greater than or equal to ${minReplicasLow}`)]
      : []),
    ...(maxReplicas === 0 ? [required('spec.maxReplicas', 'must be set and greater than 0')] : []),
    ...(maxReplicas < 0
      ? [invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1')]
      : []),
    ...(minReplicas !== undefined && maxReplicas < minReplicas
      ? [invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...validateReference(spec.scaleTargetRef, 'spec.scaleTargetRef', takes.target),
    ...metrics.flatMap((metric, index) => validateMetric(metric, at('spec.metrics', index), takes)),
    ...(minReplicas === 0 && !toZero
      ? [forbiddenField('spec.metrics', 'zero replicas need an Object or External metric')]
      : []),
    ...(['scaleUp', 'scaleDown'] as const).flatMap((way) =>
      behavior?.[way] ? validateRules(behavior[way], child('spec.behavior', way)) : [],
    ),
  ];
}

function validateReference(
  reference: CrossVersionObjectReference | undefined,
  field: FieldPath,
  takes: TakenVersions,
): FieldError[] {
  const { kind, name, apiVersion = '' } = reference ?? {};
  const parsed = parseApiVersion(apiVersion);
  const complaint = !parsed
    ? `unexpected GroupVersion string: ${apiVersion}`
    : parsed.group === '' && takes === 'grouped'
      ? 'apiVersion must specify API group'
      : undefined;
  return [
    ...requiredName(child(field, 'kind'), kind),
    ...requiredName(child(field, 'name'), name),
    ...(complaint === undefined || takes === 'any'
      ? []
      : [invalidValue(child(field, 'apiVersion'), apiVersion, complaint)]),
  ];
}

const selectPolicies = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];

function validateRules(rules: HPAScalingRules, field: FieldPath): FieldError[] {
  const { stabilizationWindowSeconds: seconds, selectPolicy, policies = [], tolerance } = rules;
  const window = child(field, 'stabilizationWindowSeconds');
  return [
    ...(seconds !== undefined && seconds < 0
      ? [invalidValue(window, seconds, 'must be greater than or equal to zero')]
      : []),
    ...(seconds !== undefined && seconds > windowSecondsMax
      ? [invalidValue(window, seconds, `must be less than or equal to ${windowSecondsMax}`)]
      : []),
    ...(selectPolicy !== undefined && !selectPolicies.includes(selectPolicy)
      ? [notSupported(child(field, 'selectPolicy'), selectPolicy, selectPolicies)]
      : []),
    ...(policies.length === 0
      ? [required(child(field, 'policies'), 'must specify at least one Policy')]
      : []),
    ...policies.flatMap((policy, index) => {
      const place = at(child(field, 'policies'), index);
      const { type, value = 0, periodSeconds = 0 } = policy;
      return [
        ...(policyTypes.includes(type) ? [] : [notSupported(child(place, 'type'), type ?? '', policyTypes)]),
        ...positive(child(place, 'value'), value),
        ...positive(child(place, 'periodSeconds'), periodSeconds),
        ...(periodSeconds > periodSecondsMax
          ? [
              invalidValue(
                child(place, 'periodSeconds'),
                periodSeconds,
                `must be less than or equal to ${periodSecondsMax}`,
              ),
            ]
          : []),
      ];
    }),
    ...(tolerance !== undefined && parseQuantity(tolerance).sign() < 0
      ? [invalidValue(child(field, 'tolerance'), tolerance, 'must be greater than or equal to 0')]
      : []),
  ];
}

const positive = (field: FieldPath, value: number): FieldError[] =>
  value > 0 ? [] : [invalidValue(field, value, 'must be greater than zero')];

/** In upstream's order: the first that is there is looked into. */
const sources = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
} as const;
type Source = (typeof sources)[keyof typeof sources];

function validateMetric(metric: MetricSpec, field: FieldPath, takes: Takes): FieldError[] {
  const { type } = metric;
  const expected = ownValue<Source>(sources, type);
  const [first, ...others] = Object.values(sources).filter((name) => metric[name] !== undefined);
  const typeField = child(field, 'type');
  const isAlone = first !== undefined && others.length === 0;
  const strangers = [first, ...others].filter((name) => name !== undefined && name !== expected);
  return [
    ...(type ? [] : [required(typeField, 'must specify a metric source type')]),
    ...(expected ? [] : [notSupported(typeField, type ?? '', Object.keys(sources).sort())]),
    ...(first ? validateSource(metric, first, child(field, first), takes) : []),
    ...(expected && metric[expected] === undefined
      ? [required(child(field, expected), 'must populate information for the given metric source')]
      : []),
    ...(isAlone
      ? []
      : strangers.map((name) => forbiddenField(child(field, name!), 'must populate the given source only'))),
  ];
}

function validateSource(metric: MetricSpec, name: Source, field: FieldPath, takes: Takes): FieldError[] {
  const target = metric[name]?.target;
  const place = child(field, 'target');
  const { value, averageValue, averageUtilization } = target ?? {};
  const excludes = (what: string) =>
    forbiddenField(child(place, what), `may not set both a target ${twoTargets[name]}`);
  const errors: FieldError[] = [];
  if (name === 'object')
    errors.push(
      ...validateReference(metric.object!.describedObject, child(field, 'describedObject'), takes.described),
    );
  if (name === 'object' || name === 'external' || name === 'pods') {
    const named = metric[name]!.metric?.name;
    errors.push(
      ...requiredName(child(field, 'metric', 'name'), named, pathSegment, 'must specify a metric name'),
    );
    const isUnset = averageValue === undefined && (name === 'pods' || value === undefined);
    if (isUnset) errors.push(required(child(place, 'averageValue'), unsetTarget[name]));
    if (name === 'external' && value !== undefined && averageValue !== undefined)
      errors.push(excludes('value'));
    return [...errors, ...validateTarget(target, place)];
  }
  const resource = metric[name]!.name ?? '';
  if (resource === '') errors.push(required(child(field, 'name'), 'must specify a resource name'));
  else if (name === 'containerResource') {
    errors.push(...validateContainerResourceName(child(field, 'name'), resource));
  }
  if (name === 'containerResource') {
    const { container } = metric.containerResource!;
    errors.push(...requiredName(child(field, 'container'), container, dnsLabel, 'must specify a container'));
  }
  if (averageUtilization === undefined && averageValue === undefined)
    errors.push(required(child(place, 'averageUtilization'), unsetTarget[name]));
  if (averageUtilization !== undefined && averageValue !== undefined) errors.push(excludes('averageValue'));
  return [...errors, ...validateTarget(target, place)];
}

const twoTargets: Readonly<Record<Source, string>> = {
  object: 'value and averageValue',
  external: 'value for metric and a per-pod target',
  pods: 'value and averageValue',
  resource: 'raw value and a target utilization',
  containerResource: 'raw value and a target utilization',
};

const unsetTarget: Readonly<Record<Source, string>> = {
  object: 'must set either a target value or averageValue',
  external: 'must set either a target value for metric or a per-pod target',
  pods: 'must specify a positive target averageValue',
  resource: 'must set either a target raw value or a target utilization',
  containerResource: 'must set either a target raw value or a target utilization',
};

const targetTypes = ['Utilization', 'Value', 'AverageValue'];

function validateTarget(target: MetricTarget | undefined, field: FieldPath): FieldError[] {
  const { type, value, averageValue, averageUtilization } = target ?? {};
  return [
    ...(type ? [] : [required(child(field, 'type'), 'must specify a metric target type')]),
    ...(type && targetTypes.includes(type)
      ? []
      : [
          invalidValue(
            child(field, 'type'),
            type ?? '',
            'must be either Utilization, Value, or AverageValue',
          ),
        ]),
    ...Object.entries({ value, averageValue })
      .filter(([, amount]) => amount !== undefined && parseQuantity(amount).sign() <= 0)
      .map(([name, amount]) => invalidValue(child(field, name), amount, 'must be positive')),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [invalidValue(child(field, 'averageUtilization'), averageUtilization, 'must be greater than 0')]
      : []),
  ];
}

/** Violations in pods, their specs and changes to them. */
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  missing,
  required,
} from '../field-error.ts';
import type { Container, Pod, PodSpec, Toleration } from '../generated/types.ts';
import { type JsonValue, jsonEqual } from '../json-value.ts';
import { oneOf, validateContainer } from './container.ts';
import { dnsLabel, dnsSubdomain, inclusiveRange, labelValueFormat, qualifiedName } from './formats.ts';
import { check, uniqueNames, validateLabels } from './metadata.ts';
import { validateProbes } from './probes.ts';
import { validatePodSecurityContext } from './security-context.ts';
import { validateVolumes } from './volumes.ts';

const int32Max = 2 ** 31 - 1;

/** Violations in a pod that is created. */
export function validatePodCreate(pod: Pod): FieldError[] {
  const errors = validatePodSpec(pod.spec, 'spec');
  if (pod.spec.ephemeralContainers?.length) {
    errors.push(forbiddenField('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (pod.spec.nodeName && pod.spec.schedulingGates?.length) {
    errors.push(forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  return errors;
}

/** Violations in the spec of a pod or of a template. */
export function validatePodSpec(spec: PodSpec, field: FieldPath): FieldError[] {
  const { errors, names } = validateVolumes(spec.volumes ?? [], child(field, 'volumes'));
  return [
    ...(spec.terminationGracePeriodSeconds === undefined
      ? [required(child(field, 'terminationGracePeriodSeconds'))]
      : []),
    ...errors,
    ...validateContainers(spec, field, names),
    ...validateInitContainers(spec, field, names),
    ...validateEphemeralContainers(spec, field, names),
    ...oneOf(child(field, 'restartPolicy'), spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...oneOf(child(field, 'dnsPolicy'), spec.dnsPolicy, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...validateLabels(spec.nodeSelector, child(field, 'nodeSelector')),
    ...validatePodSecurityContext(spec.securityContext, child(field, 'securityContext')),
    ...validateNames(spec, field),
    ...validateTolerations(spec.tolerations ?? [], child(field, 'tolerations')),
  ];
}

function validateNames(spec: PodSpec, field: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const subdomains = ['serviceAccountName', 'nodeName', 'priorityClassName', 'runtimeClassName'] as const;
  for (const key of subdomains)
    if (spec[key]) errors.push(...check(child(field, key), spec[key], dnsSubdomain));
  for (const key of ['hostname', 'subdomain'] as const) {
    if (spec[key]) errors.push(...check(child(field, key), spec[key], dnsLabel));
  }
  const { activeDeadlineSeconds: deadline } = spec;
  if (deadline !== undefined && (deadline < 1 || deadline > int32Max)) {
    errors.push(invalidValue(child(field, 'activeDeadlineSeconds'), deadline, inclusiveRange(1, int32Max)));
  }
  if (spec.dnsPolicy === 'None' && !spec.dnsConfig?.nameservers?.length) {
    const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    errors.push(required(child(field, 'dnsConfig', 'nameservers'), detail));
  }
  return errors;
}

function validateContainers(spec: PodSpec, field: FieldPath, volumes: ReadonlySet<string>): FieldError[] {
  const list = child(field, 'containers');
  const containers = spec.containers ?? [];
  if (containers.length === 0) return [required(list)];
  return [
    ...containers.flatMap((container, index) => {
      const place = at(list, index);
      return [...validateContainer(container, place, volumes), ...validateProbes(container, place)];
    }),
    ...uniqueNames(
      containers.map(({ name }) => name),
      (index) => child(at(list, index), 'name'),
    ),
    ...hostPortConflicts(containers, list),
  ];
}

const handlers = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

function validateInitContainers(spec: PodSpec, field: FieldPath, volumes: ReadonlySet<string>): FieldError[] {
  const list = child(field, 'initContainers');
  const containers = spec.initContainers ?? [];
  const errors = containers.flatMap((container, index) => {
    const place = at(list, index);
    const detail = 'may not be set for init containers without restartPolicy=Always';
    const rest =
      container.restartPolicy === 'Always'
        ? validateProbes(container, place)
        : handlers.filter((key) => container[key]).map((key) => forbiddenField(child(place, key), detail));
    return [...validateContainer(container, place, volumes), ...rest];
  });
  const names = [...(spec.containers ?? []), ...containers].map(({ name }) => name);
  const offset = spec.containers?.length ?? 0;
  const repeated = uniqueNames(names, (index) => child(at(list, index - offset), 'name'));
  return [...errors, ...repeated.filter(({ field }) => !field.includes('[-'))];
}

function validateEphemeralContainers(
  spec: PodSpec,
  field: FieldPath,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const list = child(field, 'ephemeralContainers');
  const regular = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name);
  const containers = spec.ephemeralContainers ?? [];
  const errors = containers.flatMap((container, index) => {
    const place = at(list, index);
    const { targetContainerName: target } = container;
    const detail = 'cannot be set for an Ephemeral Container';
    const forbidden = (['ports', 'lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const)
      .filter((key) => container[key] !== undefined)
      .map((key) => forbiddenField(child(place, key), detail));
    return [
      ...validateContainer(container, place, volumes),
      ...(target && !regular.includes(target) ? [missing(child(place, 'targetContainerName'), target)] : []),
      ...forbidden,
    ];
  });
  const names = [...regular, ...containers.map(({ name }) => name)];
  const repeated = uniqueNames(names, (index) => child(at(list, index - regular.length), 'name'));
  return [...errors, ...repeated.filter(({ field }) => !field.includes('[-'))];
}

function hostPortConflicts(containers: Container[], list: FieldPath): FieldError[] {
  const ports = containers.flatMap((container, index) =>
    (container.ports ?? []).map((port, portIndex) => ({
      key: port.hostPort ? `${port.protocol}/${port.hostIP ?? ''}/${port.hostPort}` : undefined,
      field: child(at(child(at(list, index), 'ports'), portIndex), 'hostPort'),
    })),
  );
  return uniqueNames(
    ports.map(({ key }) => key),
    (index) => ports[index]!.field,
  );
}

/** Violations in tolerations. */
export function validateTolerations(tolerations: Toleration[], field: FieldPath): FieldError[] {
  return tolerations.flatMap((toleration, index) => {
    const place = at(field, index);
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const errors = key === '' ? [] : check(child(place, 'key'), key, qualifiedName);
    if (key === '' && operator !== 'Exists') {
      const detail =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalidValue(child(place, 'operator'), operator, detail));
    }
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalidValue(child(place, 'effect'), effect, detail));
    }
    if (operator === 'Exists' && value !== '') {
      errors.push(
        invalidValue(child(place, 'operator'), value, "value must be empty when `operator` is 'Exists'"),
      );
    } else if (operator === 'Equal' || operator === '') {
      const complaint = labelValueFormat(value).join(';');
      if (complaint !== '') errors.push(invalidValue(child(place, 'operator'), value, complaint));
    } else if (operator !== 'Exists')
      errors.push(...oneOf(child(place, 'operator'), operator, ['Equal', 'Exists']));
    if (effect !== '')
      errors.push(...oneOf(child(place, 'effect'), effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']));
    return errors;
  });
}

const updatable =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Violations in a change of a stored pod by PUT or PATCH on the pod itself. */
export function validatePodUpdate(next: Pod, previous: Pod): FieldError[] {
  const errors = validatePodSpec(next.spec, 'spec');
  for (const key of ['containers', 'initContainers'] as const) {
    if ((next.spec[key] ?? []).length === (previous.spec[key] ?? []).length) continue;
    return [...errors, forbiddenField(`spec.${key}`, 'pod updates may not add or remove containers')];
  }
  errors.push(...validateDeadline(next.spec, previous.spec), ...onlyAdded(next.spec, previous.spec));
  const changed = changedFields(withoutUpdatable(next.spec, previous.spec), previous.spec);
  if (changed.length > 0) {
    const list = changed.map((name) => `spec.${name}`).join(', ');
    errors.push(
      forbiddenField('spec', `pod updates may not change fields other than ${updatable}\nchanged: ${list}`),
    );
  }
  return errors;
}

function validateDeadline({ activeDeadlineSeconds: next }: PodSpec, previous: PodSpec): FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  const { activeDeadlineSeconds: before } = previous;
  if (before === undefined) return [];
  if (next === undefined)
    return [invalidValue(field, undefined, 'must not update from a positive integer to nil value')];
  return before < next ? [invalidValue(field, next, 'must be less than or equal to previous value')] : [];
}

function onlyAdded(next: PodSpec, previous: PodSpec): FieldError[] {
  const kept = (previous.tolerations ?? []).every((old) =>
    (next.tolerations ?? []).some(({ tolerationSeconds: _, ...rest }) => {
      const { tolerationSeconds: __, ...before } = old;
      return jsonEqual(rest as JsonValue, before as JsonValue);
    }),
  );
  const detail = 'existing toleration can not be modified except its tolerationSeconds';
  return kept ? [] : [forbiddenField('spec.tolerations', detail)];
}

function withoutUpdatable(next: PodSpec, previous: PodSpec): PodSpec {
  const withOldImages = (key: 'containers' | 'initContainers') =>
    (next[key] ?? []).map((container, index) => ({
      ...container,
      image: previous[key]?.[index]?.image ?? '',
    }));
  return {
    ...next,
    containers: withOldImages('containers'),
    ...(next.initContainers ? { initContainers: withOldImages('initContainers') } : {}),
    activeDeadlineSeconds: previous.activeDeadlineSeconds,
    tolerations: previous.tolerations,
    schedulingGates: previous.schedulingGates,
  } as PodSpec;
}

function changedFields(next: PodSpec, previous: PodSpec): string[] {
  const left = next as unknown as Record<string, JsonValue>;
  const right = previous as unknown as Record<string, JsonValue>;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].filter((name) => !jsonEqual(withoutEmpty(left[name]), withoutEmpty(right[name])));
}

/** Empty lists and objects count as absent, as upstream's comparison has it. */
function withoutEmpty(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' && Object.keys(value).length === 0 ? undefined : value;
}

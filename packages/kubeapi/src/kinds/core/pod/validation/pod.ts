/** Violations in pods and their specs. */

import type { Container, Pod, PodSpec, ResourceRequirements } from '../../../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  missing,
  required,
} from '../../../../status/field-error.ts';
import { dnsLabel, dnsSubdomain, inclusiveRange, qualifiedName } from '../../../../validation/formats.ts';
import { check, uniqueNames, validateLabels } from '../../../../validation/metadata.ts';
import { validateResources } from '../../../../validation/resource-amounts.ts';
import { validateTolerations } from '../../../../validation/tolerations.ts';
import { oneOf } from '../../../../validation/values.ts';
import { validatePodLevelResources } from '../pod-level/validation.ts';
import { validateAffinity, validateSpread } from './affinity.ts';
import { contradictedFields, mirror, validatePodAnnotations } from './annotations.ts';
import { validateContainer } from './containers/container.ts';
import { validateClaimReferences, validatePodClaims } from './containers/device-claims.ts';
import { validateFileVolumes } from './containers/environment-files.ts';
import { validateHugePages } from './containers/huge-pages.ts';
import { validateProbes } from './containers/probes.ts';
import { validateInitResizePolicy, validateResizePolicy } from './containers/resize-policy.ts';
import { validateInitRestartPolicy, validateOwnRestartPolicy } from './containers/restart-rules.ts';
import { validateHostNamespaces, validateHostPorts } from './host-namespaces.ts';
import { validateHostnameOverride } from './hostname.ts';
import { validateResolution, validateSchedulingGates, validateSchedulingGroup } from './names.ts';
import { validateOperatingSystem } from './operating-system.ts';
import { validatePodSecurityContext } from './security-context.ts';
import { validateSysctls } from './sysctls.ts';
import { validateVolumes } from './volumes/volumes.ts';

const int32Max = 2 ** 31 - 1;
const preemptionPolicies = ['Never', 'PreemptLowerPriority'];

/** Violations in a pod that is created. */
export function validatePodCreate(pod: Pod): FieldError[] {
  const { annotations } = pod.metadata ?? {};
  const errors = [
    ...validatePodAnnotations(annotations, pod.spec, { field: 'metadata.annotations' }),
    ...validatePodSpec(pod.spec, 'spec'),
    ...paddedImages(pod.spec),
    ...namelessImages(pod.spec),
  ];
  if (pod.spec.ephemeralContainers?.length) {
    errors.push(forbiddenField('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (annotations?.[mirror] !== undefined && pod.spec.resourceClaims?.length) {
    errors.push(forbiddenField('', 'static pods do not support resource claims'));
  }
  if (pod.spec.nodeName && pod.spec.schedulingGates?.length) {
    errors.push(forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  errors.push(...contradictedFields(annotations, pod.spec, 'spec'));
  return errors;
}

/** Names of images with spaces around them: templates may have them, pods may not. */
export function paddedImages(spec: PodSpec): FieldError[] {
  return (['containers', 'initContainers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ image = '' }, index) => {
      const place = child(at(child('spec', list), index), 'image');
      const detail = 'must not have leading or trailing whitespace';
      return image.trim() === image ? [] : [invalidValue(place, image, detail)];
    }),
  );
}

/** Templates may leave it to somebody which image a volume is; pods may not. */
function namelessImages({ volumes = [] }: PodSpec): FieldError[] {
  return volumes.flatMap(({ image }, index) =>
    image && !image.reference ? [required(child(at('spec.volumes', index), 'image', 'reference'))] : [],
  );
}

/** Violations in the spec of a pod or of a template; label selectors that `previous` has wrong already may stay so. */
export function validatePodSpec(spec: PodSpec, field: FieldPath, previous?: PodSpec): FieldError[] {
  const { errors, names } = validateVolumes(spec.volumes ?? [], child(field, 'volumes'));
  return [
    ...(spec.terminationGracePeriodSeconds === undefined
      ? [required(child(field, 'terminationGracePeriodSeconds'))]
      : []),
    ...errors,
    ...validateClaims(spec, field),
    ...validateContainers(spec, field, names),
    ...validateInitContainers(spec, field, names),
    ...validateEphemeralContainers(spec, field, names),
    ...validateFileVolumes(spec, field),
    ...oneOf(child(field, 'restartPolicy'), spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...oneOf(child(field, 'dnsPolicy'), spec.dnsPolicy, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...validateLabels(spec.nodeSelector, child(field, 'nodeSelector')),
    ...validatePodSecurityContext(spec.securityContext, child(field, 'securityContext')),
    ...validatePodLevelResources(spec, child(field, 'resources')),
    ...validateSysctls(spec, child(field, 'securityContext', 'sysctls')),
    ...validateNames(spec, field),
    ...validateHostnameOverride(spec, field),
    ...validateResolution(spec, field),
    ...validateSchedulingGates(spec.schedulingGates ?? [], child(field, 'schedulingGates')),
    ...validateHostNamespaces(spec, field, previous),
    ...validateHostPorts(spec, field),
    ...validateOperatingSystem(spec, field),
    ...validateResources({ limits: spec.overhead ?? {} }, child(field, 'overhead')),
    ...validateHugePages(spec, field, previous),
    ...(spec.preemptionPolicy === undefined
      ? []
      : oneOf(child(field, 'preemptionPolicy'), spec.preemptionPolicy, preemptionPolicies)),
    ...validateSchedulingGroup(spec, field),
    ...validateTolerations(spec.tolerations ?? [], child(field, 'tolerations'), previous?.tolerations),
    ...validateAffinity(spec.affinity, child(field, 'affinity'), previous?.affinity),
    ...validateSpread(
      spec.topologySpreadConstraints,
      child(field, 'topologySpreadConstraints'),
      previous?.topologySpreadConstraints,
    ),
    ...(spec.readinessGates ?? []).flatMap(({ conditionType = '' }, index) =>
      check(child(at(child(field, 'readinessGates'), index), 'conditionType'), conditionType, qualifiedName),
    ),
  ];
}

/** Claims on devices, and who has them. Ephemeral containers have no resources. */
function validateClaims(spec: PodSpec, field: FieldPath): FieldError[] {
  const { resourceClaims = [] } = spec;
  const names = new Set(resourceClaims.map(({ name }) => name).filter((name) => name !== ''));
  const references = (resources: ResourceRequirements | undefined, place: FieldPath) =>
    validateClaimReferences(resources?.claims ?? [], names, child(place, 'resources', 'claims'));
  return [
    ...validatePodClaims(resourceClaims, child(field, 'resourceClaims')),
    ...(spec.os?.name === 'windows' ? [] : references(spec.resources, field)),
    ...(['containers', 'initContainers'] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap(({ resources }, index) =>
        references(resources, at(child(field, list), index)),
      ),
    ),
  ];
}

function validateNames(spec: PodSpec, field: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const subdomains = ['serviceAccountName', 'nodeName', 'priorityClassName'] as const;
  const { runtimeClassName } = spec;
  if (runtimeClassName !== undefined)
    errors.push(...check(child(field, 'runtimeClassName'), runtimeClassName, dnsSubdomain));
  for (const key of subdomains)
    if (spec[key]) errors.push(...check(child(field, key), spec[key], dnsSubdomain));
  for (const key of ['hostname', 'subdomain'] as const) {
    if (spec[key]) errors.push(...check(child(field, key), spec[key], dnsLabel));
  }
  const { activeDeadlineSeconds: deadline } = spec;
  if (deadline !== undefined && (deadline < 1 || deadline > int32Max)) {
    errors.push(invalidValue(child(field, 'activeDeadlineSeconds'), deadline, inclusiveRange(1, int32Max)));
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
      return [
        ...validateContainer(container, place, volumes, spec.hostUsers),
        ...validateProbes(container, place, spec.terminationGracePeriodSeconds),
        ...validateOwnRestartPolicy(container, place),
        ...validateResizePolicy(container, place, spec.restartPolicy),
      ];
    }),
    ...repeatedNames([], containers, list),
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
        ? validateProbes(container, place, spec.terminationGracePeriodSeconds)
        : handlers.filter((key) => container[key]).map((key) => forbiddenField(child(place, key), detail));
    const own = [
      ...validateInitRestartPolicy(container, place),
      ...validateResizePolicy(container, place, spec.restartPolicy),
      ...validateInitResizePolicy(container, place),
    ];
    return [...validateContainer(container, place, volumes, spec.hostUsers), ...own, ...rest];
  });
  return [...errors, ...repeatedNames(spec.containers ?? [], containers, list)];
}

interface Named {
  name: string;
}

/** Names that containers before or in the list have already; an absent one is a name too, but among init containers. */
function repeatedNames(before: readonly Named[], own: readonly Named[], list: FieldPath): FieldError[] {
  const seen = new Set(before.map(({ name = '' }) => name));
  return own.flatMap(({ name = '' }, index) => {
    const isRepeated = seen.has(name);
    if (name !== '' || !list.endsWith('initContainers')) seen.add(name);
    return isRepeated ? [duplicate(child(at(list, index), 'name'), name)] : [];
  });
}

const notForEphemeral = [
  ...(['ports', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'resources'] as const),
  ...(['resizePolicy', 'restartPolicy', 'restartPolicyRules'] as const),
];
const isEmpty = (value: unknown) =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

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
    const forbidden = notForEphemeral
      .filter((key) => !isEmpty(container[key]))
      .map((key) => forbiddenField(child(place, key), detail));
    const parts = (container.volumeMounts ?? []).flatMap((mount, mountIndex) =>
      (['subPath', 'subPathExpr'] as const)
        .filter((key) => mount[key])
        .map((key) => forbiddenField(child(at(child(place, 'volumeMounts'), mountIndex), key), detail)),
    );
    return [
      ...validateContainer(container, place, volumes, spec.hostUsers),
      ...(target && !regular.includes(target) ? [missing(child(place, 'targetContainerName'), target)] : []),
      ...forbidden,
      ...parts,
    ];
  });
  const others = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return [...errors, ...repeatedNames(others, containers, list)];
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

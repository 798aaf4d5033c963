/** Violations in one container, and in the lists of them. */

import type { Container, ContainerPort, EnvFromSource, EnvVar } from '../../../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
} from '../../../../../status/field-error.ts';
import {
  configMapKey,
  dnsLabel,
  dnsSubdomain,
  environmentName,
  portName,
} from '../../../../../validation/formats.ts';
import { check, uniqueNames } from '../../../../../validation/metadata.ts';
import { validateResources } from '../../../../../validation/resource-amounts.ts';
import { checkPort, oneOf } from '../../../../../validation/values.ts';
import { validateSecurityContext } from '../security-context.ts';
import { validateFileKey } from './environment-files.ts';
import { validateDevices, validateMounts } from './mounts.ts';

const protocols = ['SCTP', 'TCP', 'UDP'];

/** What holds for every container: regular, init and ephemeral. `volumes` are the names of the pod's volumes, `hostUsers` is its own. */
export function validateContainer(
  container: Container,
  field: FieldPath,
  volumes: ReadonlySet<string>,
  hostUsers: boolean | undefined,
): FieldError[] {
  return [
    ...(container.name
      ? check(child(field, 'name'), container.name, dnsLabel)
      : [required(child(field, 'name'))]),
    ...(container.image ? [] : [required(child(field, 'image'))]),
    ...oneOf(child(field, 'terminationMessagePolicy'), container.terminationMessagePolicy, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...validatePorts(container.ports ?? [], child(field, 'ports')),
    ...validateEnvironment(container.env ?? [], child(field, 'env')),
    ...validateEnvironmentSources(container.envFrom ?? [], child(field, 'envFrom')),
    ...validateMounts(container, child(field, 'volumeMounts'), volumes),
    ...validateDevices(container, child(field, 'volumeDevices'), volumes),
    ...oneOf(child(field, 'imagePullPolicy'), container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
    ...validateResources(container.resources, child(field, 'resources')),
    ...validateSecurityContext(container.securityContext, child(field, 'securityContext'), hostUsers),
  ];
}

function validatePorts(ports: ContainerPort[], field: FieldPath): FieldError[] {
  const errors = ports.flatMap((port, index) => {
    const place = at(field, index);
    return [
      ...(port.name ? check(child(place, 'name'), port.name, portName) : []),
      ...(port.containerPort
        ? checkPort(child(place, 'containerPort'), port.containerPort)
        : [required(child(place, 'containerPort'))]),
      ...(port.hostPort ? checkPort(child(place, 'hostPort'), port.hostPort) : []),
      ...oneOf(child(place, 'protocol'), port.protocol, protocols),
    ];
  });
  const names = ports.map(({ name }) => name);
  return [...errors, ...uniqueNames(names, (index) => child(at(field, index), 'name'))];
}

function validateEnvironment(variables: EnvVar[], field: FieldPath): FieldError[] {
  return variables.flatMap((variable, index) => {
    const place = at(field, index);
    return [
      ...(variable.name
        ? check(child(place, 'name'), variable.name, environmentName)
        : [required(child(place, 'name'))]),
      ...validateValueFrom(variable, child(place, 'valueFrom')),
    ];
  });
}

const downwardFields = [
  ...['metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.serviceAccountName'],
  ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
].sort();
const subscripted = /^metadata\.(annotations|labels)\['.*'\]$/;

function validateValueFrom({ value, valueFrom }: EnvVar, field: FieldPath): FieldError[] {
  if (valueFrom === undefined) return [];
  const sources = Object.keys(valueFrom);
  const errors: FieldError[] = [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  if (fieldRef) errors.push(...validateFieldReference(fieldRef.fieldPath, child(field, 'fieldRef')));
  if (resourceFieldRef) {
    const place = child(field, 'resourceFieldRef', 'resource');
    errors.push(...validateResourceField(resourceFieldRef.resource, place));
  }
  if (configMapKeyRef) errors.push(...validateKeyReference(configMapKeyRef, child(field, 'configMapKeyRef')));
  if (secretKeyRef) errors.push(...validateKeyReference(secretKeyRef, child(field, 'secretKeyRef')));
  if (fileKeyRef) errors.push(...validateFileKey(fileKeyRef, child(field, 'fileKeyRef')));
  if (sources.length === 0) {
    const choices = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    errors.push(invalidValue(field, '', `must specify one of: ${choices}`));
  } else if (value) errors.push(invalidValue(field, '', 'may not be specified when `value` is not empty'));
  else if (sources.length > 1) {
    errors.push(invalidValue(field, '', 'may not have more than one field specified at a time'));
  }
  return errors;
}

/** Violations in the name of a field that a container learns of its pod. */
export function validateFieldReference(
  fieldPath: string,
  field: FieldPath,
  fields: readonly string[] = downwardFields,
): FieldError[] {
  const place = child(field, 'fieldPath');
  if (!fieldPath) return [required(place)];
  if (subscripted.test(fieldPath) || fields.includes(fieldPath)) return [];
  const detail = `error converting fieldPath: field label not supported: ${fieldPath}`;
  return [invalidValue(place, fieldPath, detail)];
}

const resourceFields = ['limits', 'requests'].flatMap((side) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${side}.${name}`),
);

/** Violations in the name of an amount that a container learns of itself. */
export function validateResourceField(name: string, field: FieldPath): FieldError[] {
  const isKnown = resourceFields.includes(name ?? '') || /^(limits|requests)\.hugepages-/.test(name ?? '');
  return isKnown ? [] : oneOf(field, name, resourceFields);
}

function validateKeyReference(
  { name = '', key }: { name?: string; key: string },
  field: FieldPath,
): FieldError[] {
  const keyErrors = key ? check(child(field, 'key'), key, configMapKey) : [required(child(field, 'key'))];
  return [...check(child(field, 'name'), name, dnsSubdomain), ...keyErrors];
}

function validateEnvironmentSources(sources: EnvFromSource[], field: FieldPath): FieldError[] {
  return sources.flatMap(({ prefix, configMapRef, secretRef }, index) => {
    const place = at(field, index);
    const errors = prefix ? check(child(place, 'prefix'), prefix, environmentName) : [];
    if (configMapRef)
      errors.push(...validateReference(configMapRef.name, child(place, 'configMapRef', 'name')));
    if (secretRef) errors.push(...validateReference(secretRef.name, child(place, 'secretRef', 'name')));
    if (!configMapRef && !secretRef) {
      errors.push(invalidValue(field, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (configMapRef && secretRef) {
      errors.push(invalidValue(field, '', 'may not have more than one field specified at a time'));
    }
    return errors;
  });
}

function validateReference(name: string | undefined, field: FieldPath): FieldError[] {
  return name ? check(field, name, dnsSubdomain) : [required(field)];
}

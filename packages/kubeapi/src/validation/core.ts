/** Violations in namespaces, nodes, configuration and services. */
import {
  at,
  child,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../field-error.ts';
import type { Binding, ConfigMap, Namespace, Node, Secret, Taint } from '../generated/types.ts';
import { type JsonValue, jsonEqual, ownValue } from '../json-value.ts';
import { oneOf } from './container.ts';
import { configMapKey, labelValueFormat, qualifiedName } from './formats.ts';
import { check, immutable } from './metadata.ts';

const dataBytesMax = 1024 * 1024;

const base64Bytes = (text: string) => Buffer.byteLength(text, 'base64');

/** Violations in a config map. */
export function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...check(at('data', key), key, configMapKey));
    if (Object.hasOwn(binaryData, key)) {
      errors.push(invalidValue(at('data', key), key, 'duplicate of key present in binaryData'));
    }
    bytes += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    errors.push(...check(at('binaryData', key), key, configMapKey));
    bytes += base64Bytes(value);
  }
  return bytes > dataBytesMax ? [...errors, tooLong('[]', dataBytesMax)] : errors;
}

/** Violations in a change of a config map. */
export function validateConfigMapUpdate(next: ConfigMap, previous: ConfigMap): FieldError[] {
  return [...frozen(next, previous, ['data', 'binaryData']), ...validateConfigMap(next)];
}

function frozen<T extends { immutable?: boolean }>(
  next: T,
  previous: T,
  fields: (keyof T & string)[],
): FieldError[] {
  if (!previous.immutable) return [];
  const detail = 'field is immutable when `immutable` is set';
  const changed = fields.filter(
    (field) => !jsonEqual(next[field] as JsonValue, previous[field] as JsonValue),
  );
  return [...(next.immutable ? [] : ['immutable']), ...changed].map((field) => forbiddenField(field, detail));
}

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};
const accountAnnotation = 'kubernetes.io/service-account.name';

/** Violations in a secret. */
export function validateSecret({ metadata, type = '', data = {} }: Secret): FieldError[] {
  const errors = Object.keys(data).flatMap((key) => check(at('data', key), key, configMapKey));
  const bytes = Object.values(data).reduce((sum, value) => sum + base64Bytes(value), 0);
  if (bytes > dataBytesMax) errors.push(tooLong('data', dataBytesMax));
  const absent = (ownValue(requiredKeys, type) ?? []).filter((key) => !Object.hasOwn(data, key));
  errors.push(...absent.map((key) => required(at('data', key))));
  if (
    type === 'kubernetes.io/basic-auth' &&
    data['username'] === undefined &&
    data['password'] === undefined
  ) {
    errors.push(required(at('data', 'username')), required(at('data', 'password')));
  }
  if (type === 'kubernetes.io/service-account-token' && !metadata.annotations?.[accountAnnotation]) {
    errors.push(required(at('metadata.annotations', accountAnnotation)));
  }
  return errors;
}

/** Violations in a change of a secret. */
export function validateSecretUpdate(next: Secret, previous: Secret): FieldError[] {
  return [
    ...immutable('type', next.type, previous.type),
    ...frozen(next, previous, ['data']),
    ...validateSecret(next),
  ];
}

/** Violations in a namespace. */
export function validateNamespace({ spec }: Namespace): FieldError[] {
  return (spec?.finalizers ?? []).flatMap((text) => check('spec.finalizers', text, qualifiedName));
}

/** Violations in a node. */
export function validateNode({ spec }: Node): FieldError[] {
  return validateTaints(spec.taints ?? []);
}

function validateTaints(taints: Taint[]): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const place = at('metadata.taints', index);
    const errors = check(child(place, 'key'), taint.key, qualifiedName);
    const complaint = labelValueFormat(taint.value ?? '').join(';');
    if (complaint !== '') errors.push(invalidValue(child(place, 'value'), taint.value, complaint));
    errors.push(
      ...oneOf(child(place, 'effect'), taint.effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
    );
    const key = `${taint.effect}/${taint.key}`;
    if (seen.has(key)) {
      const repeated = duplicate(place, taint as unknown as JsonValue);
      errors.push({ ...repeated, body: `${repeated.body}: taints must be unique by key and effect pair` });
    }
    seen.add(key);
    return errors;
  });
}

/** Violations in a change of a node. */
export function validateNodeUpdate(next: Node, previous: Node): FieldError[] {
  const errors = validateNode(next);
  const before = previous.spec.podCIDRs ?? [];
  if (before.length > 0 && !jsonEqual(before, next.spec.podCIDRs ?? [])) {
    errors.push(
      forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'),
    );
  }
  if (previous.spec.providerID && previous.spec.providerID !== next.spec.providerID) {
    errors.push(
      forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'),
    );
  }
  return errors;
}

/** Violations in the binding of a pod to a node. */
export function validateBinding({ target }: Binding): FieldError[] {
  const errors: FieldError[] = [];
  if (target.kind && target.kind !== 'Node')
    errors.push(notSupported('target.kind', target.kind, ['Node', '<empty>']));
  if (!target.name) errors.push(required('target.name'));
  return errors;
}

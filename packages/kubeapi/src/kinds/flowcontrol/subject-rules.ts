/** Whose requests a rule is about. */
import type { FlowcontrolV1Subject } from '../../generated/types.ts';
import {
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';

const fields = { Group: 'group', ServiceAccount: 'serviceAccount', User: 'user' } as const;

/** Violations in one subject. */
export function subjectErrors(subject: FlowcontrolV1Subject, place: FieldPath): FieldError[] {
  const { kind } = subject;
  const known = Object.keys(fields) as (keyof typeof fields)[];
  const own = known.find((name) => name === kind);
  if (own === undefined) return [notSupported(child(place, 'kind'), kind, known)];
  return [
    ...(own === 'ServiceAccount' ? accountErrors(subject, place) : nameErrors(subject, own, place)),
    ...(['ServiceAccount', 'User', 'Group'] as const)
      .filter((other) => other !== own && subject[fields[other]] !== undefined)
      .map((other) =>
        forbiddenField(
          child(place, fields[other]),
          `${fields[other]} is forbidden when subject kind is not '${other}'`,
        ),
      ),
  ];
}

function nameErrors(subject: FlowcontrolV1Subject, kind: 'User' | 'Group', place: FieldPath): FieldError[] {
  const field = child(place, fields[kind]);
  const named = subject[fields[kind]];
  if (named === undefined)
    return [required(field, `${fields[kind]} is required when subject kind is '${kind}'`)];
  return named.name ? [] : [required(child(field, 'name'))];
}

function accountErrors({ serviceAccount }: FlowcontrolV1Subject, place: FieldPath): FieldError[] {
  const field = child(place, 'serviceAccount');
  if (!serviceAccount)
    return [required(field, "serviceAccount is required when subject kind is 'ServiceAccount'")];
  const { name = '', namespace = '' } = serviceAccount;
  return [
    ...(name === '' ? [required(child(field, 'name'))] : []),
    ...(name === '' || name === '*' ? [] : check(child(field, 'name'), name, dnsSubdomain)),
    ...(namespace === ''
      ? [required(child(field, 'namespace'), 'must specify namespace for service account')]
      : check(child(field, 'namespace'), namespace, dnsLabel)),
  ];
}

/** Definitions in Kubernetes' own groups say in an annotation who has agreed to them (upstream: apihelpers). */
import type { CustomResourceDefinition } from '../../generated/types.ts';
import { type FieldError, invalidValue, required } from '../../status/field-error.ts';

type Approvable = Pick<CustomResourceDefinition, 'metadata' | 'spec'>;

const annotation = 'api-approved.kubernetes.io';
/** Where the annotation stands. */
export const approvalField = `metadata.annotations[${annotation}]`;
const demand = `protected groups must have approval annotation ${JSON.stringify(annotation)}`;
const forms = 'with either a URL or a reason starting with "unapproved"';
const more = 'see https://github.com/kubernetes/enhancements/pull/1111';

const isProtected = (group: string) => /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
const textOf = ({ metadata }: Pick<Approvable, 'metadata'>) => metadata.annotations?.[annotation] ?? '';

/** What the annotation comes to, whatever the group. */
export function approvalOf(definition: Pick<Approvable, 'metadata'>) {
  const text = textOf(definition);
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  return /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/]/.test(text) ? 'approved' : 'invalid';
}

/** What is wrong with the annotation of a definition that needs one. */
export function approvalErrors(definition: Approvable): FieldError[] {
  if (!isProtected(definition.spec.group)) return [];
  const state = approvalOf(definition);
  if (state === 'missing') return [required(approvalField, demand)];
  return state === 'invalid' ? [invalidValue(approvalField, textOf(definition), `${demand} ${forms}`)] : [];
}

/** Whether somebody has agreed, for the conditions of a definition; undefined where nobody has to. */
export function approvalCondition(
  definition: Approvable,
): { status: 'True' | 'False'; reason: string; message: string } | undefined {
  if (!isProtected(definition.spec.group)) return undefined;
  const text = textOf(definition);
  switch (approvalOf(definition)) {
    case 'approved':
      return { status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${text}` };
    case 'bypassed':
      return {
        status: 'False',
        reason: 'UnapprovedAnnotation',
        message: `not approved: ${JSON.stringify(text)}`,
      };
    case 'missing':
      return { status: 'False', reason: 'MissingAnnotation', message: `${demand}, ${more}` };
    default:
      return { status: 'False', reason: 'InvalidAnnotation', message: `${demand} ${forms}, ${more}` };
  }
}

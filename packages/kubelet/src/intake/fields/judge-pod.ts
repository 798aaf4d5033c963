import { messageSchema, ownValue } from '@wherry/kubeapi';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { FieldContext, FieldVerdict, Remark } from '../../pod/field-verdict.ts';
import { annotationVerdicts } from './annotations.ts';
import { podTables } from './tables.ts';

/** A field of a pod that is refused or warned of. */
export interface FieldFinding {
  /** Full path: `spec.containers[0].securityContext.procMount`. */
  path: string;
  reason: string;
  /** Names the field and says what to do. */
  message: string;
}

/** What this kubelet finds in a pod. */
export interface PodJudgement {
  refusals: readonly FieldFinding[];
  warnings: readonly FieldFinding[];
}

/** Looks at every field of the pod's spec, and at its annotations, by the tables beside this file. */
export function judgePod(context: FieldContext): PodJudgement {
  const judgement = { refusals: [] as FieldFinding[], warnings: [] as FieldFinding[] };
  judgeMessage('PodSpec', context.pod.spec, 'spec', context, judgement);
  judgeAnnotations(context.pod, context, judgement);
  return judgement;
}

type Findings = Record<keyof PodJudgement, FieldFinding[]>;

function judgeMessage(
  message: string,
  object: object,
  path: string,
  context: FieldContext,
  findings: Findings,
): void {
  const fields = messageSchema(message).jsonFields;
  for (const [name, verdict] of Object.entries(podTables.get(message) ?? {})) {
    const value: unknown = ownValue(object as Record<string, unknown>, name);
    if (value === undefined || value === null) continue;
    const at = `${path}.${name}`;
    note(verdict, value, at, context, findings);
    const child = fields.get(name);
    if (!child?.message || !verdict.actedOn) continue;
    for (const [step, item] of itemsOf(value)) {
      judgeMessage(child.message, item, `${at}${step}`, context, findings);
    }
  }
}

function itemsOf(value: unknown): [step: string, item: object][] {
  if (Array.isArray(value)) return value.filter(isObject).map((item, index) => [`[${index}]`, item]);
  return isObject(value) ? [['', value]] : [];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function note(
  { refused = [], warned = [] }: FieldVerdict<never>,
  value: unknown,
  path: string,
  context: FieldContext,
  findings: Findings,
): void {
  const found = (remarks: readonly Remark<never>[]) =>
    remarks
      .filter((remark) => remark.matches(value as never, context))
      .map(({ reason, why }) => ({ path, reason, message: `${path}: ${why}` }));
  findings.refusals.push(...found(refused));
  findings.warnings.push(...found(warned));
}

function judgeAnnotations(pod: AssignedPod, context: FieldContext, findings: Findings): void {
  const verdicts = Object.entries(annotationVerdicts);
  for (const [key, value] of Object.entries(pod.metadata.annotations ?? {})) {
    const [, verdict] =
      verdicts.find(([name]) => key === name || (name.endsWith('/') && key.startsWith(name))) ?? [];
    if (verdict) note(verdict, value, `metadata.annotations[${key}]`, context, findings);
  }
}

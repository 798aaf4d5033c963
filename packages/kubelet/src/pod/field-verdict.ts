import type { AssignedPod } from './assigned-pod.ts';

/** What a verdict may look at besides the field's value. */
export interface FieldContext {
  pod: AssignedPod;
  /** The kernel enforces SELinux labels. */
  isSelinuxEnforcing: boolean;
  /** The kernel has AppArmor. */
  hasAppArmor: boolean;
  /** The runtime can keep to `supplementalGroupsPolicy: Strict`; undefined while it has not said. */
  hasStrictGroups: boolean | undefined;
}

/** Values of a field that this kubelet refuses or warns of. */
export interface Remark<Value> {
  /** Which values, in words; '' for every one. */
  values: string;
  /** What is wrong and what to do. */
  why: string;
  /** Reason of the pod's failure, one of upstream's. */
  reason: string;
  /** The file that looks at it where it is not the kubelet's admission. */
  by?: string;
  matches(value: Value, context: FieldContext): boolean;
}

/** What is made of one field of a pod: see docs/fields. */
export interface FieldVerdict<Value> {
  /** Files in which it has its effect, as `room/path`. */
  actedOn?: readonly string[];
  refused?: readonly Remark<Value>[];
  warned?: readonly Remark<Value>[];
  /** Why it can have no effect. */
  noEffect?: string;
}

/** A verdict on every field of a message: the compiler misses none and knows no other. */
export type MessageVerdicts<Message> = {
  readonly [Name in keyof Required<Message>]: FieldVerdict<NonNullable<Message[Name]>>;
};

/** The verdicts on one message's fields, whatever the message. */
export type FieldVerdicts = Readonly<Record<string, FieldVerdict<never>>>;

/** Upstream's reason for what a node can't do (pkg/kubelet/lifecycle). */
export const unsupported = 'PodFeatureUnsupported';

/** It has its effect in these files. */
export const actedOn = (...files: string[]): FieldVerdict<unknown> => ({ actedOn: files });

/** It can have no effect, and why. */
export const noEffect = (why: string): FieldVerdict<unknown> => ({ noEffect: why });

/** Every value is refused. */
export const refused = (why: string): FieldVerdict<unknown> => ({
  refused: [{ values: '', why, reason: unsupported, matches: isSet }],
});

/** Some values are refused; `values` says which in words. */
export function refusedWhen<Value>(
  values: string,
  matches: (value: Value, context: FieldContext) => boolean,
  why: string,
  reason = unsupported,
): { refused: readonly Remark<Value>[] } {
  return { refused: [{ values, why, reason, matches }] };
}

/** Somebody else refuses it: that file, for that reason. */
export const refusedBy = (by: string, why: string, values = ''): FieldVerdict<unknown> => ({
  refused: [{ values, why, reason: unsupported, by, matches: () => false }],
});

/** Whether a field says anything: empty lists and texts do not. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}

/** Pods that wait at a gate: which nodes they fit on may be narrowed until they are let through (KEP-3838). */
import type { NodeSelectorTerm, PodSpec } from '../../../../generated/types.ts';
import { type JsonValue, jsonEqual, ownValue } from '../../../../json/json-value.ts';
import { at, type FieldError, invalidValue } from '../../../../status/field-error.ts';

const isGated = ({ schedulingGates = [] }: PodSpec) => schedulingGates.length > 0;

/** Violations in how a gated pod's choice of nodes has changed: it can only become smaller. */
export function narrowedErrors(next: PodSpec, previous: PodSpec): FieldError[] {
  return isGated(previous) ? [...selectorErrors(next, previous), ...affinityErrors(next, previous)] : [];
}

/** The fields that say where a gated pod may run, as they were; nothing of other pods. */
export function placementBefore(
  next: PodSpec,
  previous: PodSpec,
): Pick<PodSpec, 'nodeSelector' | 'affinity'> {
  if (!isGated(previous)) return {};
  const { nodeAffinity: before } = previous.affinity ?? {};
  const { nodeAffinity, ...others } = next.affinity ?? {};
  const affinity = before ? { ...others, nodeAffinity: before } : others;
  const isNew = !previous.affinity && Object.keys(affinity).length === 0;
  return {
    nodeSelector: previous.nodeSelector,
    ...(isSame(nodeAffinity, before) ? {} : { affinity: isNew ? undefined : affinity }),
  } as Pick<PodSpec, 'nodeSelector' | 'affinity'>;
}

function selectorErrors({ nodeSelector: next = {} }: PodSpec, { nodeSelector = {} }: PodSpec): FieldError[] {
  if (Object.entries(nodeSelector).every(([label, value]) => ownValue(next, label) === value)) return [];
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [invalidValue('spec.nodeSelector', next, detail)];
}

const termsPath =
  'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

function affinityErrors(next: PodSpec, previous: PodSpec): FieldError[] {
  const [after, before] = [termsOf(next), termsOf(previous)];
  if (before.length === 0) return [];
  if (after.length !== before.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [invalidValue(termsPath, json(after), detail)];
  }
  const detail = 'only additions are allowed (no mutations or deletions)';
  return before.flatMap((term, index) =>
    isNarrowed(after[index]!, term) ? [] : [invalidValue(at(termsPath, index), json(after[index]), detail)],
  );
}

const termsOf = ({ affinity }: PodSpec): readonly NodeSelectorTerm[] =>
  affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];

/** A term that asks for nothing fits no node, and stays so. */
function isNarrowed(next: NodeSelectorTerm, previous: NodeSelectorTerm): boolean {
  const parts = ['matchExpressions', 'matchFields'] as const;
  const [after, before] = [next, previous].map((term) => parts.map((part) => term[part] ?? []));
  if (before!.flat().length === 0) return after!.flat().length === 0;
  return before!.every((list, part) => isSame(after![part]!.slice(0, list.length), list));
}

const json = (value: unknown) => value as JsonValue | undefined;

const isSame = (left: unknown, right: unknown) => jsonEqual(json(left), json(right));

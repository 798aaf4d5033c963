/** Why an object was changed last, as `rollout history` tells it: the command line, with `--record`. */
import type { KubeObject } from '@wherry/client';

export const changeCauseAnnotation = 'kubernetes.io/change-cause';

/** Of commands that have `--record`. */
export interface RecordFlags {
  /** The command line, where it is to be recorded. */
  changeCause?: string;
}

/** The annotations that record it: one, or none. */
export const causeAnnotations = ({ changeCause }: RecordFlags): Record<string, string> =>
  changeCause === undefined ? {} : { [changeCauseAnnotation]: changeCause };

/** The object with what is recorded. */
export function withCause<T extends KubeObject>(object: T, flags: RecordFlags): T {
  if (flags.changeCause === undefined) return object;
  const annotations = { ...object.metadata?.annotations, ...causeAnnotations(flags) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** The merge patch that records it; undefined where nothing would differ. */
export function causePatch({ metadata }: KubeObject, flags: RecordFlags): object | undefined {
  const { changeCause } = flags;
  if (changeCause === undefined || metadata?.annotations?.[changeCauseAnnotation] === changeCause)
    return undefined;
  return { metadata: { annotations: causeAnnotations(flags) } };
}

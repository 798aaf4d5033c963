import type { Told } from './story.ts';
import { withoutVolatile } from './volatile.ts';

/** Items of these are known by a field of theirs, and come in any order. */
const keyOf = (item: Told): string | undefined => item?.type ?? item?.name ?? item?.mountPath;

/** Every leaf of a value as a line `path = value`. */
export function leafLines(path: string, value: Told): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${path} = []`];
    return value.flatMap((item, at) => leafLines(`${path}[${keyOf(item) ?? at}]`, item));
  }
  if (value === null || typeof value !== 'object') return [`${path} = ${JSON.stringify(value)}`];
  const entries = Object.entries(value);
  if (entries.length === 0) return [`${path} = {}`];
  return entries.flatMap(([name, each]) => leafLines(`${path}.${name}`, each));
}

/** What the API tells of a pod, without what is never the same. */
export function statusLines(pod: Told): string[] {
  const lines = leafLines('status', pod.status ?? {}).map((line) => withoutVolatile(line, pod));
  const { deletionGracePeriodSeconds, annotations = {} } = pod.metadata;
  if (deletionGracePeriodSeconds !== undefined)
    lines.push(`deletionGracePeriodSeconds = ${deletionGracePeriodSeconds}`);
  return [
    ...lines,
    ...leafLines('annotations', annotations).map((line) => withoutVolatile(line, pod)),
  ].sort();
}

/** Each different event once. */
export function eventLines(events: readonly Told[], pod: Told): string[] {
  const lines = events.map(({ type, reason, message, source, reportingComponent, involvedObject }) => {
    const by = [source?.component, reportingComponent].join('/');
    const at = involvedObject.fieldPath === undefined ? '' : ` ${involvedObject.fieldPath}`;
    return withoutVolatile(`event ${type} ${reason} by ${by}${at}: ${message}`, pod);
  });
  return [...new Set(lines)].sort();
}

import { setOwn } from '@wherry/kubeapi';
import type { ApiObject } from './api-object.ts';
import type { Strategy } from './strategy.ts';

/** An update of the status changes that and the metadata: all else stays as it was. */
export function keepAllButStatus(next: ApiObject, previous: ApiObject): void {
  for (const key of Object.keys(next)) {
    if (!['kind', 'apiVersion', 'metadata', 'status'].includes(key)) delete next[key];
  }
  for (const [key, value] of Object.entries(previous)) {
    if (!['kind', 'apiVersion', 'metadata', 'status'].includes(key)) setOwn(next, key, value);
  }
}

/** Brings back metadata that an update of a part is not to change; whose the fields are was worked out before. */
export function keepMetadata(next: ApiObject, previous: ApiObject, kept: Strategy['statusKeeps'] = []): void {
  if (kept === 'metadata') {
    const { managedFields, resourceVersion = '' } = next.metadata;
    next.metadata = { ...previous.metadata, resourceVersion };
    if (managedFields) next.metadata.managedFields = managedFields;
    else delete next.metadata.managedFields;
    return;
  }
  const before = Object.fromEntries(kept.map((name) => [name, previous.metadata[name]]));
  next.metadata = { ...next.metadata, ...before };
  for (const name of kept) if (next.metadata[name] === undefined) delete next.metadata[name];
}

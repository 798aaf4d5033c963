import { setOwn } from '@wherry/kubeapi';
import type { ApiObject } from './api-object.ts';

/** An update of the status changes that and the metadata: all else stays as it was. */
export function keepAllButStatus(next: ApiObject, previous: ApiObject): void {
  for (const key of Object.keys(next)) {
    if (!['kind', 'apiVersion', 'metadata', 'status'].includes(key)) delete next[key];
  }
  for (const [key, value] of Object.entries(previous)) {
    if (!['kind', 'apiVersion', 'metadata', 'status'].includes(key)) setOwn(next, key, value);
  }
}

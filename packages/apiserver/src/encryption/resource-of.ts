import { resources } from '@wherry/kubeapi';
import type { GroupResource } from './configuration.ts';

const coreResources = new Set(resources.flatMap(({ group, plural }) => (group === '' ? [plural] : [])));
const groups = new Set(resources.flatMap(({ group }) => (group === '' ? [] : [group])));

/** Groups of definitions have a dot in them; what servers tell each other (`/wherry.definitions/turns/`) is no object. */
function isGroup(name: string): boolean {
  return groups.has(name) || (name.includes('.') && !name.startsWith('wherry.'));
}

/** Of which resource the object at a key is (`/apps/deployments/default/web`); undefined where none can stand. */
export function resourceOf(key: string): GroupResource | undefined {
  const [, first = '', second = ''] = key.split('/', 3);
  if (coreResources.has(first)) return { group: '', resource: first };
  return isGroup(first) ? { group: first, resource: second } : undefined;
}

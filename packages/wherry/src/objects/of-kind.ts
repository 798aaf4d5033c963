import type { DiscoveredResource } from '@wherry/client';

/** What names an object that no server has been asked about. */
export function resourceOfKind({
  apiVersion = '',
  kind = '',
}: {
  apiVersion?: string;
  kind?: string;
}): DiscoveredResource {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const singular = kind.toLowerCase();
  const rest = { plural: `${singular}s`, shortNames: [], categories: [], namespaced: true, verbs: [] };
  return { group, version, kind, singular, ...rest };
}

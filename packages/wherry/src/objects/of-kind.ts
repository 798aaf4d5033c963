import type { DiscoveredResource } from '@wherry/client';
import { findResourceOfKind, parseApiVersion } from '@wherry/kubeapi';

/** What names an object that no server has been asked about; a kind that is not built in is taken for one of a namespace. */
export function resourceOfKind({
  apiVersion = '',
  kind = '',
}: {
  apiVersion?: string;
  kind?: string;
}): DiscoveredResource {
  const { group = '', version = '' } = parseApiVersion(apiVersion) ?? {};
  const singular = kind.toLowerCase();
  const { plural = `${singular}s`, namespaced = true } = findResourceOfKind({ group, version, kind }) ?? {};
  return { group, version, kind, singular, plural, namespaced, shortNames: [], categories: [], verbs: [] };
}

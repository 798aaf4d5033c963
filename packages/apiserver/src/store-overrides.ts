import { type ResourceFacts, resources } from '@wherry/kubeapi';
import { toServedResource } from './kinds/served-resources.ts';
import { SettingsError } from './settings-error.ts';
import type { StorePart } from './store/parted/parted-store.ts';
import type { Store } from './store/store.ts';

/**
 * What stays in the main store: what is written at once with other objects (the names of definitions), or whose revisions are held
 * to those of others (addresses to services).
 */
const staying: readonly string[] = [
  'apiextensions.k8s.io/customresourcedefinitions',
  'apiregistration.k8s.io/apiservices',
  '/services',
  'networking.k8s.io/ipaddresses',
];

const form =
  '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated';

/** Reads `GROUP/RESOURCE#URL;URL` of each override, opens each etcd that they name once, and tells which keys it keeps. */
export async function openOverrides(
  overrides: readonly string[],
  open: (servers: readonly string[]) => Promise<Store>,
): Promise<StorePart[]> {
  const prefixes = new Map<string, string[]>();
  for (const override of overrides) {
    const { prefix, servers } = read(override);
    const place = servers.toSorted().join(';');
    prefixes.set(place, [...(prefixes.get(place) ?? []), prefix]);
  }
  const parts: StorePart[] = [];
  try {
    for (const [place, kept] of prefixes) parts.push({ prefixes: kept, store: await open(place.split(';')) });
  } catch (error) {
    await Promise.all(parts.map(({ store }) => store.close()));
    throw error;
  }
  return parts;
}

function read(override: string): { prefix: string; servers: string[] } {
  const [place = '', list, ...others] = override.split('#');
  const [group, plural, ...rest] = place.split('/');
  const servers = list?.split(';') ?? [];
  const isWhole = group !== undefined && plural && servers.length > 0 && servers.every((url) => url !== '');
  if (!isWhole || others.length > 0 || rest.length > 0) throw new SettingsError(`${form}, not "${override}"`);
  return { prefix: toServedResource(resourceOf(group, plural)).keyPrefix, servers };
}

function resourceOf(group: string, plural: string): ResourceFacts {
  const found = resources.find((each) => each.group === group && each.plural === plural);
  const name = `${group}/${plural}`;
  if (!found || staying.includes(name))
    throw new SettingsError(
      `--etcd-servers-overrides: "${name}" ${found ? 'stays in --etcd-servers: leave it out' : 'is no resource of this server'}`,
    );
  return found;
}

import type { ResourceKey } from './kinds.ts';

/** The parts of a pod's page. */
export const podTabs = ['overview', 'logs', 'terminal', 'yaml'] as const;
/** A part of a pod's page. */
export type PodTab = (typeof podTabs)[number];

/** Where one is in the page: what stands behind `#` in the address. */
export type Route =
  | { page: 'list'; list: string; namespace: string; filter?: string; pageNumber?: number }
  | {
      page: 'pod';
      namespace: string;
      name: string;
      tab: PodTab;
      container: string | undefined;
      previous?: boolean;
    }
  | { page: 'objects'; resource: ResourceKey; namespace: string; filter?: string; pageNumber?: number }
  | { page: 'object'; resource: ResourceKey; namespace: string; name: string }
  | { page: 'kinds' }
  | { page: 'sessions'; filter?: string };

/** Reads an address; undefined for one that leads nowhere. An empty namespace stands for all. */
export function parseRoute(hash: string): Route | undefined {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const [page = '', ...parts] = path.split('/').map(decoded);
  const namespace = query.get('namespace') ?? '';
  const words = query.get('filter');
  const filter = words ? { filter: words } : {};
  const rows = { ...filter, ...pageOf(query.get('page')) };
  if (page === 'kinds' && parts.length === 0) return { page };
  if (page === 'sessions' && parts.length === 0) return { page, ...filter };
  if (page === 'objects') {
    const resource = resourceOf(parts);
    return resource && { page, resource, namespace, ...rows };
  }
  if (page === 'object') {
    const resource = resourceOf(parts.slice(0, -1));
    const name = parts.at(-1);
    return resource && name ? { page, resource, namespace, name } : undefined;
  }
  if (page === 'pod') {
    const [inside, name, tab = 'overview', ...more] = parts;
    const known = podTabs.find((one) => one === tab);
    if (!inside || !name || !known || more.length > 0) return undefined;
    const previous = query.get('previous') === 'true' ? { previous: true } : {};
    const container = query.get('container') ?? undefined;
    return { page, namespace: inside, name, tab: known, container, ...previous };
  }
  if (page === '' || parts.length > 0) return undefined;
  return { page: 'list', list: page, namespace, ...rows };
}

/** The address of a place, with its `#`. */
export function formatRoute(route: Route): string {
  if (route.page === 'kinds') return address([route.page], {});
  const filter: Record<string, string> = 'filter' in route && route.filter ? { filter: route.filter } : {};
  if (route.page === 'sessions') return address([route.page], filter);
  const turned: Record<string, string> =
    'pageNumber' in route && (route.pageNumber ?? 1) > 1 ? { page: `${route.pageNumber}` } : {};
  const where = { ...(route.namespace ? { namespace: route.namespace } : {}), ...filter, ...turned };
  if (route.page === 'list') return address([route.list], where);
  if (route.page === 'objects') return address(['objects', ...wordsOf(route.resource)], where);
  if (route.page === 'object') return address(['object', ...wordsOf(route.resource), route.name], where);
  const { namespace, name, tab, container, previous } = route;
  const which = {
    ...(container === undefined ? {} : { container }),
    ...(previous ? { previous: 'true' } : {}),
  };
  return address(['pod', namespace, name, tab], which);
}

/** The page of a list; the first one is not named. */
function pageOf(text: string | null): { pageNumber?: number } {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) && text !== '1' ? { pageNumber: Number(text) } : {};
}

/** `v1`, `pods`, or `apps`, `v1`, `deployments`. */
function resourceOf(words: readonly string[]): ResourceKey | undefined {
  const [plural, version, group = '', ...more] = words.toReversed();
  return plural && version && more.length === 0 ? { group, version, plural } : undefined;
}

const wordsOf = ({ group, version, plural }: ResourceKey): string[] =>
  group === '' ? [version, plural] : [group, version, plural];

function address(parts: readonly string[], query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString();
  return `#/${parts.map(encodeURIComponent).join('/')}${search && `?${search}`}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The parts of a pod's page. */
export const podTabs = ['overview', 'logs', 'terminal'] as const;
/** A part of a pod's page. */
export type PodTab = (typeof podTabs)[number];

/** Where one is in the page: what stands behind `#` in the address. */
export type Route =
  | { page: 'list'; list: string; namespace: string }
  | { page: 'pod'; namespace: string; name: string; tab: PodTab; container: string | undefined }
  | { page: 'sessions' };

/** Reads an address; undefined for one that leads nowhere. An empty namespace stands for all. */
export function parseRoute(hash: string): Route | undefined {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const [page = '', ...parts] = path.split('/').map(decoded);
  if (page === 'sessions' && parts.length === 0) return { page };
  if (page === 'pod') {
    const [namespace, name, tab = 'overview', ...more] = parts;
    const known = podTabs.find((one) => one === tab);
    if (!namespace || !name || !known || more.length > 0) return undefined;
    return { page, namespace, name, tab: known, container: query.get('container') ?? undefined };
  }
  if (page === '' || parts.length > 0) return undefined;
  return { page: 'list', list: page, namespace: query.get('namespace') ?? '' };
}

/** The address of a place, with its `#`. */
export function formatRoute(route: Route): string {
  if (route.page === 'sessions') return '#/sessions';
  if (route.page === 'list')
    return address([route.list], route.namespace ? { namespace: route.namespace } : {});
  const { namespace, name, tab, container } = route;
  return address(['pod', namespace, name, tab], container === undefined ? {} : { container });
}

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

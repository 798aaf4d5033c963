// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
type Body = any;

/** All stored objects that a server tells of, by place; `get` answers what stands at a path. */
export async function everything(get: (path: string) => Promise<Body>): Promise<Map<string, Body>> {
  const found = new Map<string, Body>();
  const { groups } = await get('/apis');
  const roots = groups.map(({ preferredVersion }: Body) => `/apis/${preferredVersion.groupVersion}`);
  for (const root of ['/api/v1', ...roots]) {
    // Of metrics ours tells by itself.
    if (root.startsWith('/apis/metrics.k8s.io/')) continue;
    const { resources } = await get(root);
    for (const { name, verbs } of resources) {
      // Neither what is not stored, nor what changes all the time.
      if (!verbs.includes('list') || name === 'componentstatuses' || name === 'leases') continue;
      const { items } = await get(`${root}/${name}`);
      for (const item of items ?? [])
        found.set(
          `${root}/${name} ${item.metadata.namespace ?? ''}/${item.metadata.name}`,
          withoutEmpty(item),
        );
    }
  }
  return found;
}

/** Without null and empty lists, which of what is stored as protobuf look alike. */
function withoutEmpty(value: Body): Body {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (value === null || typeof value !== 'object') return value;
  const isEmpty = (each: Body) => each === null || (Array.isArray(each) && each.length === 0);
  const entries = Object.entries(value).filter(([, each]) => !isEmpty(each));
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutEmpty(each)]));
}

/** Without what its store says of an object. */
export function steady(object: Body): Body {
  const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
  return { ...object, metadata };
}

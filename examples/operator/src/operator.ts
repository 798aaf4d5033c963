import {
  type ConfigMap,
  type Informer,
  type KubeClient,
  keyOf,
  kinds,
  type Namespace,
  WorkQueue,
} from '@wherry/client';

/** A config map that is to be in every namespace carries this label. */
export const sharedLabel = 'example.com/shared';

/** On copies: `NAMESPACE/NAME` of the config map that they are made of. */
export const sourceAnnotation = 'example.com/copied-from';

/** A running operator. */
export interface Operator {
  /** Ends its watches; nothing is written afterwards. */
  close(): Promise<void>;
}

/**
 * Keeps a copy of each labelled config map in every other namespace: made where one is missing, changed back where
 * somebody changed it, removed once its source has no label any more or is gone.
 */
export function startOperator(client: KubeClient): Operator {
  const queue = new WorkQueue({
    name: 'sharing',
    logger: console,
    work: () => reconcile({ client, maps, namespaces }),
  });
  // Whatever has changed, all is looked at: one key stands for it.
  const look = () => queue.add('all');
  const options = {
    handlers: { added: look, updated: look, deleted: look, synced: look },
    allNamespaces: true,
  };
  const maps = client.informer(kinds.configMaps, options);
  const namespaces = client.informer(kinds.namespaces, options);
  maps.start();
  namespaces.start();
  return {
    async close() {
      await Promise.all([maps.close(), namespaces.close()]);
      await queue.close();
    },
  };
}

interface View {
  client: KubeClient;
  maps: Informer<ConfigMap>;
  namespaces: Informer<Namespace>;
}

async function reconcile({ client, maps, namespaces }: View): Promise<void> {
  if (!maps.hasSynced || !namespaces.hasSynced) return;
  const present = [...maps.objects.values()];
  const sources = present.filter((map) => map.metadata?.labels?.[sharedLabel] === 'true');
  const targets = [...namespaces.objects.values()]
    .filter(({ status }) => status?.phase === 'Active')
    .map(({ metadata }) => metadata?.name ?? '');
  const wanted = new Map(
    sources.flatMap((source) =>
      targets
        .filter((namespace) => namespace !== source.metadata?.namespace)
        .map((namespace) => [`${namespace}/${source.metadata?.name}`, copyOf(source, namespace)]),
    ),
  );
  for (const map of present) {
    const key = keyOf(map);
    const copy = wanted.get(key);
    if (copy && isSame(map, copy)) wanted.delete(key);
    if (!copy && map.metadata?.annotations?.[sourceAnnotation]) await client.delete(map);
  }
  for (const copy of wanted.values())
    await client.apply(copy, { fieldManager: 'sharing-operator', force: true });
}

const copyOf = (source: ConfigMap, namespace: string): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: source.metadata?.name ?? '',
    namespace,
    annotations: { [sourceAnnotation]: keyOf(source) },
  },
  data: source.data ?? {},
});

function isSame(map: ConfigMap, copy: ConfigMap): boolean {
  const text = ({ data = {}, metadata }: ConfigMap) =>
    JSON.stringify([Object.entries(data).sort(), metadata?.annotations?.[sourceAnnotation]]);
  return text(map) === text(copy);
}

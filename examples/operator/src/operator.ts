import { type ConfigMap, Informer, type KubeClient, kinds, type Namespace } from '@wherry/client';

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
export function startOperator(
  client: KubeClient,
  report: (error: unknown) => void = console.error,
): Operator {
  const work = new OneAtATime(() => reconcile({ client, maps, namespaces }), report);
  const handlers = {
    added: () => work.ask(),
    updated: () => work.ask(),
    deleted: () => work.ask(),
    synced: () => work.ask(),
  };
  const maps = new Informer({ resource: client.resource(kinds.configMaps), handlers });
  const namespaces = new Informer({ resource: client.resource(kinds.namespaces), handlers });
  maps.start();
  namespaces.start();
  return {
    async close() {
      await Promise.all([maps.close(), namespaces.close()]);
      await work.close();
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

const keyOf = ({ metadata }: ConfigMap) => `${metadata?.namespace}/${metadata?.name}`;

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

/** Runs `work` once at a time, and once more when it was asked for meanwhile; a failure is tried again. */
class OneAtATime {
  #isAsked = false;
  #isClosed = false;
  #running: Promise<void> | undefined;
  readonly #work: () => Promise<void>;
  readonly #report: (error: unknown) => void;

  constructor(work: () => Promise<void>, report: (error: unknown) => void) {
    this.#work = work;
    this.#report = report;
  }

  ask(): void {
    this.#isAsked = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false;
      try {
        await this.#work();
      } catch (error) {
        if (this.#isClosed) return;
        this.#report(error);
        this.#isAsked = true;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }
}

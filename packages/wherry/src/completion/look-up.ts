import { type KubeList, type KubeObject, kinds, loadKubeconfig, type PluginPolicy } from '@wherry/client';
import { deadline, systemClock } from '@wherry/clock';
import { createCriClient } from '@wherry/cri';
import { createImageClient } from '@wherry/images';
import { defaultDataDir, layoutOf } from '@wherry/node/layout';
import { clientFor } from '../kube/flags.ts';
import { Catalog } from '../objects/catalog.ts';
import { apiSource } from '../sessions/api-source.ts';
import type { Wanted } from './candidates.ts';

/** Nobody waits longer for a Tab. */
const patienceMs = 1500;

/** What a look-up goes by: flags that were typed, by their long names, and the arguments in front. */
export interface LookUp {
  wanted: Exclude<Wanted, 'file'>;
  flags: ReadonlyMap<string, string>;
  /** Words behind the command that are no flags. */
  words: readonly string[];
  /** Which credential plugins the user's preferences let run. */
  pluginPolicy?: PluginPolicy | undefined;
}

/** The names of what is wanted; none where nobody answers in time. */
export async function lookUp(wish: LookUp): Promise<string[]> {
  try {
    return await sources[wish.wanted](wish);
  } catch {
    // Whoever typed the command is told by the command itself what is wrong.
    return [];
  }
}

const sources: Record<LookUp['wanted'], (wish: LookUp) => Promise<string[]>> = {
  async pod(wish) {
    const { client, namespace } = clientOf(wish);
    using limit = deadline({ clock: systemClock, timeoutMs: patienceMs });
    return namesOf(await client.metadata(kinds.pods).list({ namespace, signal: limit.signal }));
  },
  async container(wish) {
    const { client, namespace } = clientOf(wish);
    const [name = ''] = wish.words;
    using limit = deadline({ clock: systemClock, timeoutMs: patienceMs });
    const { spec } = await client.resource(kinds.pods).get({ name, namespace, signal: limit.signal });
    return [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])].map(
      (container) => container.name,
    );
  },
  async resource(wish) {
    using limit = deadline({ clock: systemClock, timeoutMs: patienceMs });
    const { resources } = await Catalog.of(clientOf(wish).client, limit.signal);
    return [...new Set(resources.flatMap(({ plural, verbs }) => (verbs.includes('list') ? [plural] : [])))];
  },
  async object(wish) {
    const { client, namespace } = clientOf(wish);
    const [type = ''] = wish.words;
    using limit = deadline({ clock: systemClock, timeoutMs: patienceMs });
    const { signal } = limit;
    const resource = (await Catalog.of(client, signal)).one(type);
    return namesOf(await client.metadata(resource).list({ namespace, signal }));
  },
  async namespace(wish) {
    using limit = deadline({ clock: systemClock, timeoutMs: patienceMs });
    const { signal } = limit;
    return namesOf(await clientOf(wish).client.metadata(kinds.namespaces).list({ signal }));
  },
  async node(wish) {
    using limit = deadline({ clock: systemClock, timeoutMs: patienceMs });
    return namesOf(await clientOf(wish).client.metadata(kinds.nodes).list({ signal: limit.signal }));
  },
  async session(wish) {
    using limit = deadline({ clock: systemClock, timeoutMs: patienceMs });
    const { items } = await apiSource(clientOf(wish).client).list(limit.signal);
    return items.map(({ id }) => id);
  },
  context: async ({ flags }) => [...loadKubeconfig(flags.get('--kubeconfig')).contexts.keys()],
  cluster: async ({ flags }) => [...loadKubeconfig(flags.get('--kubeconfig')).clusters.keys()],
  user: async ({ flags }) => [...loadKubeconfig(flags.get('--kubeconfig')).users.keys()],
  async image({ flags }) {
    const { images } = await createImageClient(
      flags.get('--image-address') ?? layoutOf(dataDirOf(flags)).imageSocket,
    ).list();
    return images.flatMap(({ names }) => names);
  },
  criContainer: (wish) =>
    withCri(wish, async (client) => {
      const { containers } = await client.runtime.listContainers({}, { timeoutMs: patienceMs });
      return containers.flatMap(({ metadata }) => metadata?.name ?? []);
    }),
  criPod: (wish) =>
    withCri(wish, async (client) => {
      const { items } = await client.runtime.listPodSandbox({}, { timeoutMs: patienceMs });
      return items.flatMap(({ metadata }) => metadata?.name ?? []);
    }),
};

const namesOf = ({ items }: KubeList<KubeObject>) => items.flatMap(({ metadata }) => metadata?.name ?? []);

const dataDirOf = (flags: ReadonlyMap<string, string>) => flags.get('--data-dir') ?? defaultDataDir;

function clientOf({ flags, pluginPolicy }: LookUp) {
  const named = (flag: string, key: string) => {
    const value = flags.get(flag);
    return value === undefined ? {} : { [key]: value };
  };
  const client = clientFor({
    ...named('--kubeconfig', 'kubeconfig'),
    ...named('--context', 'context'),
    ...named('--data-dir', 'dataDir'),
    ...(pluginPolicy ? { pluginPolicy } : {}),
  });
  return { client, namespace: flags.get('--namespace') ?? client.access.namespace };
}

async function withCri(
  { flags }: LookUp,
  work: (client: ReturnType<typeof createCriClient>) => Promise<string[]>,
): Promise<string[]> {
  const client = createCriClient(flags.get('--runtime-endpoint') ?? layoutOf(dataDirOf(flags)).criSocket);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

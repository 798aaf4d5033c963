import type { Container, CriClient, PodSandbox } from '@wherry/cri';
import { CommandError } from '../../errors.ts';

/** The container with that id, id prefix or name; of several instances the newest. Throws `CommandError`. */
export async function findContainer(client: CriClient, text: string): Promise<Container> {
  const { containers } = await client.runtime.listContainers({});
  return pick(containers, text, 'container');
}

/** The sandbox with that id, id prefix or pod name. Throws `CommandError`. */
export async function findSandbox(client: CriClient, text: string): Promise<PodSandbox> {
  const { items } = await client.runtime.listPodSandbox({});
  return pick(items, text, 'pod');
}

interface Named {
  id: string;
  createdAt: bigint;
  metadata?: { name: string } | undefined;
}

function pick<T extends Named>(all: T[], text: string, what: string): T {
  const exact = all.filter(({ id }) => id === text);
  const matching =
    exact.length > 0 ? exact : all.filter((one) => one.id.startsWith(text) || one.metadata?.name === text);
  const ids = new Set(matching.filter(({ id }) => id.startsWith(text)).map(({ id }) => id));
  if (ids.size > 1)
    throw new CommandError(`"${text}" is the beginning of ${ids.size} ${what} ids; give more of it`);
  const [newest] = matching.sort((left, right) => (left.createdAt < right.createdAt ? 1 : -1));
  if (!newest)
    throw new CommandError(
      `no ${what} "${text}"; "wherry cri ${what === 'pod' ? 'pods' : 'ps -a'}" lists them`,
    );
  return newest;
}

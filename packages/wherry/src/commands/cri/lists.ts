import { ContainerState, type ContainerStats, PodSandboxState } from '@wherry/cri';
import { formatAge } from '../../output/age.ts';
import { formatBytes } from '../../output/bytes.ts';
import { toJson } from '../../output/json.ts';
import { formatTable } from '../../output/table.ts';
import { type CriFlags, withRuntime } from './connect.ts';
import { findContainer, findSandbox } from './find.ts';

/** Flags of the listing commands. */
export interface ListFlags extends CriFlags {
  all?: boolean;
  json?: boolean;
}

const shortIdLength = 13;
const nanosecondsPerMillisecond = 1_000_000n;
const nanosecondsPerMillicore = 1_000_000;

const shortId = (id: string) => id.replace(/^sha256:/, '').slice(0, shortIdLength);
const age = (nanoseconds: bigint) => formatAge(Date.now() - Number(nanoseconds / nanosecondsPerMillisecond));

const containerStates: Record<ContainerState, string> = {
  [ContainerState.CONTAINER_CREATED]: 'Created',
  [ContainerState.CONTAINER_RUNNING]: 'Running',
  [ContainerState.CONTAINER_EXITED]: 'Exited',
  [ContainerState.CONTAINER_UNKNOWN]: 'Unknown',
};

/** Containers; running ones only without `all`. */
export function listContainers(flags: ListFlags): Promise<void> {
  return withRuntime(flags, async (client) => {
    const { containers } = await client.runtime.listContainers({});
    const shown = containers.filter(({ state }) => flags.all || state === ContainerState.CONTAINER_RUNNING);
    if (flags.json) return console.log(toJson(shown));
    const rows = shown.map((one) => [
      shortId(one.id),
      shortId(one.image?.image ?? ''),
      age(one.createdAt),
      containerStates[one.state],
      one.metadata?.name ?? '',
      String(one.metadata?.attempt ?? 0),
      shortId(one.podSandboxId),
    ]);
    console.log(formatTable(['CONTAINER', 'IMAGE', 'CREATED', 'STATE', 'NAME', 'ATTEMPT', 'POD ID'], rows));
  });
}

/** Sandboxes of pods. */
export function listPods(flags: ListFlags): Promise<void> {
  return withRuntime(flags, async (client) => {
    const { items } = await client.runtime.listPodSandbox({});
    if (flags.json) return console.log(toJson(items));
    const rows = items.map((one) => [
      shortId(one.id),
      age(one.createdAt),
      one.state === PodSandboxState.SANDBOX_READY ? 'Ready' : 'NotReady',
      one.metadata?.name ?? '',
      one.metadata?.namespace ?? '',
      String(one.metadata?.attempt ?? 0),
    ]);
    console.log(formatTable(['POD ID', 'CREATED', 'STATE', 'NAME', 'NAMESPACE', 'ATTEMPT'], rows));
  });
}

/** Images. */
export function listCriImages(flags: ListFlags): Promise<void> {
  return withRuntime(flags, async (client) => {
    const { images } = await client.images.listImages({});
    if (flags.json) return console.log(toJson(images));
    const rows = images.flatMap(({ id, repoTags, size }) =>
      (repoTags.length > 0 ? repoTags : ['<none>']).map((tag) => [
        tag,
        shortId(id),
        formatBytes(Number(size)),
      ]),
    );
    console.log(formatTable(['IMAGE', 'IMAGE ID', 'SIZE'], rows));
  });
}

/** Everything the runtime says of a container or, with `pod`, a sandbox; as JSON. */
export function inspect(text: string, flags: CriFlags & { pod?: boolean }): Promise<void> {
  return withRuntime(flags, async (client) => {
    if (flags.pod) {
      const { id } = await findSandbox(client, text);
      console.log(toJson(await client.runtime.podSandboxStatus({ podSandboxId: id, verbose: true })));
    } else {
      const { id } = await findContainer(client, text);
      console.log(toJson(await client.runtime.containerStatus({ containerId: id, verbose: true })));
    }
  });
}

/** What running containers use now. */
export function stats(flags: ListFlags): Promise<void> {
  return withRuntime(flags, async (client) => {
    const { stats: all } = await client.runtime.listContainerStats({});
    if (flags.json) return console.log(toJson(all));
    console.log(formatTable(['CONTAINER', 'NAME', 'CPU', 'MEMORY', 'DISK'], all.map(statsRow)));
  });
}

function statsRow({ attributes, cpu, memory, writableLayer }: ContainerStats): string[] {
  const millicores = Math.round(Number(cpu?.usageNanoCores?.value ?? 0) / nanosecondsPerMillicore);
  return [
    shortId(attributes?.id ?? ''),
    attributes?.metadata?.name ?? '',
    `${millicores}m`,
    formatBytes(Number(memory?.workingSetBytes?.value ?? 0)),
    formatBytes(Number(writableLayer?.usedBytes?.value ?? 0)),
  ];
}

/** Container events as they happen, one JSON line each, until the runtime ends the stream. */
export function events(flags: CriFlags): Promise<void> {
  return withRuntime(flags, async (client) => {
    for await (const event of client.runtime.getContainerEvents({})) console.log(toJson(event, 0));
  });
}

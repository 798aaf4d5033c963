import { systemClock } from '@wherry/clock';
import {
  type Container,
  ContainerState,
  type ContainerStats,
  type Image,
  type PodSandbox,
  PodSandboxState,
} from '@wherry/cri';
import { formatAge } from '../../output/age.ts';
import { formatBytes } from '../../output/bytes.ts';
import { toJson } from '../../output/json.ts';
import { type Column, type Listing, printListing, printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat, type ValueFormat } from '../../output/output-format.ts';
import { type CriFlags, withRuntime } from './connect.ts';
import { findContainer, findSandbox } from './find.ts';

/** Flags of the listing commands. */
export interface ListFlags extends CriFlags {
  all?: boolean;
  output?: OutputFormat;
}

const shortIdLength = 13;
const nanosecondsPerMillisecond = 1_000_000n;
const nanosecondsPerMillicore = 1_000_000;

const shortId = (id: string) => id.replace(/^sha256:/, '').slice(0, shortIdLength);
const age = (nanoseconds: bigint) =>
  formatAge(systemClock.nowMs() - Number(nanoseconds / nanosecondsPerMillisecond));

/** What JSON has no form for as protobuf's JSON mapping has it. */
const printMessage = (message: unknown, format: ValueFormat): void =>
  printValue(JSON.parse(toJson(message)), format);

function printMessages<T>(listing: Listing<T>, { output }: ListFlags): void {
  if (isValueFormat(output)) printMessage(listing.items, output);
  else printListing(listing, output);
}

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
    const items = containers.filter(({ state }) => flags.all || state === ContainerState.CONTAINER_RUNNING);
    printMessages({ items, columns: containerColumns, nameOf: ({ id }) => id }, flags);
  });
}

const containerColumns: Column<Container>[] = [
  { title: 'CONTAINER', cell: ({ id }) => shortId(id) },
  { title: 'IMAGE', cell: ({ image }) => shortId(image?.image ?? '') },
  { title: 'CREATED', cell: ({ createdAt }) => age(createdAt) },
  { title: 'STATE', cell: ({ state }) => containerStates[state] },
  { title: 'NAME', cell: ({ metadata }) => metadata?.name ?? '' },
  { title: 'ATTEMPT', cell: ({ metadata }) => String(metadata?.attempt ?? 0) },
  { title: 'POD ID', cell: ({ podSandboxId }) => shortId(podSandboxId) },
  { title: 'POD', wide: true, cell: ({ labels }) => labels['io.kubernetes.pod.name'] ?? '' },
  { title: 'IMAGE NAME', wide: true, cell: ({ image }) => image?.userSpecifiedImage || (image?.image ?? '') },
];

/** Sandboxes of pods. */
export function listPods(flags: ListFlags): Promise<void> {
  return withRuntime(flags, async (client) => {
    const { items } = await client.runtime.listPodSandbox({});
    printMessages({ items, columns: podColumns, nameOf: ({ id }) => id }, flags);
  });
}

const podColumns: Column<PodSandbox>[] = [
  { title: 'POD ID', cell: ({ id }) => shortId(id) },
  { title: 'CREATED', cell: ({ createdAt }) => age(createdAt) },
  { title: 'STATE', cell: ({ state }) => (state === PodSandboxState.SANDBOX_READY ? 'Ready' : 'NotReady') },
  { title: 'NAME', cell: ({ metadata }) => metadata?.name ?? '' },
  { title: 'NAMESPACE', cell: ({ metadata }) => metadata?.namespace ?? '' },
  { title: 'ATTEMPT', cell: ({ metadata }) => String(metadata?.attempt ?? 0) },
  { title: 'RUNTIME', wide: true, cell: ({ runtimeHandler }) => runtimeHandler || '(default)' },
];

/** Images. */
export function listCriImages(flags: ListFlags): Promise<void> {
  return withRuntime(flags, async (client) => {
    const { images } = await client.images.listImages({});
    if (isValueFormat(flags.output)) return printMessage(images, flags.output);
    const items = images.flatMap((image) =>
      (image.repoTags.length > 0 ? image.repoTags : ['<none>']).map((tag) => ({ ...image, tag })),
    );
    printListing({ items, columns: imageColumns, nameOf: ({ id }) => id }, flags.output);
  });
}

const imageColumns: Column<Image & { tag: string }>[] = [
  { title: 'IMAGE', cell: ({ tag }) => tag },
  { title: 'IMAGE ID', cell: ({ id }) => shortId(id) },
  { title: 'SIZE', cell: ({ size }) => formatBytes(Number(size)) },
  { title: 'DIGESTS', wide: true, cell: ({ repoDigests }) => repoDigests.join(',') || '<none>' },
];

/** Everything the runtime says of a container or, with `pod`, a sandbox; as JSON unless YAML is asked for. */
export function inspect(text: string, flags: ListFlags & { pod?: boolean }): Promise<void> {
  return withRuntime(flags, async (client) => {
    const format = isValueFormat(flags.output) ? flags.output : 'json';
    if (flags.pod) {
      const { id } = await findSandbox(client, text);
      printMessage(await client.runtime.podSandboxStatus({ podSandboxId: id, verbose: true }), format);
    } else {
      const { id } = await findContainer(client, text);
      printMessage(await client.runtime.containerStatus({ containerId: id, verbose: true }), format);
    }
  });
}

/** What running containers use now. */
export function stats(flags: ListFlags): Promise<void> {
  return withRuntime(flags, async (client) => {
    const { stats: items } = await client.runtime.listContainerStats({});
    const nameOf = ({ attributes }: ContainerStats) => attributes?.id ?? '';
    printMessages({ items, columns: statsColumns, nameOf }, flags);
  });
}

const statsColumns: Column<ContainerStats>[] = [
  { title: 'CONTAINER', cell: ({ attributes }) => shortId(attributes?.id ?? '') },
  { title: 'NAME', cell: ({ attributes }) => attributes?.metadata?.name ?? '' },
  {
    title: 'CPU',
    cell: ({ cpu }) => `${Math.round(Number(cpu?.usageNanoCores?.value ?? 0) / nanosecondsPerMillicore)}m`,
  },
  { title: 'MEMORY', cell: ({ memory }) => formatBytes(Number(memory?.workingSetBytes?.value ?? 0)) },
  { title: 'DISK', cell: ({ writableLayer }) => formatBytes(Number(writableLayer?.usedBytes?.value ?? 0)) },
  {
    title: 'INODES',
    wide: true,
    cell: ({ writableLayer }) => String(writableLayer?.inodesUsed?.value ?? 0),
  },
];

/** Container events as they happen, one JSON line each, until the runtime ends the stream. */
export function events(flags: CriFlags): Promise<void> {
  return withRuntime(flags, async (client) => {
    for await (const event of client.runtime.getContainerEvents({})) console.log(toJson(event, 0));
  });
}

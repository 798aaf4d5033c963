/** Files of a volume that would stand at the same place, or one below another (upstream: warningsForOverlappingVirtualPaths). */

import type { Volume, VolumeProjection } from '../../../../generated/types.ts';
import { withoutTrailing } from '../../../../values/trimmed.ts';

/** A file of a volume, and what it comes from. */
interface PlacedFile {
  path: string;
  /** Of a projected volume. */
  source?: string;
}

const quoted = (text: string | undefined) => JSON.stringify(text ?? '');

/** Warnings of volumes, as they are asked for: there may be one for each two files. */
export function* volumePathWarnings(volumes: readonly Volume[]): Generator<string> {
  for (const { name, configMap, secret, downwardAPI, projected } of volumes) {
    yield* overlaps(name, `ConfigMap ${quoted(configMap?.name)}`, configMap?.items ?? []);
    yield* overlaps(name, `Secret ${quoted(secret?.secretName)}`, secret?.items ?? []);
    yield* overlaps(name, 'DownwardAPI', downwardAPI?.items ?? []);
    const sources = projected?.sources ?? [];
    for (const source of sources)
      if (Object.keys(source).length === 0)
        yield `volume ${quoted(name)} (Projected) has no sources provided`;
    yield* overlaps(name, 'Projected', sources.flatMap(projectedFiles));
  }
}

function projectedFiles(projection: VolumeProjection): PlacedFile[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } =
    projection;
  const from = (source: string, items: readonly { path: string }[]) =>
    items.map(({ path }) => ({ path, source }));
  if (configMap?.items) return from(`ConfigMap ${quoted(configMap.name)}`, configMap.items);
  if (secret?.items) return from(`Secret ${quoted(secret.name)}`, secret.items);
  if (downwardAPI?.items) return from('DownwardAPI', downwardAPI.items);
  if (serviceAccountToken) return from('ServiceAccountToken', [serviceAccountToken]);
  if (clusterTrustBundle) {
    const { name, signerName } = clusterTrustBundle;
    return from(`ClusterTrustBundle ${quoted(name ?? signerName)}`, [clusterTrustBundle]);
  }
  if (!podCertificate) return [];
  const { certificateChainPath = '', keyPath = '', credentialBundlePath = '' } = podCertificate;
  return [
    { path: certificateChainPath, source: 'PodCertificate chain' },
    { path: keyPath, source: 'PodCertificate key' },
    { path: credentialBundlePath, source: 'PodCertificate credential bundle' },
  ];
}

function* overlaps(volume: string, what: string, all: readonly PlacedFile[]): Generator<string> {
  const files = all.map((file) => ({ ...file, path: withoutTrailing(file.path, '/') }));
  const colliding = collisions(files.map(({ path }) => path));
  for (const [index, file] of files.entries())
    for (const other of colliding(index))
      yield `volume ${quoted(volume)} (${what}): overlapping paths: ${shown(file)} with ${shown(files[other]!)}`;
}

/**
 * Tells of each path which of those before it stand where it does, above it or below it. Sorted, what is below a path comes right behind it,
 * so that no folder has to be remembered: a request may name more of them than there is memory for.
 */
function collisions(paths: readonly string[]): (index: number) => number[] {
  const keys = paths.map((path) => path.replaceAll('/', separator));
  const sorted = [...keys.keys()].filter((index) => keys[index] !== '').sort(byKey(keys));
  /** By place in the order: the nearest place above it, and the first one behind all that is below it. */
  const above: (number | undefined)[] = [];
  const end: number[] = [];
  const open: number[] = [];
  const keyAt = (place: number) => keys[sorted[place]!]!;
  for (const place of sorted.keys()) {
    while (open.length > 0 && !isWithin(keyAt(place), keyAt(open.at(-1)!))) end[open.pop()!] = place;
    above[place] = open.at(-1);
    open.push(place);
  }
  const places = new Map(sorted.map((index, place) => [index, place]));
  return (index) => {
    const own = places.get(index);
    if (own === undefined) return [];
    const found = sorted.slice(own + 1, end[own]);
    for (let place = above[own]; place !== undefined; place = above[place]) found.push(sorted[place]!);
    return found.filter((other) => other < index).sort((one, other) => one - other);
  };
}

/** Before all that may stand in a name. */
const separator = '\0';

const byKey = (keys: readonly string[]) => (one: number, other: number) => {
  if (keys[one] === keys[other]) return one - other;
  return keys[one]! < keys[other]! ? -1 : 1;
};

const isWithin = (key: string, above: string): boolean =>
  key.startsWith(above) && (key.length === above.length || key[above.length] === separator);

const shown = ({ path, source }: PlacedFile): string =>
  source === undefined ? quoted(path) : `${quoted(path)} (${source})`;

/** Files of a volume that would stand at the same place, or one below another (upstream: warningsForOverlappingVirtualPaths). */
import type { Volume, VolumeProjection } from '../../../../generated/types.ts';

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

/** A folder or a file of a volume: which files stand there, and which below it. */
interface Place {
  own: number[];
  below: number[];
  parts: Map<string, Place>;
}

const emptyPlace = (): Place => ({ own: [], below: [], parts: new Map() });

function* overlaps(volume: string, what: string, all: readonly PlacedFile[]): Generator<string> {
  const files = all.map((file) => ({ ...file, path: file.path.replace(/\/+$/, '') }));
  const root = emptyPlace();
  for (const [index, file] of files.entries()) {
    if (file.path === '') continue;
    for (const other of collisionsOf(root, file.path, index))
      yield `volume ${quoted(volume)} (${what}): overlapping paths: ${shown(file)} with ${shown(files[other]!)}`;
  }
}

/** Which of the files before stand where this one does, above it or below it. It is put there itself. */
function collisionsOf(root: Place, path: string, index: number): number[] {
  let found: number[] = [];
  let place = root;
  for (const part of path.split('/')) {
    found = found.concat(place.own);
    place.below.push(index);
    const next = place.parts.get(part) ?? emptyPlace();
    place.parts.set(part, next);
    place = next;
  }
  found = found.concat(place.own, place.below);
  place.own.push(index);
  return found.sort((one, other) => one - other);
}

const shown = ({ path, source }: PlacedFile): string =>
  source === undefined ? quoted(path) : `${quoted(path)} (${source})`;

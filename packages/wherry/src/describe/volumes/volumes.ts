import type { PersistentVolumeSource, Volume } from '@wherry/kubeapi';
import { field, indented, type Lines } from '../text/lines.ts';
import {
  csiLines,
  downwardLines,
  emptyDirLines,
  ephemeralLines,
  fibreChannelLines,
  flexLines,
  persistentCsiLines,
  persistentScaleLines,
  projectedLines,
  scaleLines,
} from './other-sources.ts';
import { persistentSources, plainSources, podSources } from './plain-sources.ts';
import { type PlainSource, sourceLines } from './source-text.ts';

/** A pod's volumes; a template's names stand one further to the right. */
export function volumeLines(volumes: readonly Volume[] = [], margin = ''): Lines {
  if (volumes.length === 0) return [field(`${margin}Volumes`, '<none>')];
  return [
    `${margin}Volumes:`,
    ...volumes.flatMap((volume) => [
      `${margin === '' ? '  ' : '   '}${volume.name}:`,
      ...(podSourceLines(volume) ?? unknown),
    ]),
  ];
}

/** Where the content of a persistent volume is. */
export const persistentSourceLines = (source: PersistentVolumeSource): Lines =>
  atSource(ofPersistent(source) ?? plainLines(source, { own: persistentSources, isPersistent: true })) ??
  unknown;

const unknown = ['  <unknown>'];

const podSourceLines = (volume: Volume): Lines | undefined =>
  atSource(ofPod(volume) ?? plainLines(volume, { own: podSources, isPersistent: false }));

const atSource = (lines: Lines | undefined): Lines | undefined => lines && indented(lines, 2);

function ofPod({ emptyDir, projected, downwardAPI, ephemeral, ...other }: Volume): Lines | undefined {
  const { fc, flexVolume, scaleIO, csi } = other;
  if (emptyDir) return emptyDirLines(emptyDir);
  if (projected) return projectedLines(projected);
  if (downwardAPI) return downwardLines(downwardAPI);
  if (ephemeral) return ephemeralLines(ephemeral);
  if (fc) return fibreChannelLines(fc);
  if (flexVolume) return flexLines(flexVolume);
  if (scaleIO) return scaleLines(scaleIO);
  return csi && csiLines(csi);
}

function ofPersistent({ fc, flexVolume, scaleIO, csi }: PersistentVolumeSource): Lines | undefined {
  if (fc) return fibreChannelLines(fc);
  if (flexVolume) return flexLines(flexVolume, true);
  if (scaleIO) return persistentScaleLines(scaleIO);
  return csi && persistentCsiLines(csi);
}

function plainLines(
  volume: object,
  { own, isPersistent }: { own: ReadonlyMap<string, PlainSource>; isPersistent: boolean },
): Lines | undefined {
  for (const [name, source] of Object.entries(volume)) {
    const plain = own.get(name) ?? plainSources.get(name);
    if (plain) return sourceLines(plain, source as object, { isPersistent });
  }
  return undefined;
}

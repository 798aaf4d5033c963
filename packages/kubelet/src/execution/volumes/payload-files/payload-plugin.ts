import { createHash } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import type { Volume } from '@wherry/kubeapi';
import type { PayloadSources } from '../../inputs/payload-sources.ts';
import { localVolumeUsage, removeLocalVolume } from '../local-volume.ts';
import { makeMemoryVolume } from '../memory-volume.ts';
import type { ReadyVolume, VolumeKind, VolumePlugin, VolumeRequest } from '../volume-plugin.ts';
import { writeAtomically } from './atomic-writer.ts';
import { nestedMounts } from './nested-mounts.ts';
import type { Payload } from './payload.ts';

const everyone = 0o777;

/** What makes a type of volumes that shows files which the kubelet writes. */
export interface PayloadPlugin<Kind extends VolumeKind>
  extends Pick<VolumePlugin<Kind>, 'name' | 'folder' | 'supports' | 'readsApi'> {
  medium: 'disk' | 'memory';
  /** The files as they should be now. */
  payload(source: NonNullable<Volume[Kind]>, sources: PayloadSources): Promise<Payload>;
}

/** The plug-in of a type whose files change together, at one instant, whenever what they are made from changes. */
export function payloadPlugin<Kind extends VolumeKind>(type: PayloadPlugin<Kind>): VolumePlugin<Kind> {
  const { name, folder, supports, readsApi, medium, payload } = type;
  const place = async (
    { pod, name: volume, source, sources, gid, roots, host }: VolumeRequest<NonNullable<Volume[Kind]>>,
    before?: ReadyVolume,
  ): Promise<ReadyVolume> => {
    const wanted = withGroup(await payload(source, sources), gid);
    const nested = nestedMounts(pod, volume);
    const digest = digestOf(wanted, nested);
    if (before?.digest === digest) return before;
    const { content } = roots;
    if (medium === 'disk') await makeFolder(content);
    else await makeMemoryVolume({ pod, roots, host });
    await writeAtomically(content, wanted, { nowMs: host.clock.nowMs(), gid, nested });
    return { hostPath: content, readOnly: true, digest };
  };
  return {
    name,
    folder,
    supports,
    takesGroup: true,
    readsApi,
    setUp: (request) => place(request),
    refresh: place,
    ...(medium === 'disk' ? { usage: localVolumeUsage } : {}),
    tearDown: removeLocalVolume,
  };
}

async function makeFolder(path: string): Promise<void> {
  if (await mkdir(path, { recursive: true })) await chmod(path, everyone);
}

function withGroup(payload: Payload, gid: number | undefined): Payload {
  if (gid === undefined) return payload;
  return new Map([...payload].map(([path, file]) => [path, { ...file, gid, mode: file.mode | 0o440 }]));
}

function digestOf(payload: Payload, nested: readonly string[]): string {
  const hash = createHash('sha256').update(`${JSON.stringify(nested)}\0`);
  for (const [path, { bytes, mode, uid, gid }] of payload) {
    hash.update(`${path}\0${mode}\0${uid}\0${gid}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

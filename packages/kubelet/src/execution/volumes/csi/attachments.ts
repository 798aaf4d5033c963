import { type KubeClient, kinds } from '@wherry/client';
import { type Clock, sleep } from '@wherry/clock';
import { StatusError, type VolumeAttachment } from '@wherry/kubeapi';
import { attachPollMs, csiCallMs } from '../../../limits.ts';
import { NodeFullError, VolumeStepError } from '../volume-plugin.ts';
import { attachmentName, uniqueName } from './csi-layout.ts';

/** A volume that must be attached before it can be used. */
export interface AttachedVolumeRequest {
  driver: string;
  handle: string;
  /** The volume's name in the pod, for errors. */
  name: string;
  /** Where the node has no room for it, that is told apart: {@link NodeFullError}. */
  countsVolumes: boolean;
}

/** What the driver's controller says by where a node has as many volumes as it can have (gRPC's RESOURCE_EXHAUSTED). */
const resourceExhausted = 8;

/**
 * Waits until the driver's attacher has put the volume on this node, and the controller has said so in the node's status: it
 * takes that back before it has a volume taken away. Resolves to the metadata that the driver gave with it. Throws when
 * that fails, or takes longer than a call of a driver may.
 */
export async function waitForAttachment(
  { client, clock, nodeName }: { client: KubeClient; clock: Clock; nodeName: string },
  volume: AttachedVolumeRequest,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const name = attachmentName(volume, nodeName);
  const endMs = clock.monotonicMs() + csiCallMs;
  for (let delayMs = attachPollMs.initialMs; ; delayMs = Math.min(delayMs * 2, attachPollMs.maxMs)) {
    const attachment = await read(client, name, signal);
    const why = attachment && problem(attachment);
    const isFull = volume.countsVolumes && attachment?.status?.attachError?.errorCode === resourceExhausted;
    // Another volume may go meanwhile.
    if (why !== undefined && !isFull) throw notAttached(why);
    if (attachment?.status?.attached && (await isTold({ client, nodeName }, volume, signal)))
      return attachment.status.attachmentMetadata ?? {};
    const isOver = clock.monotonicMs() + delayMs > endMs;
    if (isOver && isFull) throw new NodeFullError(step, why ?? '');
    if (isOver)
      throw notAttached(
        attachment?.status?.attached
          ? 'Volume not attached according to node status'
          : `volume ${volume.handle} is not attached for volume attachment ${name}`,
      );
    await sleep({ clock, delayMs, signal });
  }
}

const step = 'MountVolume.WaitForAttach';
const notAttached = (why: string) => new VolumeStepError(step, why);

async function read(
  client: KubeClient,
  name: string,
  signal: AbortSignal,
): Promise<VolumeAttachment | undefined> {
  try {
    return await client.resource(kinds.volumeAttachments).get({ name, signal });
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw error;
  }
}

/** Whether the node's status says that it has the volume. */
async function isTold(
  { client, nodeName: name }: { client: KubeClient; nodeName: string },
  volume: AttachedVolumeRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const { status } = await client.resource(kinds.nodes).get({ name, signal });
  return status?.volumesAttached?.some((attached) => attached.name === uniqueName(volume)) ?? false;
}

function problem({ metadata, status }: VolumeAttachment): string | undefined {
  if (metadata.deletionTimestamp) return 'volume attachment is being deleted';
  return status?.attached ? undefined : status?.attachError?.message;
}

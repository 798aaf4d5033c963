import type { Pod, VolumeAttachment } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import type { EventRecorder, ObjectEvent } from '../machinery/events.ts';

const failed = (message: string): ObjectEvent => ({ type: 'Warning', reason: 'FailedAttachVolume', message });

/** What a pod is told whose volume is on another node; pods of other namespaces stay unnamed. */
export function heldEvent(volumeName: string, pod: Pod, holders: readonly Pod[]): ObjectEvent {
  const { namespace } = pod.metadata;
  const names = holders.flatMap(({ metadata }) =>
    metadata.namespace === namespace ? [metadata.name ?? ''] : [],
  );
  const elsewhere = holders.length - names.length;
  const strangers = `${elsewhere} pod(s) in different namespaces`;
  const what = [
    ...(names.length > 0 ? [`pod(s) ${names.join(', ')}`] : []),
    ...(elsewhere > 0 ? [strangers] : []),
  ].join(' and ');
  const why = what
    ? `Volume is already used by ${what}`
    : "Volume is already exclusively attached to one node and can't be attached to another";
  return failed(`Multi-Attach error for volume "${volumeName}" ${why}`);
}

/** What there is to say of an attachment. */
export interface AttachNews {
  event: ObjectEvent | undefined;
  /** Tells one piece of news from the next. */
  subject: string;
  /** When there may be more to say, although nothing changes, in milliseconds. */
  againMs: number | undefined;
}

/** How far an attachment is; that its attacher is silent is said each time that upstream would ask anew. */
export function newsOf(
  { metadata, spec, status }: VolumeAttachment,
  volume: { name: string; handle: string },
  nowMs: number,
): AttachNews {
  const { uid = '', creationTimestamp = '' } = metadata;
  const of = (event: ObjectEvent | undefined, subject: string, againMs?: number): AttachNews => ({
    ...{ event, subject: `${uid} ${subject}`, againMs },
  });
  if (status?.attached) {
    const message = `AttachVolume.Attach succeeded for volume "${volume.name}" `;
    return of({ type: 'Normal', reason: 'SuccessfulAttachVolume', message }, 'attached');
  }
  const failure = (why: string) => failed(`AttachVolume.Attach failed for volume "${volume.name}" : ${why}`);
  const why = status?.attachError?.message;
  if (why) return of(failure(why), why);
  const sinceMs = Math.max(nowMs - Date.parse(creationTimestamp), 0) || 0;
  const turns = Math.floor(sinceMs / limits.attachMs);
  const againMs = (turns + 1) * limits.attachMs - sinceMs;
  const silence = `timed out waiting for external-attacher of ${spec.attacher} CSI driver to attach volume ${volume.handle}`;
  return of(turns === 0 ? undefined : failure(silence), `silent ${turns}`, againMs);
}

/** Tells pods what becomes of their volumes on their nodes, each piece of news once. */
export class NewsTeller {
  readonly #recorder: EventRecorder;
  /** What was last told, by place. */
  readonly #told = new Map<string, string>();

  constructor(recorder: EventRecorder) {
    this.#recorder = recorder;
  }

  tell(key: string, subject: string, pods: readonly Pod[], eventFor: (pod: Pod) => ObjectEvent): void {
    if (this.#told.get(key) === subject) return;
    this.#told.set(key, subject);
    for (const pod of pods) this.#recorder.record(pod, eventFor(pod));
  }

  /** Nobody wants the volume there. */
  forget(key: string): void {
    this.#told.delete(key);
  }
}

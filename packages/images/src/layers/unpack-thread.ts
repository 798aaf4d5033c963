/** The thread that unpacks layers, copies and removes trees: one task at a time, one answer for each. */
import { mkdirSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { OpenFolder } from '@wherry/linux';
import { ImageError } from '../errors.ts';
import { copyFolderOfRoot } from './copy-volume.ts';
import { ParentNeededError } from './layer-writer.ts';
import { type UnpackRequest, type UnpackResult, unpackLayer } from './unpack.ts';

/** What a thread is asked to do. */
export type UnpackTask =
  | { kind: 'unpack'; request: UnpackRequest }
  | { kind: 'remove'; parent: string; name: string }
  | { kind: 'copy'; root: string; path: string; target: string };

/** A task with the flag that stops it: the thread cleans up after itself, which ending it would not do. */
export interface UnpackJob {
  task: UnpackTask;
  /** One word; anything but 0 stops the task. */
  cancelled: Int32Array;
}

/** What the thread answers: errors keep their kind, because classes do not cross threads. */
export type UnpackAnswer =
  | { result: UnpackResult | undefined }
  | { failure: { kind: 'parentNeeded' | ImageError['code']; message: string } };

async function perform({ task, cancelled }: UnpackJob): Promise<UnpackResult | undefined> {
  if (task.kind === 'remove') {
    using parent = OpenFolder.at(task.parent);
    parent.remove(task.name);
    return undefined;
  }
  if (task.kind === 'copy') {
    mkdirSync(task.target, { recursive: true, mode: 0o755 });
    copyFolderOfRoot(task.root, task.path, task.target);
    return undefined;
  }
  return await unpackLayer(task.request, () => {
    if (Atomics.load(cancelled, 0) !== 0) throw new ImageError('CANCELLED', 'unpacking was stopped');
  });
}

function kindOf(error: unknown): 'parentNeeded' | ImageError['code'] {
  if (error instanceof ParentNeededError) return 'parentNeeded';
  return error instanceof ImageError ? error.code : 'UNKNOWN';
}

parentPort?.on('message', (job: UnpackJob) => {
  perform(job).then(
    (result) => parentPort?.postMessage({ result } satisfies UnpackAnswer),
    (error: Error) =>
      parentPort?.postMessage({
        failure: { kind: kindOf(error), message: error.message },
      } satisfies UnpackAnswer),
  );
});

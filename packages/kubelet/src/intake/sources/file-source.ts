import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock, Timer } from '@wherry/clock';
import { hasCode } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { manifestBytesMax } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { EventRecorder } from '../../reporting/events/recorder.ts';
import { byUid, deliverPods } from './deliver-pods.ts';
import { type PodSource, type PodSourceHandlers, withSource } from './pod-changes.ts';

/** What the source is made of. */
export interface FileSourceOptions {
  folder: string;
  nodeName: string;
  hostname: string;
  /** Time between two reads of the folder when nothing tells of a change. */
  checkMs: number;
  clock: Clock;
  logger: Logger;
  recorder: EventRecorder;
  handlers: PodSourceHandlers;
}

/**
 * The pods whose manifests lie in a folder, or the one of a file. Names that begin with a dot and sub-folders are left out. A
 * folder that is gone holds none.
 */
export class FileSource implements PodSource {
  readonly #options: FileSourceOptions;
  #pods = new Map<string, AssignedPod>();
  /** How often each name came or went since the last read. */
  #moves = new Map<string, number>();
  #watcher: FSWatcher | undefined;
  #timer: Timer | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isDirty = false;
  #isClosed = false;

  constructor(options: FileSourceOptions) {
    this.#options = options;
  }

  start(): void {
    this.#reading = this.#begin();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#watcher?.close();
    await this.#reading;
  }

  async #begin(): Promise<void> {
    const { folder, handlers, logger } = this.#options;
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) logger.warn('the manifest folder can not be made', { folder, error });
    });
    await this.#read();
    handlers.ready();
    if (this.#isClosed) return;
    try {
      this.#watcher = watch(folder, (kind, name) => {
        if (kind === 'rename' && name) this.#moves.set(name, (this.#moves.get(name) ?? 0) + 1);
        this.#changed();
      });
      this.#watcher.on('error', (error) =>
        logger.warn('watching the manifest folder failed', { folder, error }),
      );
    } catch (error) {
      logger.warn('the manifest folder can not be watched; reading it from time to time', { folder, error });
    }
    this.#schedule();
  }

  #schedule(): void {
    this.#timer?.cancel();
    if (this.#isClosed) return;
    this.#timer = this.#options.clock.after(this.#options.checkMs, () => this.#changed());
  }

  #changed(): void {
    if (this.#isDirty || this.#isClosed) return;
    this.#isDirty = true;
    this.#reading = this.#reading.then(async () => {
      this.#isDirty = false;
      await this.#read();
      this.#schedule();
    });
  }

  async #read(): Promise<void> {
    const { folder, logger, clock, recorder, handlers } = this.#options;
    const paths = await manifestPaths(folder).catch((error: unknown) => {
      logger.warn('the manifest folder can not be read', { folder, error });
      return undefined;
    });
    if (!paths) return;
    const moves = this.#moves;
    this.#moves = new Map();
    const seen = new Date(clock.nowMs()).toISOString();
    const pods: AssignedPod[] = [];
    const returned = new Set<string>();
    for (const path of paths) {
      const pod = await this.#readManifest(path, seen);
      if (!pod) continue;
      pods.push(pod);
      // It went and came, which is a pod anew; a file that another one replaces comes alone.
      if ((moves.get(basename(path)) ?? 0) > 1) returned.add(pod.metadata.uid);
    }
    const before = this.#pods;
    const known = new Map([...before].filter(([uid]) => !returned.has(uid)));
    this.#pods = byUid(pods, { source: 'file', recorder, before: known });
    const stayed = new Map([...this.#pods].filter(([uid]) => !returned.has(uid)));
    deliverPods(before, stayed, handlers);
    deliverPods(stayed, this.#pods, handlers);
  }

  /** A manifest that can't be read or is no pod is told in the log; a pod it held before is then gone. */
  async #readManifest(path: string, seen: string): Promise<AssignedPod | undefined> {
    const { nodeName, hostname, logger } = this.#options;
    try {
      const stats = await stat(path);
      if (!stats.isFile()) return undefined;
      if (stats.size > manifestBytesMax)
        throw new Error(`manifest "${path}" is larger than ${manifestBytesMax} bytes`);
      const origin = {
        name: path,
        identity: `host:${hostname}file:${path}`,
        nodeName,
        toleratesNoExecute: true,
      };
      const source = await readFile(path, 'utf8');
      // With it come the rules of all kinds, which a kubelet without manifests does not need.
      const { manifestDocument, staticPod } = await import('./static-pod.ts');
      const manifest = manifestDocument(source, path);
      return withSource(staticPod(manifest, origin), 'file', seen);
    } catch (error) {
      logger.error('a manifest is left out', { path, error });
      return undefined;
    }
  }
}

async function manifestPaths(place: string): Promise<string[]> {
  try {
    if ((await stat(place)).isFile()) return [place];
    const names = await readdir(place);
    return names
      .filter((name) => !name.startsWith('.'))
      .sort()
      .map((name) => join(place, name));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

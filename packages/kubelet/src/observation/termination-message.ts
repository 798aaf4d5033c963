import { closeSync, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { ContainerStatus } from '@wherry/cri';
import { descriptorPath, OpenFolder, pathOnlyFlag } from '@wherry/linux';
import {
  terminationLogBytesMax,
  terminationLogEndBytes,
  terminationLogLinesMax,
  terminationMessageBytesMax,
  terminationMessagesBytesMax,
} from '../limits.ts';
import { LogFolder } from '../logs/log-folder.ts';
import { containerPathOf } from '../pod/containers.ts';
import { containerAnnotations } from '../pod/labels.ts';

/** What a container left to say when it ended: the runtime's message, then its own; cut to its share of the pod's. */
export async function terminationMessage(
  status: ContainerStatus,
  options: { podLogDir: string; podsDir: string; containersInPod: number },
): Promise<string> {
  const own = await ownMessage(status, options);
  const message = status.message && own ? `${status.message}: ${own}` : status.message || own;
  const share = Math.floor(terminationMessagesBytesMax / Math.max(1, options.containersInPod));
  return Buffer.byteLength(message) <= share
    ? message
    : Buffer.from(message).subarray(0, share).toString('utf8');
}

async function ownMessage(
  status: ContainerStatus,
  { podLogDir, podsDir }: { podLogDir: string; podsDir: string },
): Promise<string> {
  const containerPath = status.annotations[containerAnnotations.terminationMessagePath];
  const file = status.mounts.find(
    (mount) => containerPath && mount.containerPath === containerPathOf(containerPath),
  )?.hostPath;
  const written = file ? await lastBytes(() => openMessage(file, podsDir), terminationMessageBytesMax) : '';
  const policy = status.annotations[containerAnnotations.terminationMessagePolicy];
  const wantsLog = policy === 'FallbackToLogsOnError' && status.exitCode !== 0 && written === '';
  if (!wantsLog || status.reason === 'ContainerCannotRun') return written;
  return lastLogLines(
    status.logPath || join(podLogDir, `${status.metadata?.name}/${status.metadata?.attempt}.log`),
  );
}

async function lastLogLines(path: string): Promise<string> {
  const raw = await lastBytes(() => {
    using folder = LogFolder.of(path);
    return folder.open(basename(path));
  }, terminationLogEndBytes);
  const pieces = raw.split('\n').flatMap((entry) => {
    const [, tag, content] = /^\S+ (?:stdout|stderr) (\S+) (.*)$/.exec(entry) ?? [];
    return content === undefined ? [] : [tag === 'P' ? content : `${content}\n`];
  });
  const text = pieces.slice(-terminationLogLinesMax).join('');
  return Buffer.from(text).subarray(-terminationLogBytesMax).toString('utf8');
}

/**
 * Opens a message file. It may be the user's own, as a hostPath in a folder that another container writes to: no link is
 * followed, but on the way to the pods' folders, and only a regular file is opened.
 */
async function openMessage(path: string, podsDir: string): Promise<FileHandle> {
  const root = path.startsWith(`${podsDir}/`) ? podsDir : '/';
  using folder = OpenFolder.at(root);
  const descriptor = folder.open(relative(root, path), { flags: pathOnlyFlag, links: 'refused' });
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`"${path}" is no regular file`);
    return await open(descriptorPath(descriptor), 'r');
  } finally {
    closeSync(descriptor);
  }
}

/** The end of a file; '' when it can't be read. */
async function lastBytes(opening: () => Promise<FileHandle>, bytesMax: number): Promise<string> {
  let file: FileHandle;
  try {
    file = await opening();
  } catch {
    return '';
  }
  try {
    const { size } = await file.stat();
    const length = Math.min(size, bytesMax);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } catch {
    return '';
  } finally {
    await file.close();
  }
}

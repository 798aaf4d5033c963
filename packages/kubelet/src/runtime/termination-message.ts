import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerStatus } from '@wherry/cri';
import {
  terminationLogBytesMax,
  terminationLogLinesMax,
  terminationMessageBytesMax,
  terminationMessagesBytesMax,
} from '../limits.ts';
import { containerAnnotations } from './labels.ts';

/** What a container left to say when it ended: the runtime's message, then its own; cut to its share of the pod's. */
export async function terminationMessage(
  status: ContainerStatus,
  options: { podLogDir: string; containersInPod: number },
): Promise<string> {
  const own = await ownMessage(status, options.podLogDir);
  const message = status.message && own ? `${status.message}: ${own}` : status.message || own;
  const share = Math.floor(terminationMessagesBytesMax / Math.max(1, options.containersInPod));
  return Buffer.byteLength(message) <= share
    ? message
    : Buffer.from(message).subarray(0, share).toString('utf8');
}

async function ownMessage(status: ContainerStatus, podLogDir: string): Promise<string> {
  const containerPath = status.annotations[containerAnnotations.terminationMessagePath];
  const file = status.mounts.find(
    (mount) => containerPath && mount.containerPath === containerPath,
  )?.hostPath;
  const written = file ? await lastBytes(file, terminationMessageBytesMax) : '';
  const policy = status.annotations[containerAnnotations.terminationMessagePolicy];
  const wantsLog = policy === 'FallbackToLogsOnError' && status.exitCode !== 0 && written === '';
  if (!wantsLog || status.reason === 'ContainerCannotRun') return written;
  return lastLogLines(
    status.logPath || join(podLogDir, `${status.metadata?.name}/${status.metadata?.attempt}.log`),
  );
}

async function lastLogLines(path: string): Promise<string> {
  const raw = await lastBytes(path, 4 * terminationLogBytesMax);
  const lines = raw.split('\n').flatMap((line) => /^\S+ (?:stdout|stderr) \S+ (.*)$/.exec(line)?.[1] ?? []);
  const text = lines
    .slice(-terminationLogLinesMax)
    .map((line) => `${line}\n`)
    .join('');
  return Buffer.from(text).subarray(-terminationLogBytesMax).toString('utf8');
}

async function lastBytes(path: string, bytesMax: number): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return '';
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

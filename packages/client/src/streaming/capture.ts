import { collect } from '@wherry/bytes';
import type { KubeClient } from '../kube-client.ts';
import { limits } from '../limits.ts';
import { openExec, type SessionOptions } from './session.ts';

/** What a short command said. */
export interface Captured {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs a command without input and keeps its output, at most `limits.captureBytesMax` per stream. */
export async function captureExec(
  client: KubeClient,
  options: Omit<SessionOptions, 'tty'> & { command: readonly string[] },
): Promise<Captured> {
  const connection = await openExec(client, { ...options, stdin: false, stdout: true, stderr: true });
  try {
    const read = async (source: typeof connection.stdout) =>
      source ? Buffer.from(await collect(source, { bytesMax: limits.captureBytesMax })).toString('utf8') : '';
    const [stdout, stderr, exitCode] = await Promise.all([
      read(connection.stdout),
      read(connection.stderr),
      connection.exitCode,
    ]);
    return { exitCode, stdout, stderr };
  } finally {
    connection.close();
  }
}

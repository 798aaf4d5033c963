import type { ServerResponse } from 'node:http';
import type { CriClient } from '@wherry/cri';
import type { PodStore } from '../board/pod-store.ts';
import { HttpError } from './answers.ts';
import { containerTarget, requirePod } from './pod-paths.ts';
import type { StreamingRoutes } from './streaming-routes.ts';

/** `POST /run/…?cmd=…`: runs a command to its end and answers with its output, stdout before stderr. */
export async function serveRun(
  response: ServerResponse,
  url: URL,
  context: { runtime: CriClient['runtime']; store: PodStore; streaming: StreamingRoutes },
): Promise<void> {
  const target = containerTarget(url.pathname);
  const pod = requirePod(context.store, target);
  const containerId = await context.streaming.runningContainer(pod, target?.container ?? '');
  const cmd = (url.searchParams.get('cmd') ?? '').split(' ');
  const { stdout, stderr, exitCode } = await context.runtime.execSync({ containerId, cmd, timeout: 0 });
  const output = Buffer.concat([stdout, stderr]);
  if (exitCode !== 0) {
    throw new HttpError(
      500,
      `command '${cmd.join(' ')}' exited with ${exitCode}: ${output.toString('utf8')}`,
    );
  }
  response.setHeader('content-type', 'application/json');
  response.end(output);
}

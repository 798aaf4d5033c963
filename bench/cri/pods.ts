import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeSide } from './side.ts';

const timeoutMs = 600_000;

/** A pod of one container. */
export interface BenchPod {
  podSandboxId: string;
  containerId: string;
}

let count = 0;

/** Runs a pod whose container runs a command, and answers when it has started. */
export async function startPod(side: RuntimeSide, command: string[] = ['sleep', '86400']): Promise<BenchPod> {
  const name = `pod${++count}`;
  const logDirectory = join(side.folder, 'bench-logs');
  mkdirSync(logDirectory, { recursive: true });
  const sandboxConfig = {
    metadata: { name, namespace: 'bench', uid: name, attempt: 0 },
    logDirectory,
    linux: {},
  };
  const { runtime } = side.client;
  const { podSandboxId } = await runtime.runPodSandbox({ config: sandboxConfig }, { timeoutMs });
  const config = {
    metadata: { name: 'main' },
    image: { image: side.image },
    command,
    logPath: `${name}.log`,
    linux: {},
  };
  const { containerId } = await runtime.createContainer(
    { podSandboxId, config, sandboxConfig },
    { timeoutMs },
  );
  await runtime.startContainer({ containerId }, { timeoutMs });
  return { podSandboxId, containerId };
}

/** Stops and removes a pod. */
export async function removePod(side: RuntimeSide, { podSandboxId }: BenchPod): Promise<void> {
  await side.client.runtime.stopPodSandbox({ podSandboxId }, { timeoutMs });
  await side.client.runtime.removePodSandbox({ podSandboxId }, { timeoutMs });
}

/** What a command prints in a pod's container. */
export async function outputIn(side: RuntimeSide, { containerId }: BenchPod, cmd: string[]): Promise<string> {
  const { stdout } = await side.client.runtime.execSync({ containerId, cmd }, { timeoutMs });
  return Buffer.from(stdout).toString();
}

/** Lets the disk finish what others left it to do. */
export const flush = (): void => void execFileSync('sync');

/** CRI alone, beside Debian's containerd in the same run: the same calls in turn to both sockets. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CriClient, createCriClient } from '@wherry/cri';
import { startContainerd } from '../conformance/peers/containerd.ts';
import { image, type MeasuredNode } from './node.ts';
import { percentile } from './statistics.ts';

interface Side {
  name: string;
  client: CriClient;
  image: string;
  logs: string;
  container: string;
  samples: Map<string, number[]>;
}

const rounds = 20;

function record(side: Side, what: string, startedMs: number): void {
  const samples = side.samples.get(what) ?? [];
  samples.push(performance.now() - startedMs);
  side.samples.set(what, samples);
}

async function startPod(side: Side, name: string): Promise<{ podSandboxId: string; containerId: string }> {
  const metadata = { name, namespace: 'bench', uid: `${side.name}-${name}`, attempt: 0 };
  const sandboxConfig = { metadata, logDirectory: side.logs, linux: {} };
  const { runtime } = side.client;
  const { podSandboxId } = await runtime.runPodSandbox({ config: sandboxConfig });
  const config = {
    metadata: { name: 'main' },
    image: { image: side.image },
    command: ['sleep', '86400'],
    logPath: `${name}.log`,
    linux: {},
  };
  const { containerId } = await runtime.createContainer({ podSandboxId, config, sandboxConfig });
  await runtime.startContainer({ containerId });
  return { podSandboxId, containerId };
}

async function removePod(side: Side, podSandboxId: string): Promise<void> {
  await side.client.runtime.stopPodSandbox({ podSandboxId });
  await side.client.runtime.removePodSandbox({ podSandboxId });
}

async function round(side: Side, index: number): Promise<void> {
  const startMs = performance.now();
  const { podSandboxId } = await startPod(side, `pod-${index}`);
  record(side, 'sandbox + create + start', startMs);
  const syncMs = performance.now();
  await side.client.runtime.execSync({ containerId: side.container, cmd: ['true'] });
  record(side, 'execSync', syncMs);
  const execMs = performance.now();
  await side.client.runtime.exec({ containerId: side.container, cmd: ['true'], stdout: true });
  record(side, 'exec (URL only)', execMs);
  const removeMs = performance.now();
  await removePod(side, podSandboxId);
  record(side, 'stop + remove', removeMs);
}

/** Prints a table: p50 of each call on both sides, and the ratio. */
export async function compareCri(node: MeasuredNode): Promise<void> {
  const peer = await startContainerd();
  const logs = await mkdtemp(join(tmpdir(), 'cri-bench-'));
  const own = createCriClient(await node.criSocket());
  const side = (name: string, client: CriClient, imageName: string): Side => ({
    name,
    client,
    image: imageName,
    logs,
    container: '',
    samples: new Map(),
  });
  const sides = [side('wherry', own, image), side('containerd', peer.client, peer.image)];
  const pods: [Side, string][] = [];
  try {
    for (const each of sides) {
      const { podSandboxId, containerId } = await startPod(each, 'steady');
      each.container = containerId;
      pods.push([each, podSandboxId]);
    }
    for (let index = 0; index < rounds; index++) for (const each of sides) await round(each, index);
    console.log(
      `| CRI call, p50 of ${rounds} | wherry | containerd 1.6 | ratio |\n| --- | --- | --- | --- |`,
    );
    for (const [what, samples] of sides[0]?.samples ?? []) {
      const ours = percentile(samples, 0.5);
      const theirs = percentile(sides[1]?.samples.get(what) ?? [], 0.5);
      console.log(
        `| ${what} | ${ours.toFixed(1)} ms | ${theirs.toFixed(1)} ms | ${(ours / theirs).toFixed(2)} |`,
      );
    }
  } finally {
    for (const [each, id] of pods) await removePod(each, id);
    own.close();
    await peer.close();
    await rm(logs, { recursive: true, force: true });
  }
}

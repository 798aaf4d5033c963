import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wherry } from '../../../e2e/node.ts';
import type { JudgedNode, JudgedNodeOptions } from './judged-node.ts';

const readySeconds = 300;
/** Where specs ask the kubelet of a pod's machine, whatever its node says. */
const kubeletPort = 10250;

/** `wherry up`, with as many nodes in its cluster as it is told. */
export async function startWholeNode(
  { folder, registryConfig }: JudgedNodeOptions,
  nodes: number,
): Promise<JudgedNode> {
  const dataDir = join(folder, 'node');
  const close = async () => {
    const logs = join(dataDir, 'logs');
    if (existsSync(logs)) await cp(logs, join(folder, 'logs'), { recursive: true });
    await wherry(['down', '--data-dir', dataDir, '--purge']);
  };
  const others = Array.from({ length: nodes - 1 }, (_, index) => ({ name: `suite-${index + 2}` }));
  const file = join(folder, 'nodes.json');
  const document = {
    ...{ apiVersion: 'wherry/v1alpha1', kind: 'Node', name: 'suite', nodes: others },
    // Specs of RuntimeClass run pods by it.
    runtimeHandlers: { 'test-handler': 'runc' },
  };
  await writeFile(file, JSON.stringify({ ...document, ports: { api: 0, kubelet: kubeletPort } }));
  const where = ['--data-dir', dataDir, '--registry-config', registryConfig];
  const patience = ['--ready-timeout', String(readySeconds)];
  const words = ['up', '--detach', '--config', file, ...where, ...patience];
  const { code, stderr } = await wherry(words, { timeoutMs: (readySeconds + 30) * 1000 });
  if (code !== 0) {
    await close();
    throw new Error(`wherry up: ${stderr}`);
  }
  return { kubeconfig: join(dataDir, 'kubeconfig'), kubeletRoot: join(dataDir, 'kubelet'), close };
}

import { setTimeout as delay } from 'node:timers/promises';
import { createCriClient } from '@wherry/cri';
import { randomOf } from '../../packages/runtime/test/deaths/random.ts';
import { eventually, TestNode } from '../node.ts';
import { disagreements } from './agreement.ts';
import { Churn } from './churn.ts';

const stepsMax = 4;
const stepMsMax = 500;
const absenceMsMax = 1_000;

/** How often kubelet or runtime die, from which seed all follows, and how long agreement may take once they are back. */
export interface NodeDeathOptions {
  deaths: number;
  seed: number;
  agreeMs: number;
  note?(line: string): void;
}

/**
 * Kills kubelet, runtime or both of a node under churn, at random moments. Throws when API server and runtime do not
 * agree in time afterwards, or a container that nobody touched is another one.
 */
export async function surviveNodeDeaths({ deaths, seed, agreeMs, note = () => {} }: NodeDeathOptions) {
  const random = randomOf(seed);
  const node = await TestNode.start('deaths');
  const churn = new Churn(node.kubeconfig, random);
  const cri = createCriClient(`unix://${await criSocketOf(node)}`);
  try {
    await churn.begin();
    await node.kubectlOk(['wait', '--for=condition=Ready', 'pod', '--all', '--timeout=60s']);
    const steady = await churn.steady();
    for (let death = 1; death <= deaths; death++) {
      const churning = steps(churn, random);
      churning.catch(() => {});
      await delay(random() * stepsMax * stepMsMax * 0.5);
      const roles = random() < 0.4 ? ['kubelet'] : random() < 0.67 ? ['runtime'] : ['kubelet', 'runtime'];
      for (const role of roles) process.kill(await node.pidOf(role), 'SIGKILL');
      await delay(random() * absenceMsMax);
      await node.up();
      await churning;
      const backMs = performance.now();
      await eventually('agreement', () => agrees(churn, cri), agreeMs).catch(async (error: Error) => {
        const found = await disagreements(await churn.pods(), cri);
        throw new Error(`death ${death} of ${roles.join(' and ')}: ${found.join('; ')}`, { cause: error });
      });
      note(`${death}: ${roles.join(' and ')}, agreed after ${Math.round(performance.now() - backMs)} ms`);
      const now = await churn.steady();
      if (now.join() !== steady.join())
        throw new Error(`death ${death} of ${roles.join(' and ')}: ${steady.join()} became ${now.join()}`);
    }
  } finally {
    churn.close();
    cri.close();
    await node.remove();
  }
}

async function criSocketOf({ dataDir }: TestNode): Promise<string> {
  const { layoutOf } = await import('@wherry/node');
  return layoutOf(dataDir).criSocket;
}

async function steps(churn: Churn, random: () => number): Promise<void> {
  for (let left = 1 + Math.floor(random() * stepsMax); left > 0; left--) {
    await churn.step();
    await delay(random() * stepMsMax);
  }
}

async function agrees(churn: Churn, cri: ReturnType<typeof createCriClient>): Promise<boolean> {
  return (await disagreements(await churn.pods(), cri)).length === 0;
}

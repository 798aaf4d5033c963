import { readFileSync } from 'node:fs';
import { createKubeClient } from '@wherry/client';
import { type Controllers, startControllers } from '@wherry/controllers';
import type { Logger } from '@wherry/telemetry';
import type { ControllersFlags } from '../roles/controllers.ts';

const scheduler = 'kube-scheduler';

/** How long the API server may refuse connections before a request fails. */
const connectRetryMs = 5_000;

/**
 * The controllers of one cluster in this process, without an election: nobody else stands. The scheduler and the others
 * act as the user that each has in a node of several processes. `wanted` is upstream's list, default all.
 */
export function runControllers(
  { kubeconfig, schedulerKubeconfig = kubeconfig, rootCaFile }: ControllersFlags,
  { wanted = ['*'], logger }: { wanted?: readonly string[] | undefined; logger: Logger },
): Controllers {
  const rootCaPem = readFileSync(rootCaFile, 'utf8');
  const start = (path: string, controllers: readonly string[]) => {
    const client = createKubeClient({ kubeconfig: path, userAgent: 'wherry-controllers', connectRetryMs });
    const running = startControllers({ client, rootCaPem, logger, controllers });
    return {
      async close() {
        await running.close();
        client.close();
      },
    };
  };
  const schedules = !wanted.includes(`-${scheduler}`) && (wanted.includes('*') || wanted.includes(scheduler));
  const others = [...wanted.filter((word) => word !== scheduler), `-${scheduler}`];
  const running = [
    start(kubeconfig, others),
    ...(schedules ? [start(schedulerKubeconfig, [scheduler])] : []),
  ];
  return {
    async close() {
      await Promise.all(running.map((each) => each.close()));
    },
  };
}

import { readFileSync } from 'node:fs';
import { createKubeClient } from '@wherry/client';
import { type Controllers, startControllers } from '@wherry/controllers';
import type { Logger } from '@wherry/telemetry';
import { type ControllersFlags, machineControllers, onMachineAgent } from '../roles/controllers.ts';
import { signingOf } from '../roles/flags/manager/signing-flags.ts';

const scheduler = 'kube-scheduler';

/** How long the API server may refuse connections before a request fails. */
const connectRetryMs = 5_000;

/**
 * The controllers of one cluster in this process, without an election: nobody else stands. The scheduler and the others
 * act as the user that each has in a node of several processes. `wanted` is upstream's list, default all.
 */
export function runControllers(
  flags: ControllersFlags,
  { wanted = ['*'], logger }: { wanted?: readonly string[] | undefined; logger: Logger },
): Controllers {
  const { kubeconfig, schedulerKubeconfig = kubeconfig, serviceAccountPrivateKeyFile } = flags;
  const shared = {
    rootCaPem: readFileSync(flags.rootCaFile, 'utf8'),
    tokenSigningKeyFile: serviceAccountPrivateKeyFile,
    signing: signingOf(flags),
    logger,
  };
  const start = (path: string, controllers: readonly string[]) => {
    const client = createKubeClient({ kubeconfig: path, userAgent: 'wherry-controllers', connectRetryMs });
    const running = startControllers({ ...shared, client, controllers });
    return {
      async close() {
        await running.close();
        client.close();
      },
    };
  };
  const schedules = !wanted.includes(`-${scheduler}`) && (wanted.includes('*') || wanted.includes(scheduler));
  const others = [...wanted.filter((word) => word !== scheduler), `-${scheduler}`];
  const client = () => createKubeClient({ kubeconfig, userAgent: onMachineAgent, connectRetryMs });
  const running = [
    start(kubeconfig, others),
    ...(schedules ? [start(schedulerKubeconfig, [scheduler])] : []),
    machineControllers(flags, { client, logger }),
  ];
  return {
    async close() {
      await Promise.all(running.map((each) => each?.close()));
    },
  };
}

import { readFileSync } from 'node:fs';
import { createKubeClient } from '@wherry/client';
import {
  type Controllers,
  candidateHasEnded,
  type Manager,
  ownCandidacy,
  standAsManager,
  startControllers,
} from '@wherry/controllers';
import { roleLogger, runUntilSignal, type Verbosity } from './run-role.ts';

/** Flags of `wherry controllers`, as commander hands them over. */
export interface ControllersFlags {
  kubeconfig: string;
  schedulerKubeconfig?: string;
  rootCaFile: string;
  controllers?: string[];
  leaderElect?: boolean;
}

/** How long the API server may refuse connections before a request fails: it may still be starting. */
const connectRetryMs = 5_000;

/** Runs the scheduler and the other controllers, each under its own user and lease, until it is signalled. */
export async function controllers(flags: ControllersFlags & Verbosity): Promise<void> {
  const {
    kubeconfig,
    schedulerKubeconfig = kubeconfig,
    rootCaFile,
    controllers,
    leaderElect = true,
    v,
  } = flags;
  const logger = roleLogger('controllers', v);
  const rootCaPem = readFileSync(rootCaFile, 'utf8');
  const clientOf = (path: string, userAgent: string) =>
    createKubeClient({ kubeconfig: path, userAgent, connectRetryMs });
  const shared = { rootCaPem, logger, ...(controllers ? { controllers } : {}) };
  const candidacy = { ...shared, identity: ownCandidacy(), hasEnded: candidateHasEnded };
  const stand = (manager: Manager, path: string) =>
    standAsManager({ ...candidacy, manager, client: clientOf(path, manager) });
  const running: (Controllers | undefined)[] = leaderElect
    ? [stand('kube-scheduler', schedulerKubeconfig), stand('kube-controller-manager', kubeconfig)]
    : [startControllers({ ...shared, client: clientOf(kubeconfig, 'wherry-controllers') })];
  await runUntilSignal(logger, async () => {
    await Promise.all(running.map((each) => each?.close()));
  });
}

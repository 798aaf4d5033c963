import { writeFileSync } from 'node:fs';
import { createKubeClient } from '@wherry/client';
import { candidateHasEnded, ownCandidacy, standAsManager } from '@wherry/controllers';
import { stringify } from 'yaml';
import { NodeError } from '../../errors.ts';
import type { ComponentFlags } from '../flags/component-flags.ts';
import { checkGates, type GateFlags } from '../flags/gate-flags.ts';
import { electionOf } from '../flags/manager/election-flags.ts';
import type { SchedulerFlags } from '../flags/scheduler-flags.ts';
import { warnedOfManagers, warnOfFlags } from '../flags/warned-flags.ts';
import { roleLogger, runUntilSignal, type Verbosity } from '../run-role.ts';
import { readSchedulerSettings } from './scheduler-settings.ts';

/** How long the API server may refuse connections before a request fails: it may still be starting. */
const connectRetryMs = 5_000;

/** Runs the scheduler alone, in kube-scheduler's place, until it is signalled; or writes what its configuration comes to. */
export async function scheduler(
  flags: SchedulerFlags & ComponentFlags & GateFlags & Verbosity,
): Promise<void> {
  const { config, writeConfigTo, v } = flags;
  await checkGates(flags);
  const settings = readSchedulerSettings(config, electionOf(flags));
  const { configuration, setup, written, lease, warnings } = settings;
  if (writeConfigTo !== undefined) {
    writeFileSync(writeConfigTo, stringify(written));
    return;
  }
  const logger = roleLogger('scheduler', v);
  warnOfFlags(flags, warnedOfManagers, logger);
  for (const warning of warnings) logger.warn('a field of the configuration has no effect', { warning });
  const kubeconfig = configuration.clientConnection.kubeconfig || flags.kubeconfig;
  if (kubeconfig === undefined)
    throw new NodeError(
      'bad-settings',
      'give --kubeconfig, or clientConnection.kubeconfig in the configuration',
    );
  const { securePort } = flags;
  const pages = securePort ? await openPages() : undefined;
  const server =
    securePort &&
    (await pages?.serve(securePort, flags, {
      ...{ kubeconfig, logger },
      configuration: { componentconfig: written },
    }));
  const running = standAsManager({
    ...{ manager: 'kube-scheduler', figures: pages?.figures },
    client: createKubeClient({ kubeconfig, userAgent: 'kube-scheduler', connectRetryMs, ...pages?.client }),
    rootCaPem: '',
    // Without a file pods are tried again as soon as a node of one machine can.
    ...(config !== undefined && { schedulerSetup: setup }),
    ...{ identity: ownCandidacy(), hasEnded: candidateHasEnded, lease, logger },
  });
  await runUntilSignal(logger, async () => {
    await running?.close();
    if (server) await server.close();
  });
}

/** Only who is given a port loads what tells of the scheduler. */
async function openPages() {
  const { ComponentPages } = await import('../component-server/component-pages.ts');
  return new ComponentPages(['kube-scheduler']);
}

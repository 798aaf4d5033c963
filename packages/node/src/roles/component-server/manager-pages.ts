import type { Manager } from '@wherry/controllers';
import type { Logger } from '@wherry/telemetry';
import type { ManagerComponentFlags } from '../flags/component-flags.ts';
import { ComponentPages } from './component-pages.ts';
import type { ComponentServer } from './component-server.ts';

/** What is told of each manager whose port is given; without an election, of both at once. */
export type ManagerPages = Partial<Record<Manager, ComponentPages>>;

const others = 'kube-controller-manager';
const scheduler = 'kube-scheduler';

/** By what ports are given. */
export function managerPages(
  { securePort, schedulerSecurePort }: ManagerComponentFlags,
  isElected: boolean,
): ManagerPages {
  if (!securePort && !schedulerSecurePort) return {};
  if (!isElected) {
    const both = new ComponentPages([others, scheduler]);
    return { [others]: both, [scheduler]: both };
  }
  return {
    ...(securePort ? { [others]: new ComponentPages([others]) } : {}),
    ...(schedulerSecurePort ? { [scheduler]: new ComponentPages([scheduler]) } : {}),
  };
}

/** Serves them, each over its port. Rejects when a port is taken, or a file is missing, and then serves none. */
export async function serveManagerPages(
  pages: ManagerPages,
  flags: ManagerComponentFlags & {
    kubeconfig: string;
    schedulerKubeconfig: string;
    schedulerConfiguration: object | undefined;
  },
  logger: Logger,
): Promise<ComponentServer[]> {
  const { kubeconfig, schedulerKubeconfig, securePort, schedulerSecurePort, schedulerConfiguration } = flags;
  const servers: ComponentServer[] = [];
  const serve = async (
    manager: Manager,
    port: number | undefined,
    path: string,
    configuration?: Record<string, object>,
  ) => {
    const served = port && pages[manager]?.serve(port, flags, { kubeconfig: path, configuration, logger });
    if (served) servers.push(await served);
  };
  try {
    await serve(others, securePort, kubeconfig);
    await serve(
      scheduler,
      schedulerSecurePort,
      schedulerKubeconfig,
      schedulerConfiguration && { componentconfig: schedulerConfiguration },
    );
    return servers;
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()));
    throw error;
  }
}

import { createKubeClient, type KubeClient, type KubeClientOptions } from '@wherry/client';
import { type Clock, systemClock } from '@wherry/clock';
import { ControllerFigures, type Manager } from '@wherry/controllers';
import { kubernetesVersion } from '@wherry/kubeapi';
import { ProcessPages } from '@wherry/kubeapi/zpages';
import { clientFigures } from '@wherry/kubelet/access';
import { processGauges } from '@wherry/linux';
import { type Logger, MetricsRegistry } from '@wherry/telemetry';
import type { ComponentFlags } from '../flags/component-flags.ts';
import { type ComponentServer, startComponentServer } from './component-server.ts';
import { ComponentTls } from './component-tls.ts';
import { ComponentUsers } from './component-users.ts';

/** Of whom is told. */
interface PagesOf {
  kubeconfig: string;
  /** What `/configz` says. Default: there is no such page. */
  configuration?: Readonly<Record<string, object>> | undefined;
  logger: Logger;
}

const paths = ['/flagz', '/healthz', '/livez', '/metrics', '/readyz', '/statusz'];
const usualOpenPaths = ['/healthz', '/readyz', '/livez'];

/** What is told of one manager, or of two, where a port is given for it. */
export class ComponentPages {
  readonly #metrics = new MetricsRegistry();
  readonly #clock: Clock;
  readonly #component: Manager;
  readonly figures: ControllerFigures;
  /** What its client tells of its requests. */
  readonly client: Pick<KubeClientOptions, 'onExchange' | 'onRead'>;

  /** The first is what they are called. */
  constructor(managers: readonly [Manager, ...Manager[]], clock: Clock = systemClock) {
    this.#clock = clock;
    this.#component = managers[0];
    this.figures = new ControllerFigures(this.#metrics, { clock, managers });
    this.client = clientFigures(this.#metrics);
    processGauges(this.#metrics, clock.nowMs());
  }

  /** Serves them. `kubeconfig` is that of who asks the API server where no other is named. Throws when a file is missing. */
  async serve(
    port: number,
    flags: ComponentFlags,
    { kubeconfig, configuration, logger }: PagesOf,
  ): Promise<ComponentServer> {
    const { authenticationKubeconfig = kubeconfig, authorizationKubeconfig = authenticationKubeconfig } =
      flags;
    const clients = [authenticationKubeconfig, authorizationKubeconfig].map((file) =>
      createKubeClient({ kubeconfig: file, userAgent: 'wherry-controllers' }),
    ) as [KubeClient, KubeClient];
    const [authentication, authorization] = clients;
    const tls = await ComponentTls.open(flags, this.#component, this.#clock.nowMs());
    const server = await startComponentServer({
      ...{ address: flags.bindAddress ?? '0.0.0.0', port },
      tls,
      users: new ComponentUsers(flags, { tls, client: authentication, clock: this.#clock }),
      ...{ authorization, metrics: this.#metrics, clock: this.#clock, logger },
      configuration,
      pages: new ProcessPages({
        component: this.#component,
        version: kubernetesVersion.slice(1),
        paths: configuration ? [...paths, '/configz'] : paths,
        flags: flags.flags,
      }),
      alwaysAllowPaths: flags.authorizationAlwaysAllowPaths ?? usualOpenPaths,
      checks: () => [
        { name: 'ping', holds: true },
        { name: 'leaderElection', holds: !this.figures.election.isOverdue(this.#clock.monotonicMs()) },
      ],
    });
    logger.info('telling of itself', { port: server.port });
    return {
      port: server.port,
      async close() {
        await server.close();
        for (const client of clients) client.close();
      },
    };
  }
}

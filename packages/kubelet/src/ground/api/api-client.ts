import { createKubeClient, type KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { Logger, MetricsRegistry, Tracer } from '@wherry/telemetry';
import { bootstrap, holds } from '../../certificates/bootstrap.ts';
import { join } from '../../certificates/join.ts';
import { openRotatingClient } from '../../certificates/rotating-client.ts';
import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import { ConfigurationError } from '../../configuration/configuration-error.ts';
import type { StartKubeletOptions } from '../options.ts';
import { tracedExchanges } from '../tracing/traced-exchanges.ts';
import { clientFigures } from './client-figures.ts';

/** What a client of the API server is opened with. */
export interface ApiOptions extends Pick<StartKubeletOptions, 'kubeconfig' | 'bootstrapKubeconfig'> {
  configuration: KubeletConfiguration;
  certDir: string;
  nodeName: string;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  tracer: Tracer;
}

/** The way to the API server. */
export interface ApiClient {
  /** Undefined for a kubelet without an API server. */
  client: KubeClient | undefined;
  /** Replaces the client's certificate; undefined where nothing does. */
  clientRotation: { close(): void } | undefined;
}

/**
 * The client of the kubeconfig. A machine that joins gets one first or, where certificates are rotated, while the kubelet runs. Throws
 * when it is refused.
 */
export async function openApi(options: ApiOptions): Promise<ApiClient> {
  const { kubeconfig, bootstrapKubeconfig, configuration } = options;
  if (!kubeconfig) {
    if (!bootstrapKubeconfig) return { client: undefined, clientRotation: undefined };
    throw new ConfigurationError([
      '--bootstrap-kubeconfig needs --kubeconfig: what it gets is written there',
    ]);
  }
  const joins = bootstrapKubeconfig !== undefined && !holds(kubeconfig, options.clock.nowMs());
  if (joins && !configuration.rotateCertificates)
    await bootstrap({ ...options, kubeconfig, bootstrapKubeconfig });
  const { onExchange, onRead } = clientFigures(options.metrics);
  const onSend = tracedExchanges(options.tracer);
  if (!configuration.rotateCertificates) {
    const client = createKubeClient({ kubeconfig, userAgent: 'kubelet', onExchange, onRead, onSend });
    return { client, clientRotation: undefined };
  }
  const leaving = new AbortController();
  const { signal } = leaving;
  const joining = joins ? join({ ...options, kubeconfig, bootstrapKubeconfig, signal }) : undefined;
  const rotation = await openRotatingClient({ ...options, kubeconfig, joining, onExchange, onRead, onSend });
  return {
    client: rotation.client,
    clientRotation: {
      close() {
        leaving.abort(new Error('the kubelet ends'));
        rotation.close();
      },
    },
  };
}

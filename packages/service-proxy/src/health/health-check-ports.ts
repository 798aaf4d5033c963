import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type EventRecorder, eventObjectOf, kinds } from '@wherry/client';
import { type Clock, sleep } from '@wherry/clock';
import type { EndpointSlice, Service } from '@wherry/kubeapi/objects';
import { type Logger, unattended } from '@wherry/telemetry';
import { limits } from '../limits.ts';

/** What the ports answer from. */
export interface HealthCheckOptions {
  /** The node that this machine is. */
  nodeName: string;
  /** Whether all services and endpoints are known, and the kernel is told of them. */
  isHealthy(): boolean;
  service(key: string): Service | undefined;
  slices(key: string): EndpointSlice[];
  /** Told of ports that are taken. */
  events: EventRecorder;
  clock: Clock;
  logger: Logger;
}

interface OpenPort {
  port: number;
  close(): Promise<void>;
}

/**
 * Tells load balancers whether this node has endpoints of a service that leads them to local ones alone
 * (`healthCheckNodePort`): 200 with their number, 503 where there is none (upstream: pkg/proxy/healthcheck).
 */
export class HealthCheckPorts {
  readonly #options: HealthCheckOptions;
  readonly #open = new Map<string, OpenPort>();

  constructor(options: HealthCheckOptions) {
    this.#options = options;
  }

  /** A service, `namespace/name`, has changed, came or went. */
  look(key: string): void {
    const { logger } = this.#options;
    const wanted = portOf(this.#options.service(key));
    const open = this.#open.get(key);
    if (open?.port === wanted) return;
    this.#open.delete(key);
    if (open) unattended(open.close(), { logger, task: 'the end of a health check port' });
    if (wanted !== undefined) this.#open.set(key, this.#answerAt(wanted, key));
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map((each) => each.close()));
  }

  #answerAt(port: number, key: string): OpenPort {
    const { logger } = this.#options;
    const ending = new AbortController();
    const timeouts = {
      headersTimeout: limits.healthCheckTimeoutMs,
      requestTimeout: limits.healthCheckTimeoutMs,
    };
    const server = createServer(timeouts, (_request, response) => this.#answer(key, response));
    server.maxConnections = limits.healthCheckConnectionsMax;
    const listening = this.#listen(server, { port, key }, ending.signal);
    unattended(listening, { logger, task: 'a health check port' });
    return {
      port,
      async close() {
        ending.abort(new Error('the port is not wanted any more'));
        await listening;
        if (!server.listening) return;
        server.closeAllConnections();
        await new Promise<void>((resolve) => server.close(() => resolve()));
      },
    };
  }

  /** A port that somebody else has is tried again until it is free. */
  async #listen(
    server: Server,
    { port, key }: { port: number; key: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, logger } = this.#options;
    for (let isTold = false; !signal.aborted; isTold = true) {
      try {
        server.listen({ port });
        await once(server, 'listening');
        server.on('error', (error) =>
          logger.warn('a health check port failed', { service: key, port, error }),
        );
        return;
      } catch (error) {
        if (!isTold) {
          logger.warn('a health check port is taken; it is tried again', { service: key, port, error });
          this.#tellTaken(port, key, error as Error);
        }
        await sleep({ clock, delayMs: limits.retryMs, signal }).catch(() => {});
      }
    }
  }

  /** As kube-proxy does. */
  #tellTaken(port: number, key: string, { message }: Error): void {
    const { service, events, nodeName } = this.#options;
    const found = service(key);
    if (!found) return;
    events.record({
      object: eventObjectOf(kinds.services, found),
      type: 'Warning',
      reason: 'FailedToStartServiceHealthcheck',
      message: `node ${nodeName} failed to start healthcheck "${key}" on port ${port}: ${message}`,
    });
  }

  #answer(key: string, response: ServerResponse): void {
    const [namespace, name] = key.split('/');
    const localEndpoints = this.#countOf(key);
    const serviceProxyHealthy = this.#options.isHealthy();
    response.writeHead(localEndpoints > 0 && serviceProxyHealthy ? 200 : 503, {
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'x-load-balancing-endpoint-weight': localEndpoints,
    });
    response.end(JSON.stringify({ service: { namespace, name }, localEndpoints, serviceProxyHealthy }));
  }

  /** Endpoints of this node that take new connections; one of both families counts once. */
  #countOf(key: string): number {
    const { nodeName } = this.#options;
    const endpoints = this.#options.slices(key).flatMap((slice) => slice.endpoints ?? []);
    const local = endpoints.filter((each) => each.nodeName === nodeName && each.conditions?.ready !== false);
    return new Set(local.map(({ targetRef, addresses }) => targetRef?.uid ?? addresses[0])).size;
  }
}

function portOf(service: Service | undefined): number | undefined {
  const { type, externalTrafficPolicy, healthCheckNodePort } = service?.spec ?? {};
  const isChecked = type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
  return isChecked && healthCheckNodePort ? healthCheckNodePort : undefined;
}

import type { Service } from '@wherry/kubeapi';
import type { EnvironmentEntry } from './environment.ts';

const variableName = (name: string) => name.toUpperCase().replaceAll('-', '_');

/**
 * The services that a pod of that namespace finds in its environment: the API server's, and those of its namespace if it wants them.
 * One of its own that is called like the API server's stands in its place.
 */
export function visibleServices(
  services: Iterable<Service>,
  { namespace, wantsAll }: { namespace: string; wantsAll: boolean },
): Service[] {
  const byName = new Map<string, Service>();
  for (const service of services) {
    const { name = '', namespace: place } = service.metadata ?? {};
    const isApiServer = name === 'kubernetes' && place === 'default';
    if (!hasAddress(service)) continue;
    if (wantsAll && place === namespace) byName.set(name, service);
    else if (isApiServer && !byName.has(name)) byName.set(name, service);
  }
  return [...byName.values()];
}

const hasAddress = ({ spec }: Service) => Boolean(spec?.clusterIP) && spec?.clusterIP !== 'None';

/** The variables by which containers find the services of their namespace, and the API server. */
export function serviceVariables(services: readonly Service[]): EnvironmentEntry[] {
  return services.flatMap((service) => {
    const { clusterIP = '', ports = [] } = service.spec ?? {};
    const [first] = ports;
    if (!hasAddress(service) || !first) return [];
    const prefix = variableName(service.metadata?.name ?? '');
    return [
      { name: `${prefix}_SERVICE_HOST`, value: clusterIP },
      { name: `${prefix}_SERVICE_PORT`, value: String(first.port) },
      ...ports.flatMap(({ name, port }) =>
        name ? [{ name: `${prefix}_SERVICE_PORT_${variableName(name)}`, value: String(port) }] : [],
      ),
      ...linkVariables(prefix, clusterIP, ports),
    ];
  });
}

type Ports = NonNullable<NonNullable<Service['spec']>['ports']>;

function linkVariables(prefix: string, clusterIp: string, ports: Ports): EnvironmentEntry[] {
  return ports.flatMap(({ port, protocol = 'TCP' }, index) => {
    const scheme = protocol.toLowerCase();
    const url = `${scheme}://${bracketed(clusterIp)}:${port}`;
    const stem = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`;
    return [
      ...(index === 0 ? [{ name: `${prefix}_PORT`, value: url }] : []),
      { name: stem, value: url },
      { name: `${stem}_PROTO`, value: scheme },
      { name: `${stem}_PORT`, value: String(port) },
      { name: `${stem}_ADDR`, value: clusterIp },
    ];
  });
}

const bracketed = (address: string) => (address.includes(':') ? `[${address}]` : address);

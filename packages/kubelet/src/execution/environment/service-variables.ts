import type { Service } from '@wherry/kubeapi';
import type { EnvironmentEntry } from './environment.ts';

const variableName = (name: string) => name.toUpperCase().replaceAll('-', '_');

/** The variables by which containers find the services of their namespace, and the API server. */
export function serviceVariables(services: readonly Service[]): EnvironmentEntry[] {
  return services.flatMap((service) => {
    const { clusterIP, ports = [] } = service.spec ?? {};
    const [first] = ports;
    if (!clusterIP || clusterIP === 'None' || !first) return [];
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

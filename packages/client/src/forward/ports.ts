import type { Pod, Service, ServicePort } from '@wherry/kubeapi/objects';
import { ClientError } from '../errors.ts';
import type { ResolvedTarget } from './target.ts';

/** One forwarded port as the user asks for it. */
export interface ForwardPort {
  /** Port to listen on; 0 for any free one. Default: the number that `remote` is, or stands for at the service or the pod. */
  local?: number | undefined;
  /** Number, or name of a port of the pod or the service. */
  remote: number | string;
}

const portMax = 65_535;

/**
 * Reads `P`, `L:R`, `:R` or `0:R`, where P and R may be names. Throws `ClientError` `bad-argument` with kubectl's words.
 */
export function parseForwardPort(text: string): ForwardPort {
  const parts = text.split(':');
  const [first = '', second] = parts;
  if (parts.length > 2) throw new ClientError('bad-argument', `invalid port format '${text}'`);
  const remote = parseRemote(second ?? first);
  if (second === undefined) return { remote };
  return { local: first === '' ? 0 : parseLocal(first), remote };
}

function parseLocal(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > portMax) {
    throw new ClientError(
      'bad-argument',
      `error parsing local port '${text}': not a number from 0 to ${portMax}`,
    );
  }
  return port;
}

function parseRemote(text: string): number | string {
  if (/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/i.test(text) && !/^\d+$/.test(text)) return text;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > portMax) {
    throw new ClientError('bad-argument', `error parsing remote port '${text}': not a port number or name`);
  }
  if (port === 0) throw new ClientError('bad-argument', 'remote port must be > 0');
  return port;
}

/** Throws `ClientError` `bad-argument` for no ports at all, and for numbers that are no ports. */
export function checkPorts(ports: readonly ForwardPort[]): void {
  if (ports.length === 0)
    throw new ClientError('bad-argument', 'at least one port to forward is needed, such as { remote: 8080 }');
  for (const { local = 0, remote } of ports) {
    if (!isPort(local))
      throw new ClientError('bad-argument', `local port ${local} is not a whole number from 0 to ${portMax}`);
    if (typeof remote === 'number' && (!isPort(remote) || remote === 0))
      throw new ClientError(
        'bad-argument',
        `remote port ${remote} is not a whole number from 1 to ${portMax}`,
      );
  }
}

const isPort = (port: number) => Number.isInteger(port) && port >= 0 && port <= portMax;

/** The port inside the pod that a wanted port stands for. Throws `ClientError` `bad-argument`. */
export function podPortOf(remote: number | string, target: ResolvedTarget): number {
  const { service, pod } = target;
  return service ? portBehindService(remote, service, pod) : podPort(remote, pod);
}

/** The number that a wanted port has where it was found: at the service, or in the pod. Throws as {@link podPortOf}. */
export function numberOf(remote: number | string, target: ResolvedTarget): number {
  if (typeof remote === 'number') return remote;
  return target.service ? servicePort(remote, target.service).port : podPort(remote, target.pod);
}

function servicePort(remote: number | string, { metadata: { name }, spec }: Service): ServicePort {
  const found = spec.ports?.find((port) => port.port === remote || port.name === remote);
  if (found) return found;
  const says =
    typeof remote === 'number'
      ? `Service ${name} does not have a service port ${remote}`
      : `Service '${name}' does not have a named port '${remote}'`;
  throw new ClientError('bad-argument', says);
}

function portBehindService(remote: number | string, service: Service, pod: Pod): number {
  const found = servicePort(remote, service);
  refuseUdp(found.protocol, remote);
  if (service.spec.clusterIP === 'None') return found.port;
  const targetPort = found.targetPort ?? found.port;
  return targetPort === 0 ? found.port : podPort(targetPort, pod);
}

function podPort(remote: number | string, pod: Pod): number {
  // What init containers have is found last, as in kubectl: some of them run beside the others.
  const { containers, initContainers = [] } = pod.spec;
  const declared = [...containers, ...initContainers].flatMap(({ ports = [] }) => ports);
  const matching = declared.filter((port) => port.containerPort === remote || port.name === remote);
  const [tcp = matching[0]] = matching.filter(({ protocol }) => protocol !== 'UDP');
  refuseUdp(tcp?.protocol, remote);
  if (typeof remote === 'number') return remote;
  if (tcp) return tcp.containerPort;
  throw new ClientError('bad-argument', `Pod '${pod.metadata.name}' does not have a named port '${remote}'`);
}

function refuseUdp(protocol: string | undefined, remote: number | string): void {
  if (protocol !== 'UDP') return;
  throw new ClientError('bad-argument', `UDP protocol is not supported for ${remote}`);
}

import type { KubeObject } from '@wherry/client';
import type { Protocol, Service, ServicePort, ServiceType } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { intOrString } from '../../words/int-or-string.ts';
import { parseLabels } from '../../words/label-pairs.ts';
import { wholeNumber } from '../../words/whole-number.ts';
import { exposedPorts, podLabels } from './exposed.ts';

/** What a service that is made for an object is to be like; what is not said is taken from the object. */
export interface ServiceFlags {
  name?: string;
  port?: string;
  targetPort?: string;
  /** These three as the server has them; it refuses other words. */
  protocol?: Protocol;
  type?: ServiceType;
  selector?: string;
  labels?: string;
  clusterIp?: string;
  externalIp?: string;
  loadBalancerIp?: string;
  sessionAffinity?: 'None' | 'ClientIP';
}

/** Names of services are labels of DNS. */
const nameLengthMax = 63;

/** The service by which the pods of an object are reached. Throws `CommandError`. */
export function serviceOf(object: KubeObject, flags: ServiceFlags): Service {
  const { type, clusterIp, externalIp, loadBalancerIp, sessionAffinity } = flags;
  const selector = flags.selector ? parseLabels(flags.selector) : podLabels(object);
  const ports = portsOf(object, flags);
  const labels = flags.labels ? parseLabels(flags.labels) : object.metadata?.labels;
  if (Object.keys(selector).length === 0) throw new CommandError('selector must be specified');
  if (sessionAffinity && !['None', 'ClientIP'].includes(sessionAffinity))
    throw new CommandError(`unknown session affinity: ${sessionAffinity}`);
  const name = flags.name || object.metadata?.name?.slice(0, nameLengthMax) || '';
  if (name === '') throw new CommandError('name must be specified');
  return {
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: { name, ...(labels ? { labels } : {}) },
    spec: {
      ...(ports.length > 0 ? { ports } : {}),
      selector,
      ...(clusterIp ? { clusterIP: clusterIp } : {}),
      ...(type ? { type } : {}),
      ...(externalIp ? { externalIPs: [externalIp] } : {}),
      ...(type === 'LoadBalancer' && loadBalancerIp ? { loadBalancerIP: loadBalancerIp } : {}),
      ...(sessionAffinity ? { sessionAffinity } : {}),
    },
  };
}

function portsOf(object: KubeObject, flags: ServiceFlags): ServicePort[] {
  const own = exposedPorts(object);
  const wanted = flags.port ? flags.port.split(',').map(wholeNumber) : own.map(({ port }) => port);
  if (wanted.length === 0 && flags.clusterIp !== 'None')
    throw new CommandError("couldn't find port via --port flag or introspection");
  const targetOf = (port: number) => (flags.targetPort ? intOrString(flags.targetPort) : port);
  return wanted.flatMap((port, index) => {
    const found = own.find((one) => one.port === port)?.protocols ?? (['TCP'] as const);
    const protocols = flags.protocol ? [flags.protocol] : found;
    const first = wanted.length > 1 ? `port-${index + 1}` : undefined;
    return protocols.map((protocol) => {
      const name = protocols.length > 1 ? `port-${index + 1}-${protocol.toLowerCase()}` : first;
      return { ...(name ? { name } : {}), protocol, port, targetPort: targetOf(port) };
    });
  });
}

import { dnsSubdomain, portName, type Service, type ServicePort, type ServiceType } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { intOrString } from '../../words/int-or-string.ts';

/** Flags of the commands below `wherry create service`. */
export interface ServiceFlags {
  /** `PORT[:TARGET]`. */
  tcp?: string[];
  clusterip?: string;
  /** 0 for any. */
  nodePort?: number;
  externalName?: string;
}

/** A service for the pods whose label `app` is its name. Throws `CommandError`. */
export function serviceObject(name: string, type: ServiceType, flags: ServiceFlags): Service {
  const { tcp = [], clusterip, nodePort, externalName } = flags;
  const isExternal = type === 'ExternalName';
  if (tcp.length === 0 && clusterip !== 'None' && !isExternal)
    throw new CommandError('at least one tcp port specifier must be provided');
  if (isExternal && dnsSubdomain(externalName ?? '').length > 0)
    throw new CommandError(`invalid service external name ${externalName}`);
  const ports = tcp.map((text) => ({ ...portOf(text), ...(nodePort ? { nodePort } : {}) }));
  return {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, labels: { app: name } } },
    spec: {
      type,
      selector: { app: name },
      ...(ports.length > 0 ? { ports } : {}),
      ...(externalName ? { externalName } : {}),
      ...(clusterip ? { clusterIP: clusterip } : {}),
    },
  };
}

const portMax = 65_535;

function portOf(text: string): ServicePort {
  const [own = '', target = own] = text.split(':');
  const parsing = `strconv.ParseUint: parsing ${JSON.stringify(own)}`;
  if (!/^\d+$/.test(own)) throw new CommandError(`${parsing}: invalid syntax`);
  if (Number(own) > portMax) throw new CommandError(`${parsing}: value out of range`);
  const targetPort = intOrString(target);
  const isWrong = typeof targetPort === 'number' && (targetPort < 1 || targetPort > portMax);
  if (isWrong && target !== own) throw new CommandError(`must be between 1 and ${portMax}, inclusive`);
  const complaints = typeof targetPort === 'string' ? portName(targetPort) : [];
  if (complaints.length > 0) throw new CommandError(complaints.join(','));
  return { name: text.replaceAll(':', '-'), port: Number(own), protocol: 'TCP', targetPort };
}

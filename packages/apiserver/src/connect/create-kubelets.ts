import type { Clock } from '@wherry/clock';
import type { Node } from '@wherry/kubeapi';
import { type Logger, noTracer, type Tracer } from '@wherry/telemetry';
import type { DialGuard } from '../dialing/dial-guard.ts';
import type { Way } from '../dialing/dialled-agents.ts';
import { ClientFiles } from '../documents/client-files.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import type { KubeletOptions } from './kubelet-options.ts';
import { Kubelets } from './kubelets.ts';

const defaultAddressTypes = ['InternalIP', 'ExternalIP', 'InternalDNS', 'ExternalDNS', 'Hostname'];
const defaultKubeletPort = 10250;

interface KubeletParts {
  nodes: ObjectCache<Node>;
  guard: DialGuard;
  way: Way | undefined;
  tracer?: Tracer | undefined;
  clock: Clock;
  logger: Logger;
}

/** The nodes' kubelets, reached as the server's options say. */
export function createKubelets(
  options: KubeletOptions,
  { nodes, guard, way, tracer = noTracer, clock, logger }: KubeletParts,
): Kubelets {
  const paths = {
    ca: options.kubeletCertificateAuthority,
    cert: options.kubeletClientCertificate,
    key: options.kubeletClientKey,
  };
  return new Kubelets({
    nodes,
    addressTypes: options.kubeletPreferredAddressTypes ?? defaultAddressTypes,
    defaultPort: options.kubeletPort ?? defaultKubeletPort,
    localNodes: options.localNodes ?? [],
    guard,
    way,
    tracer,
    files: new ClientFiles(paths, { towards: 'kubelets', clock, logger }),
  });
}

import type { NodeProxyOptions, PodExecOptions, PodPortForwardOptions, TypeMeta } from '@wherry/kubeapi';
import type { AdmissionChain } from '../admission/chain.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { namedPorts, streamsOf } from './stream-location.ts';

const proxyKinds: ReadonlyMap<string, string> = new Map([
  ['nodes', 'NodeProxyOptions'],
  ['pods', 'PodProxyOptions'],
  ['services', 'ServiceProxyOptions'],
]);

/** Asks admission about a stream or a proxied request. Throws its refusal. */
export function admitConnect(admission: AdmissionChain, request: ResourceRequest): Promise<void> {
  return admission.pass(request, {
    operation: 'CONNECT',
    options: connectOptions(request),
    dryRun: false,
  });
}

/** The options object of upstream's API (k8s.io/api core/v1) that a request's path and query stand for. */
export function connectOptions(
  request: Pick<ResourceRequest, 'info' | 'query'>,
): TypeMeta & (PodExecOptions | PodPortForwardOptions | NodeProxyOptions) {
  const { info, query } = request;
  const apiVersion = 'v1';
  switch (info.subresource) {
    case 'exec':
    case 'attach': {
      const isExec = info.subresource === 'exec';
      const container = query.text('container');
      return {
        kind: isExec ? 'PodExecOptions' : 'PodAttachOptions',
        ...{ apiVersion, ...streamsOf(query) },
        ...(container === '' ? {} : { container }),
        ...(isExec ? { command: query.list('command') } : {}),
      };
    }
    case 'portforward': {
      const ports = namedPorts(query);
      return { kind: 'PodPortForwardOptions', apiVersion, ...(ports.length > 0 ? { ports } : {}) };
    }
    default:
      return { kind: proxyKinds.get(info.resource) ?? '', apiVersion, path: info.tail };
  }
}

import { serveProxy } from '../connect/proxy.ts';
import type { Handler } from '../registry/handler.ts';
import type { HandlerParts } from './definition.ts';

/** Leads HTTP to a pod, to what stands behind a service, or to a node: whatever the method. */
export function proxyHandler({ core, kubelets, guard, way, authorizer }: HandlerParts): Handler {
  const [pods, services, endpoints] = [core('pods'), core('services'), core('endpoints')] as const;
  return {
    verbs: ['create', 'delete', 'get', 'patch', 'update'],
    serve: (request, wire) =>
      serveProxy({ pods, services, endpoints, kubelets, guard, way, authorizer }, request, wire),
  };
}

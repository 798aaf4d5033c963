import { type KubeClient, kinds } from '@wherry/client';
import type { Container, Node, Pod } from '@wherry/kubeapi';
import { randomSuffix } from './container-name.ts';
import { customized } from './custom-profile.ts';
import { type Debugged, type DebugRequest, fillIn, newContainer } from './request.ts';

const hostRoot = 'host-root';

/** Starts a pod that looks into a node, in the namespace that flags or kubeconfig name. */
export async function debugNode(client: KubeClient, node: Node, request: DebugRequest): Promise<Debugged> {
  const pod = podOn(node.metadata.name ?? '', request);
  const namespace = request.flags.namespace ?? client.access.namespace;
  const created = await client.resource(kinds.pods).create(pod, { namespace });
  return { pod: created, container: created.spec.containers[0]?.name };
}

function podOn(node: string, request: DebugRequest): Pod {
  const { flags, profile } = request;
  const container = containerOn(request);
  const name = `node-debugger-${node}-${randomSuffix()}`;
  if (!flags.quiet) {
    console.log(`Creating debugging pod ${name} with container ${container.name} on node ${node}.`);
  }
  const { hostNamespaces, hostRoot: hasRoot } = profile.onNode;
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    // kubectl's own name, by which its pods are found and cleared away.
    metadata: { name, labels: { 'app.kubernetes.io/managed-by': 'kubectl-debug' } },
    spec: {
      nodeName: node,
      containers: [container],
      restartPolicy: 'Never',
      tolerations: [{ operator: 'Exists' }],
      ...(hasRoot ? { volumes: [{ name: hostRoot, hostPath: { path: '/' } }] } : {}),
      ...(hostNamespaces ? { hostNetwork: true, hostPID: true, hostIPC: true } : {}),
    },
  };
}

function containerOn(request: DebugRequest): Container {
  const { flags, profile, custom } = request;
  const { securityContext, hostRoot: hasRoot } = profile.onNode;
  const container = newContainer(flags.container || 'debugger');
  fillIn(container, request);
  if (securityContext) container.securityContext = securityContext;
  if (hasRoot) container.volumeMounts = [{ name: hostRoot, mountPath: '/host' }];
  return custom ? customized(container, custom) : container;
}

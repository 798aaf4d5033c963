import { type KubeClient, type KubeObject, kinds, type ResourceType } from '@wherry/client';
import { hasReason, type Namespace, type ObjectMeta } from '@wherry/kubeapi/objects';
import { type ControllerDefinition, defineController } from './run-controller.ts';

/** An object of one name that each namespace is to have. */
export interface PerNamespacePlan<T extends KubeObject> {
  /** The controller's name. */
  name: string;
  /** The account that it acts as. */
  account: string;
  type: ResourceType<T>;
  objectName: string;
  /** What it holds beside its metadata. */
  content(rootCaPem: string): Partial<T>;
  /** What it is annotated with, beside what others annotate it with. */
  annotations?: Readonly<Record<string, string>>;
  /** Whether one that is there is as it should be; others get the content. */
  isRight(object: T, content: Partial<T>): boolean;
}

const isActive = (namespace: Namespace | undefined) =>
  namespace !== undefined && !namespace.metadata?.deletionTimestamp;

/** A controller that makes that object in each active namespace, and mends it when it changed or went. Keys are names. */
export function definePerNamespace<T extends KubeObject>(plan: PerNamespacePlan<T>): ControllerDefinition {
  const { name, account, type, objectName } = plan;
  const watches = { namespaces: { type: kinds.namespaces }, objects: { type } };
  return defineController<typeof watches>({
    name,
    account,
    watches,
    writes: [type.plural],
    build: ({ cluster, informers }) => {
      const content = plan.content(cluster.rootCaPem);
      return {
        keysOf: {
          namespaces: ({ metadata }, change) => (change === 'added' ? [metadata?.name ?? ''] : []),
          objects: ({ metadata }, change) =>
            metadata?.name === objectName && change !== 'added' ? [metadata.namespace ?? ''] : [],
        },
        async reconcile(namespace, signal) {
          if (!isActive(informers.namespaces.objects.get(namespace))) return;
          const present = informers.objects.objects.get(`${namespace}/${objectName}`) as T | undefined;
          if (present && plan.isRight(present, content)) return;
          const resource = cluster.client.resource(type);
          const annotations = { ...present?.metadata?.annotations, ...plan.annotations };
          const metadata = { ...(present?.metadata ?? { name: objectName, namespace }), annotations };
          if (present) await resource.update({ ...present, ...content, metadata }, { signal });
          else await create(cluster.client, { type, metadata, content, signal });
        },
      };
    },
  });
}

async function create<T extends KubeObject>(
  client: KubeClient,
  options: { type: ResourceType<T>; metadata: ObjectMeta; content: Partial<T>; signal: AbortSignal },
): Promise<void> {
  const { type, metadata, content, signal } = options;
  const object = { apiVersion: type.version, kind: type.kind, metadata, ...content } as unknown as T;
  try {
    await client.resource(type).create(object, { signal });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

import { kinds } from '@wherry/client';
import { hasReason, type Namespace } from '@wherry/kubeapi';
import type { Controller, ControllerContext } from './controller.ts';
import { WorkQueue } from './work-queue.ts';

const accountName = 'default';
const configMapName = 'kube-root-ca.crt';

const isActive = (namespace: Namespace | undefined) =>
  namespace !== undefined && !namespace.metadata?.deletionTimestamp;

/** Runs `ensure` for each active namespace, again when the thing of that name in it changed or went. */
function perNamespace(
  context: ControllerContext,
  options: {
    name: string;
    watched: 'serviceAccounts' | 'configMaps';
    objectName: string;
    ensure(namespace: string, signal: AbortSignal): Promise<void>;
  },
): Controller {
  const { informers, clock, logger } = context;
  const queue = new WorkQueue({
    name: options.name,
    clock,
    logger,
    work: async (namespace, signal) => {
      if (isActive(informers.namespaces.objects.get(namespace))) await options.ensure(namespace, signal);
    },
  });
  informers.namespaces.on({ added: (namespace) => queue.add(namespace.metadata?.name ?? '') });
  const changed = (object: { metadata?: { name?: string; namespace?: string } }) => {
    if (object.metadata?.name === options.objectName) queue.add(object.metadata.namespace ?? '');
  };
  informers[options.watched].on({ updated: changed, deleted: changed });
  return queue;
}

async function createUnlessThere(create: Promise<unknown>): Promise<void> {
  try {
    await create;
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

/** Gives each namespace its service account `default`. */
export function ensureDefaultAccounts(context: ControllerContext): Controller {
  const accounts = context.client.resource(kinds.serviceAccounts);
  return perNamespace(context, {
    name: 'default service account',
    watched: 'serviceAccounts',
    objectName: accountName,
    ensure: async (namespace, signal) => {
      if (context.informers.serviceAccounts.objects.has(`${namespace}/${accountName}`)) return;
      const account = {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: accountName, namespace },
      };
      await createUnlessThere(accounts.create(account, { signal }));
    },
  });
}

/** Gives each namespace the config map `kube-root-ca.crt`, and mends it when it was changed. */
export function publishRootCa(context: ControllerContext, rootCaPem: string): Controller {
  const configMaps = context.client.resource(kinds.configMaps);
  const data = { 'ca.crt': rootCaPem };
  return perNamespace(context, {
    name: 'root certificate',
    watched: 'configMaps',
    objectName: configMapName,
    ensure: async (namespace, signal) => {
      const present = context.informers.configMaps.objects.get(`${namespace}/${configMapName}`);
      if (present?.data?.['ca.crt'] === rootCaPem) return;
      const metadata = { name: configMapName, namespace };
      const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
      if (present) await configMaps.update({ ...present, data }, { signal });
      else await createUnlessThere(configMaps.create(configMap, { signal }));
    },
  });
}

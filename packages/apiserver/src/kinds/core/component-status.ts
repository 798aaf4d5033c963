import { type ComponentStatus, type Lease, notFound } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { Collection } from '../../registry/collection.ts';
import { readSelection } from '../../requests/selection.ts';
import { sendComputed, sendComputedList } from '../computed.ts';
import type { ServedKind } from '../definition.ts';

const gvk = { group: '', version: 'v1', kind: 'ComponentStatus' };
/** The leases of `kube-system` that stand for who runs. */
const managers = { scheduler: 'kube-scheduler', 'controller-manager': 'kube-controller-manager' };
/** As upstream calls its first store, whatever that is. */
const storeName = 'etcd-0';

/**
 * Whether the parts of a cluster run, looked at when asked. Upstream calls ports of its own machine; here the leases tell, which
 * whoever schedules and controls has to renew, wherever it runs.
 */
export const componentStatus: ServedKind = {
  group: '',
  kind: 'ComponentStatus',
  warning: 'v1 ComponentStatus is deprecated in v1.19+',
  handlers: ({ leases }, own) => ({
    '': {
      verbs: ['get', 'list'],
      async serve(request, wire) {
        const { name } = request.info;
        if (request.info.verb === 'get') {
          const [found] = (await componentsOf(leases, own)).filter(({ metadata }) => metadata.name === name);
          if (!found) throw notFound({ group: '', resource: 'componentstatus' }, name);
          return sendComputed(found, gvk, { request, wire });
        }
        const selection = readSelection(request, own.resource.type);
        const found = (await componentsOf(leases, own)).filter((object) => selection.matches(object));
        sendComputedList(found, gvk, { request, wire, metadata: {} });
      },
    },
  }),
};

async function componentsOf(leases: Collection | undefined, own: Collection): Promise<ApiObject[]> {
  const entries = Object.entries(managers).map(async ([name, lease]) =>
    componentOf(name, await complaintOf(lease, leases)),
  );
  const store = own.storage.store.revision().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return [...(await Promise.all(entries)), componentOf(storeName, await store)];
}

/** Why nobody seems to do a manager's work; undefined where somebody does. */
async function complaintOf(name: string, leases: Collection | undefined): Promise<string | undefined> {
  const title = `lease kube-system/${name}`;
  const found = await leases?.storage.find({ namespace: 'kube-system', name });
  if (!found) return `${title}: nobody has taken it`;
  const { renewTime, leaseDurationSeconds = 0, holderIdentity } = as<Lease>(found.object).spec ?? {};
  if (!holderIdentity || !renewTime) return `${title}: nobody holds it`;
  const endsMs = Date.parse(renewTime) + leaseDurationSeconds * 1_000;
  return endsMs < leases!.clock.nowMs() ? `${title}: not renewed since ${renewTime}` : undefined;
}

function componentOf(name: string, complaint: string | undefined): ApiObject {
  const condition =
    complaint === undefined
      ? { type: 'Healthy', status: 'True', message: 'ok' }
      : { type: 'Healthy', status: 'False', message: complaint };
  const component: ComponentStatus = {
    kind: gvk.kind,
    apiVersion: 'v1',
    metadata: { name },
    conditions: [condition],
  };
  return component as unknown as ApiObject;
}

import { FakeClock } from '@wherry/clock';
import { findResource } from '@wherry/kubeapi';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { AdmissionFigures } from '../src/admission/figures/admission-figures.ts';
import { ParamCaches } from '../src/admission/param-caches.ts';
import type { PluginParts } from '../src/admission/plugin-parts.ts';
import { defaultNodePorts, PortRange } from '../src/admission/port-range.ts';
import { StoredObjects } from '../src/admission/stored-objects.ts';
import { StoredPods } from '../src/admission/stored-pods.ts';
import { type Authorizer, noOpinion } from '../src/authorization/authorizer.ts';
import { RbacAuthorizer } from '../src/authorization/rbac.ts';
import { type Caches, createCaches, startCaches } from '../src/bootstrap/caches.ts';
import { toServedResource } from '../src/kinds/served-resources.ts';
import { SqliteStore } from '../src/store/sqlite-store.ts';

const resource = (path: string) => {
  const [group = '', version = '', plural = ''] = path.split('/').length === 3 ? path.split('/') : [];
  return toServedResource(findResource(group, version, plural)!);
};

/** What admission plug-ins work with, over a store in memory: a namespace `default` with its account, and no rights. */
export class TestParts {
  readonly all: PluginParts;
  readonly store: SqliteStore;

  private constructor(store: SqliteStore, caches: Caches) {
    const authorizer: Authorizer = { authorize: () => noOpinion };
    const metrics = new MetricsRegistry();
    this.store = store;
    this.all = {
      ...{ caches, authorizer, rbac: new RbacAuthorizer(caches) },
      nodePorts: PortRange.parse(defaultNodePorts),
      ...{ serviceRange: '10.96.0.0/16', metrics, clock: new FakeClock() },
      pods: new StoredPods(store, resource('/v1/pods')),
      claims: new StoredObjects(store, resource('/v1/persistentvolumeclaims')),
      volumes: new StoredObjects(store, resource('/v1/persistentvolumes')),
      logger: silentLogger,
      figures: new AdmissionFigures(metrics),
      served: () => [],
      makeNamespace: (name) => this.put('/v1/namespaces', { metadata: { name } }),
      webhooks: undefined as never,
      params: new ParamCaches({ store, clock: new FakeClock() }),
    };
  }

  static async start(): Promise<TestParts> {
    const store = new SqliteStore({ path: ':memory:' });
    const caches = createCaches(resource);
    await startCaches(caches, store);
    const parts = new TestParts(store, caches);
    await parts.put('/v1/namespaces', { metadata: { name: 'default' } });
    for (const name of ['default', 'x']) {
      await parts.put('/v1/serviceaccounts', { metadata: { name, namespace: 'default' } });
    }
    return parts;
  }

  /** Stores an object as it is, under `group/version/plural`. */
  async put(path: string, object: { metadata: { name: string; namespace?: string } }): Promise<void> {
    const { namespace, name } = object.metadata;
    const key = `${resource(path).keyPrefix}${namespace === undefined ? '' : `${namespace}/`}${name}`;
    await this.store.write({ key, value: JSON.stringify(object) });
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

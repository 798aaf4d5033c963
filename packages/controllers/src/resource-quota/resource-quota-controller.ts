import { isDeepStrictEqual } from 'node:util';
import { type DiscoveredResource, type KubeObject, keyOf, kinds } from '@wherry/client';
import {
  ownValue,
  parseQuantity,
  type Quantity,
  type ResourceQuota,
  type ResourceV1ResourceClaim,
} from '@wherry/kubeapi/objects';
import {
  isInScopes,
  measuresMore,
  type QuotaMeasure,
  type QuotaView,
  quotaMeasure,
  usageOf,
} from '@wherry/podrules';
import { limits } from '../limits.ts';
import type { Change, ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { defineController } from '../machinery/run-controller.ts';
import type { InformerHandle } from '../watching/shared-informers.ts';

const watches = {
  quotas: { type: kinds.resourceQuotas },
  pods: { type: kinds.pods },
  services: { type: kinds.services },
  claims: { type: kinds.persistentVolumeClaims },
  deviceClasses: { type: kinds.deviceClasses },
};
type Context = ControllerContext<typeof watches>;
type Amounts = Readonly<Record<string, string>>;

/**
 * Works out what quotas' namespaces use: of new quotas, and of all where something became free. What is taken the API server
 * adds itself, with the object that takes it, and a status that was worked out before that is refused.
 */
export const resourceQuotaController = defineController({
  name: 'resourcequota-controller',
  watches,
  writes: ['resourcequotas/status'],
  periodMs: limits.quotaResyncMs,
  build: (context) => new ResourceQuotaController(context),
});

class ResourceQuotaController implements Reconciler<typeof watches> {
  readonly #context: Context;
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: Context) {
    this.#context = context;
    const { cluster, queue } = context;
    cluster.owners.on({
      seen: () => {},
      kindsChanged: () => {},
      synced: () => {},
      gone: ({ metadata }) => {
        for (const quota of this.#quotasOf(metadata?.namespace)) queue.add(keyOf(quota));
      },
    });
    const measured = (resource: { group: string; plural: string }) => {
      const measure = quotaMeasure(resource)!;
      return (object: KubeObject, change: Change, previous?: KubeObject) => {
        const quotas = change === 'added' ? [] : this.#quotasOf(object.metadata?.namespace);
        return quotas
          .filter((quota) => !previous || this.#isFreed(quota, measure, previous, object))
          .map(keyOf);
      };
    };
    this.keysOf = {
      quotas: (quota, change, previous) =>
        change === 'added' || (change === 'updated' && !isDeepStrictEqual(quota.spec, previous?.spec))
          ? [keyOf(quota)]
          : [],
      pods: measured(kinds.pods),
      services: measured(kinds.services),
      claims: measured(kinds.persistentVolumeClaims),
    };
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { informers, cluster, queue } = this.#context;
    if (key === '') {
      for (const quota of informers.quotas.objects.keys()) queue.add(quota);
      return;
    }
    const quota = informers.quotas.objects.get(key);
    if (!quota) return;
    const hard = quota.spec?.hard ?? {};
    const known = Object.entries({ ...quota.status?.used, ...(await this.#usageOf(quota, signal)) });
    const used = Object.fromEntries(known.filter(([name]) => Object.hasOwn(hard, name)));
    const isRight = isSame(hard, quota.status?.hard) && isSame(used, quota.status?.used);
    if (isRight && quota.status?.used !== undefined) return;
    const resource = cluster.client.resource(kinds.resourceQuotas);
    await resource.update({ ...quota, status: { hard, used } }, { subresource: 'status', signal });
  }

  /** Of the names that something can be said of. */
  async #usageOf(quota: ResourceQuota, signal: AbortSignal): Promise<Amounts> {
    const { served, clock } = this.#context.cluster;
    const names = Object.keys(quota.spec?.hard ?? {});
    const { deviceClasses, pods } = this.#context.informers;
    const { namespace } = quota.metadata;
    const view: QuotaView = {
      deviceClasses: [...deviceClasses.objects.values()],
      podNamed: (name) => pods.objects.get(`${namespace}/${name}`),
      claims: [],
    };
    const used = new Map<string, Quantity>();
    for (const resource of served.withVerbs('list')) {
      const measure = resource.namespaced ? quotaMeasure(resource) : undefined;
      if (!measure || !names.some((name) => measure.measures(name, view))) continue;
      const objects = measuresMore(resource)
        ? await this.#objectsOf(resource, quota, signal)
        : await this.#countOf(resource, quota, { measure, signal });
      const claims = objects as ResourceV1ResourceClaim[];
      const seen = { nowMs: clock.nowMs(), view: { ...view, claims } };
      // Extended resources are used by pods and by claims.
      for (const [name, amount] of usageOf(quota, measure, objects, seen))
        used.set(name, used.get(name)?.add(amount) ?? amount);
    }
    return Object.fromEntries([...used].map(([name, amount]) => [name, amount.toString()]));
  }

  /** All there is in the quota's namespace, as late as the quota itself. */
  async #objectsOf(
    type: DiscoveredResource,
    { metadata }: ResourceQuota,
    signal: AbortSignal,
  ): Promise<KubeObject[]> {
    const { namespace = '', resourceVersion } = metadata;
    const { pods, services, claims } = this.#context.informers;
    const handle = new Map<string, Pick<InformerHandle<KubeObject>, 'objects' | 'resourceVersion'>>([
      ['/pods', pods],
      ['/services', services],
      ['/persistentvolumeclaims', claims],
    ]).get(`${type.group}/${type.plural}`);
    if (handle && Number(handle.resourceVersion) >= Number(resourceVersion)) {
      return [...handle.objects.values()].filter((object) => object.metadata?.namespace === namespace);
    }
    return (await this.#context.cluster.client.resource(type).list({ namespace, signal })).items;
  }

  /** As many empty objects as there are: nothing else counts of them. */
  async #countOf(
    type: DiscoveredResource,
    quota: ResourceQuota,
    { measure, signal }: { measure: QuotaMeasure; signal: AbortSignal },
  ): Promise<object[]> {
    if (!isInScopes(quota, measure, {})) return [];
    const { namespace = '' } = quota.metadata;
    const page = await this.#context.cluster.client.metadata(type).list({ namespace, limit: 1, signal });
    const remaining = Number(page.metadata?.remainingItemCount ?? 0);
    return Array.from({ length: page.items.length + remaining }, () => ({}));
  }

  #quotasOf(namespace: string | undefined): ResourceQuota[] {
    const quotas = [...this.#context.informers.quotas.objects.values()];
    return quotas.filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** Whether an update leaves less in use, or takes an object out of the quota's scopes or into them. */
  #isFreed(quota: ResourceQuota, measure: QuotaMeasure, previous: KubeObject, object: KubeObject): boolean {
    const nowMs = this.#context.cluster.clock.nowMs();
    const after = measure.usage(object, nowMs);
    const isLess = [...measure.usage(previous, nowMs)].some(([name, amount]) => {
      const left = after.get(name);
      return !left || left.cmp(amount) < 0;
    });
    return isLess || isInScopes(quota, measure, previous) !== isInScopes(quota, measure, object);
  }
}

/** The same amounts, however they are written. */
function isSame(left: Amounts = {}, right: Amounts = {}): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => {
    const [a, b] = [ownValue(left, name), ownValue(right, name)];
    return a !== undefined && b !== undefined && parseQuantity(a).cmp(parseQuantity(b)) === 0;
  });
}

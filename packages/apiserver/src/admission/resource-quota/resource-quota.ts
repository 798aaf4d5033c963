import { deadline } from '@wherry/clock';
import { internalError, type ResourceQuota, type ResourceV1ResourceClaim } from '@wherry/kubeapi';
import { type QuotaMeasure, type QuotaView, quotaMeasure } from '@wherry/podrules';
import { periods } from '../../limits.ts';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { ObjectCache } from '../../objects/object-cache.ts';
import { toStoredText } from '../../objects/stored-text.ts';
import { Turns } from '../../objects/turns.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionRule } from '../admission.ts';
import type { PluginConfiguration } from '../plugin-configurations.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { type Charge, type ChargeMeans, chargesOf, usedWith } from './charges.ts';
import { type LimitedResource, readLimitedResources, requireQuotas } from './limited-resources.ts';

/**
 * Keeps namespaces within their quotas. What an object takes is added to the quota's status in the transaction that stores
 * the object, so that the two never differ, and writes that take of the same quota pass one after the other. What becomes
 * free again the quota's controller works out.
 */
export function resourceQuota(parts: Parts): AdmissionPlugin {
  return new ResourceQuotaPlugin(parts);
}

type Parts = Pick<PluginParts, 'caches' | 'clock' | 'pods'>;

class ResourceQuotaPlugin implements AdmissionPlugin {
  readonly name = 'ResourceQuota';
  readonly handles: readonly AdmissionRule[] = [{ operations: ['CREATE', 'UPDATE'], resources: ['*'] }];
  readonly #quotas: ObjectCache<ResourceQuota>;
  readonly #parts: Parts;
  readonly #clock: PluginParts['clock'];
  readonly #turns = new Turns();
  #limited: readonly LimitedResource[] = [];
  /** Requests that have their turn until they are settled. */
  readonly #inTurn = new WeakSet<AdmissionRequest>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#quotas = parts.caches.resourceQuotas;
    this.#clock = parts.clock;
  }

  configure(given: PluginConfiguration | undefined): void {
    this.#limited = readLimitedResources(given);
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const { namespace, resource, subresource, dryRun } = request;
    const isBound = this.#limited.length > 0 || this.#quotas.inNamespace(namespace).size > 0;
    if (!resource.namespaced || !isBound) return;
    const measure = quotaMeasure(resource);
    if (!measure || !mayTakeMore(measure, request)) return;
    const allowsMore = subresource === 'status';
    const view = await this.#viewFor(request);
    const charges = this.#chargesOf(request, measure, view);
    requireQuotas(this.#limited, request, measure, this.#meansFor(request, view));
    if (charges.length === 0) return;
    if (!dryRun) await this.#takeTurn(request);
    for (const charge of this.#chargesOf(request, measure, view)) {
      const used = usedWith(charge, request, { allowsMore });
      if (!dryRun) this.#store(charge, used, request);
    }
  }

  /** What a claim on devices is measured by, and its pod is not charged for already. */
  async #viewFor({ object, resource, namespace }: AdmissionRequest): Promise<QuotaView | undefined> {
    if (resource.group !== 'resource.k8s.io' || resource.plural !== 'resourceclaims') return undefined;
    const { caches, pods } = this.#parts;
    const owners = as<ResourceV1ResourceClaim>(object!).metadata.ownerReferences ?? [];
    const owner = owners.find(
      ({ controller, kind, apiVersion }) => controller && kind === 'Pod' && apiVersion === 'v1',
    );
    // Nothing is found under what is no name: such a reference is refused elsewhere.
    const pod = owner && (await pods.find(namespace, owner.name).catch(() => undefined));
    return {
      deviceClasses: [...caches.deviceClasses.values()],
      podNamed: (name) => (name === owner?.name ? pod : undefined),
      claims: [...caches.deviceClaims.inNamespace(namespace).values()],
    };
  }

  #chargesOf(request: AdmissionRequest, measure: QuotaMeasure, view: QuotaView | undefined): Charge[] {
    return chargesOf(request, measure, this.#meansFor(request, view));
  }

  #meansFor({ namespace }: AdmissionRequest, view: QuotaView | undefined): ChargeMeans {
    return { quotas: this.#quotas.inNamespace(namespace).values(), nowMs: this.#clock.nowMs(), view };
  }

  async #takeTurn(request: AdmissionRequest): Promise<void> {
    if (this.#inTurn.has(request)) return;
    using waiting = deadline({ clock: this.#clock, timeoutMs: periods.quotaTurnMs });
    try {
      const end = await this.#turns.begin(request.namespace, waiting.signal);
      this.#inTurn.add(request);
      request.onSettled(end);
    } catch (error) {
      throw internalError(new Error('resource quota evaluation timed out', { cause: error }));
    }
  }

  #store({ quota }: Charge, used: Record<string, string>, request: AdmissionRequest): void {
    const { name = '', namespace = '', resourceVersion } = quota.metadata;
    const charged = { ...quota, status: { ...quota.status, used } };
    request.storeAlongside({
      key: this.#quotas.keyOf(`${namespace}/${name}`),
      value: toStoredText(charged as unknown as ApiObject, 'v1'),
      kind: 'ResourceQuota',
      expectedRevision: Number(resourceVersion),
    });
  }
}

function mayTakeMore(measure: QuotaMeasure, request: AdmissionRequest): boolean {
  const { operation, object, previous, subresource } = request;
  if (operation === 'CREATE') return subresource === '';
  return measure.mayUseMore?.(object!, previous!, subresource) === true;
}

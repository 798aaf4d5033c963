import { deadline } from '@wherry/clock';
import { internalError, type ResourceQuota } from '@wherry/kubeapi';
import { type QuotaMeasure, quotaMeasure } from '@wherry/podrules';
import { periods } from '../../limits.ts';
import type { ApiObject } from '../../objects/api-object.ts';
import type { ObjectCache } from '../../objects/object-cache.ts';
import { toStoredText } from '../../objects/stored-text.ts';
import { Turns } from '../../objects/turns.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionRule } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { type Charge, chargesOf, usedWith } from './charges.ts';

/**
 * Keeps namespaces within their quotas. What an object takes is added to the quota's status in the transaction that stores
 * the object, so that the two never differ, and writes that take of the same quota pass one after the other. What becomes
 * free again the quota's controller works out.
 */
export function resourceQuota(parts: Pick<PluginParts, 'caches' | 'clock'>): AdmissionPlugin {
  return new ResourceQuotaPlugin(parts);
}

class ResourceQuotaPlugin implements AdmissionPlugin {
  readonly name = 'ResourceQuota';
  readonly handles: readonly AdmissionRule[] = [{ operations: ['CREATE', 'UPDATE'], resources: ['*'] }];
  readonly #quotas: ObjectCache<ResourceQuota>;
  readonly #clock: PluginParts['clock'];
  readonly #turns = new Turns();
  /** Requests that have their turn until they are settled. */
  readonly #inTurn = new WeakSet<AdmissionRequest>();

  constructor({ caches, clock }: Pick<PluginParts, 'caches' | 'clock'>) {
    this.#quotas = caches.resourceQuotas;
    this.#clock = clock;
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const { namespace, resource, subresource, dryRun } = request;
    if (!resource.namespaced || this.#quotas.inNamespace(namespace).size === 0) return;
    const measure = quotaMeasure(resource);
    if (!measure || !mayTakeMore(measure, request)) return;
    const allowsMore = subresource === 'status';
    if (this.#chargesOf(request, measure).length === 0) return;
    if (!dryRun) await this.#takeTurn(request);
    for (const charge of this.#chargesOf(request, measure)) {
      const used = usedWith(charge, request, { allowsMore });
      if (!dryRun) this.#store(charge, used, request);
    }
  }

  #chargesOf(request: AdmissionRequest, measure: QuotaMeasure): Charge[] {
    const quotas = this.#quotas.inNamespace(request.namespace).values();
    return chargesOf(request, measure, { quotas, nowMs: this.#clock.nowMs() });
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

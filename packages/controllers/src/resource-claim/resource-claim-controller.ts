import { keyOf, kinds } from '@wherry/client';
import type { Pod, ResourceClaimTemplate, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import {
  canBeReserved,
  isReservedFor,
  type PodDeviceClaim,
  podDeviceClaims,
  strangersDeviceClaim,
  usersWith,
} from '@wherry/podrules';
import type { Change, ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { EventRecorder } from '../machinery/events.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';
import { messageOf } from '../ownership/pod-writes.ts';
import { claimFromTemplate, namesTemplate, owningPod, podClaimAnnotation } from './claim-from-template.ts';
import { releaseClaim } from './release-claim.ts';

const watches = {
  pods: { type: kinds.pods },
  claims: { type: kinds.resourceClaims },
  templates: { type: kinds.resourceClaimTemplates },
};

/**
 * Makes claims on devices from the templates that pods name, and takes pods out of claims once they run no more. Keys are
 * `pod:NAMESPACE/NAME` and `claim:NAMESPACE/NAME`.
 */
export const resourceClaimController = defineController({
  name: 'resourceclaim-controller',
  account: 'resource-claim-controller',
  watches,
  writes: ['resourceclaims', 'resourceclaims/status', 'pods/status', 'events'],
  build: (context) => new ResourceClaimController(context),
});

const podKey = (pod: Pod) => `pod:${keyOf(pod)}`;
const claimKey = (key: string) => `claim:${key}`;

class ResourceClaimController implements Reconciler<typeof watches> {
  readonly #context: ControllerContext<typeof watches>;
  readonly #recorder: EventRecorder;
  /** Pods that name claims, by key. */
  readonly #users = new Map<string, Pod>();
  /** Claims that were made and not yet seen, by their pod's uid and the name that it gives them. */
  readonly #made = new Map<string, ResourceV1ResourceClaim>();
  readonly keysOf: Reconciler<typeof watches>['keysOf'];

  constructor(context: ControllerContext<typeof watches>) {
    this.#context = context;
    this.#recorder = new EventRecorder({ ...context.cluster, component: 'resource_claim' });
    this.keysOf = {
      pods: (pod, change) => this.#podChanged(pod, change),
      claims: (claim, change) => this.#claimChanged(claim, change),
      templates: (template, change) => (change === 'deleted' ? [] : this.#waitingFor(template)),
    };
  }

  async reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { claims, pods } = this.#context.informers;
    const at = key.indexOf(':');
    const name = key.slice(at + 1);
    try {
      if (key.startsWith('pod:')) {
        const pod = pods.objects.get(name);
        if (pod && !pod.metadata.deletionTimestamp) await this.#serve(pod, signal);
        return;
      }
      const claim = claims.objects.get(name);
      const { client } = this.#context.cluster;
      if (claim) await releaseClaim(claim, { client, pods: pods.objects, signal });
    } catch (error) {
      // What has changed comes again.
      if (!isLateWrite(error)) throw error;
    }
  }

  #podChanged(pod: Pod, change: Change): string[] {
    const named = podDeviceClaims(pod);
    const { namespace, uid } = pod.metadata;
    const extended = pod.status?.extendedResourceClaimStatus?.resourceClaimName;
    const made = extended === undefined ? [] : [claimKey(`${namespace}/${extended}`)];
    if (named.length === 0) return made;
    if (change === 'deleted') {
      this.#users.delete(keyOf(pod));
      for (const { name } of named) this.#made.delete(`${uid}/${name}`);
    } else this.#users.set(keyOf(pod), pod);
    const claimKeys = named.flatMap(({ claimName }) =>
      claimName ? [claimKey(`${namespace}/${claimName}`)] : [],
    );
    return [podKey(pod), ...claimKeys, ...made];
  }

  #claimChanged(claim: ResourceV1ResourceClaim, change: Change): string[] {
    const { namespace, name, annotations } = claim.metadata;
    const podClaim = annotations?.[podClaimAnnotation];
    if (podClaim !== undefined) this.#made.delete(`${owningPod(claim)?.uid}/${podClaim}`);
    const uses = (pod: Pod) =>
      pod.metadata.namespace === namespace && podDeviceClaims(pod).some((each) => each.claimName === name);
    const users = [...this.#users.values()].filter(uses).map(podKey);
    return change === 'deleted' ? users : [claimKey(keyOf(claim)), ...users];
  }

  #waitingFor(template: ResourceClaimTemplate): string[] {
    return [...this.#users.values()].filter((pod) => namesTemplate(pod, template)).map(podKey);
  }

  /** Makes what the pod's templates stand for, and says so in its status; a pod that has its node already gets its devices. */
  async #serve(pod: Pod, signal: AbortSignal): Promise<void> {
    const made: { name: string; resourceClaimName: string }[] = [];
    for (const named of podDeviceClaims(pod)) {
      try {
        const claim = await this.#ensure(pod, named, signal);
        if (claim) made.push({ name: named.name, resourceClaimName: claim.metadata.name ?? '' });
      } catch (error) {
        const message = `PodResourceClaim ${named.name}: ${messageOf(error)}`;
        this.#recorder.record(pod, { type: 'Warning', reason: 'FailedResourceClaimCreation', message });
        throw error;
      }
    }
    if (made.length > 0) {
      const { name = '', namespace, uid } = pod.metadata;
      const patch = { metadata: { uid }, status: { resourceClaimStatuses: made } };
      await this.#context.cluster.client
        .resource(kinds.pods)
        .patch({ name, namespace, subresource: 'status', type: 'strategic', patch, signal });
    }
    if (pod.spec?.nodeName) await this.#reserveAll(pod, signal);
  }

  /** The claim of a template that the pod's status does not tell of yet. */
  async #ensure(
    pod: Pod,
    named: PodDeviceClaim,
    signal: AbortSignal,
  ): Promise<ResourceV1ResourceClaim | undefined> {
    const { name, claimName, templateName } = named;
    if (templateName === undefined || claimName === null) return undefined;
    const { claims, templates } = this.#context.informers;
    const namespace = pod.metadata.namespace ?? '';
    const known = claimName === undefined ? undefined : claims.objects.get(`${namespace}/${claimName}`);
    if (known && strangersDeviceClaim(pod, known) === undefined) return undefined;
    const key = `${pod.metadata.uid}/${name}`;
    const found =
      this.#made.get(key) ??
      claims
        .controlledBy(pod.metadata.uid)
        .find(({ metadata }) => metadata.annotations?.[podClaimAnnotation] === name);
    if (found) return found;
    const template = templates.objects.get(`${namespace}/${templateName}`);
    if (!template)
      throw new Error(
        `resource claim template "${templateName}": resourceclaimtemplate.resource.k8s.io "${templateName}" not found`,
      );
    const claim = await this.#context.cluster.client
      .resource(kinds.resourceClaims)
      .create(claimFromTemplate(pod, named, template), { signal });
    if (!claims.objects.has(keyOf(claim))) this.#made.set(key, claim);
    return claim;
  }

  /** Enters a pod that came with its node in claims that have their devices. */
  async #reserveAll(pod: Pod, signal: AbortSignal): Promise<void> {
    const { namespace = '' } = pod.metadata;
    for (const { claimName, templateName } of podDeviceClaims(pod)) {
      const claim = claimName && this.#context.informers.claims.objects.get(`${namespace}/${claimName}`);
      if (!claim) continue;
      const strange = templateName === undefined ? undefined : strangersDeviceClaim(pod, claim);
      if (strange !== undefined) throw new Error(strange);
      if (!claim.status?.allocation || isReservedFor(pod, claim) || !canBeReserved(claim)) continue;
      const status = { ...claim.status, reservedFor: usersWith(pod, claim) };
      await this.#context.cluster.client
        .resource(kinds.resourceClaims)
        .update({ ...claim, status }, { subresource: 'status', signal });
    }
  }
}

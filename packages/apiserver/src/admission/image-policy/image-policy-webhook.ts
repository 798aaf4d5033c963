import { type JsonObject, ownValue, type Pod } from '@wherry/kubeapi';
import { askAgain } from '../../asking/ask-again.ts';
import { type KubeconfigWebhook, openKubeconfigWebhook } from '../../asking/kubeconfig-webhook.ts';
import { RememberedAnswers } from '../../asking/remembered-answers.ts';
import { reviewStatus } from '../../asking/review-status.ts';
import { SparseLog } from '../../asking/sparse-log.ts';
import { StrictReader } from '../../documents/strict-reader.ts';
import { limits, periods } from '../../limits.ts';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, type AdmissionRequest, refused } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { type ImagePolicy, readImagePolicy } from './image-policy.ts';

type Parts = Pick<PluginParts, 'clock' | 'logger'>;

/** What a webhook says of images. */
interface Verdict {
  isAllowed: boolean;
  reason: string;
  annotations: readonly (readonly [key: string, value: string])[];
}

const review = { kind: 'ImageReview', apiVersion: 'imagepolicy.k8s.io/v1alpha1' } as const;
const auditPrefix = 'imagepolicywebhook.image-policy.k8s.io/';

/** Asks a webhook whether a pod may run its images. */
export const imagePolicyWebhook = (parts: Parts): AdmissionPlugin => {
  let asker: ImageAsker | undefined;
  return {
    name: 'ImagePolicyWebhook',
    isOffByDefault: true,
    handles: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods', '/pods/ephemeralcontainers'] }],
    configure(given) {
      asker = new ImageAsker(readImagePolicy(given), parts);
    },
    close: () => asker?.close(),
    async validate(request) {
      if (asker) await asker.judge(request);
    },
  };
};

class ImageAsker {
  readonly #policy: ImagePolicy;
  readonly #parts: Parts;
  readonly #webhook: KubeconfigWebhook;
  readonly #answers: RememberedAnswers<Verdict>;
  readonly #log: SparseLog;

  constructor(policy: ImagePolicy, parts: Parts) {
    const { clock } = parts;
    this.#policy = policy;
    this.#parts = parts;
    this.#webhook = openKubeconfigWebhook({
      ...{ file: policy.kubeconfig, clock, timeoutMs: periods.tokenWebhookTimeoutMs },
      bytesMax: limits.reviewAnswerBytesMax,
    });
    this.#answers = new RememberedAnswers(clock, limits.imageReviewsMax);
    this.#log = new SparseLog(parts.logger, clock);
  }

  close(): void {
    this.#webhook.close();
  }

  async judge(request: AdmissionRequest): Promise<void> {
    const verdict = await this.#verdictFor(request);
    for (const [key, value] of verdict?.annotations ?? []) request.annotate(`${auditPrefix}${key}`, value);
    if (!verdict || verdict.isAllowed) return;
    throw refused(
      request,
      verdict.reason === ''
        ? 'one or more images rejected by webhook backend'
        : `image policy webhook backend denied one or more images: ${verdict.reason}`,
    );
  }

  /** Undefined where nobody could be asked, and that does not matter. */
  async #verdictFor(request: AdmissionRequest): Promise<Verdict | undefined> {
    const spec = questionOf(request);
    const askedMs = this.#parts.clock.monotonicMs();
    try {
      return await this.#answers.answer(JSON.stringify(spec), () => this.#ask(spec));
    } catch (error) {
      this.#log.tell('the webhook for images can not be asked', { error });
      if (!this.#policy.allowsUnasked) throw refused(request, (error as Error).message);
      request.annotate(`${auditPrefix}failed-open`, 'true');
      return undefined;
    } finally {
      request.waited(this.#parts.clock.monotonicMs() - askedMs);
    }
  }

  async #ask(spec: object): Promise<{ value: Verdict; lifetimeMs: number }> {
    const { retryMs, allowedMs, deniedMs } = this.#policy;
    const question = JSON.stringify({ ...review, metadata: {}, spec, status: { allowed: false } });
    const { clock } = this.#parts;
    const value = verdictOf(reviewStatus(await askAgain(this.#webhook, question, clock, retryMs), review));
    return { value, lifetimeMs: value.isAllowed ? allowedMs : deniedMs };
  }
}

/** The images, what the pod's annotations say to such webhooks, and where it is to run. */
function questionOf({ object, subresource, namespace }: AdmissionRequest): object {
  const { spec, metadata } = as<Pod>(object!);
  const containers =
    subresource === ''
      ? [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]
      : (spec?.ephemeralContainers ?? []);
  const annotations = Object.entries(metadata?.annotations ?? {}).filter(([key]) =>
    key.includes('.image-policy.k8s.io/'),
  );
  return {
    containers: containers.map(({ image }) => (image ? { image } : {})),
    ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    namespace,
  };
}

function verdictOf(status: JsonObject): Verdict {
  const reader = new StrictReader();
  const told = ownValue(status, 'auditAnnotations') ?? {};
  const annotations = reader.object('status.auditAnnotations', told, Object.keys(told));
  return {
    isAllowed: reader.flag('status.allowed', ownValue(status, 'allowed')) === true,
    reason: reader.text('status.reason', ownValue(status, 'reason')),
    annotations: Object.entries(annotations).map(([key, value]) => [
      key,
      reader.text(`status.auditAnnotations.${key}`, value),
    ]),
  };
}

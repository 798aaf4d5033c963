import {
  type CustomResourceDefinition,
  formatApiVersion,
  fromStatus,
  type JsonValue,
  parseApiVersion,
  type StatusError,
  type WebhookConversion,
} from '@wherry/kubeapi';
import { periods } from '../../limits.ts';
import type { ApiObject } from '../../objects/api-object.ts';
import type { RemoteConversion } from '../../objects/strategy.ts';
import type { WebhookClient } from '../../webhooks/webhook-client.ts';
import type { ConversionFailure, ConversionFigures } from './conversion-figures.ts';
import { conversionQuestion, convertedObjects } from './conversion-review.ts';
import { ConvertedObjectError, checkedObject } from './converted-object.ts';

/** What conversions are made with. */
export interface ConversionParts {
  webhooks: WebhookClient;
  conversionFigures: ConversionFigures;
}

/** Has a definition's webhook turn objects of one version into those of another. */
export class WebhookConverter implements RemoteConversion {
  readonly #client: WebhookClient;
  readonly #webhook: WebhookConversion;
  readonly #versions: ReadonlySet<string>;
  readonly #figures: ConversionFigures;
  readonly #definition: string;

  /** Undefined where a definition's versions differ in nothing but their names. */
  static of(
    { spec, metadata }: CustomResourceDefinition,
    parts: ConversionParts,
  ): WebhookConverter | undefined {
    const { strategy, webhook } = spec.conversion ?? {};
    if (strategy !== 'Webhook' || !webhook?.clientConfig) return undefined;
    const versions = spec.versions.map(({ name }) => formatApiVersion(spec.group, name));
    return new WebhookConverter(parts, { name: metadata.name ?? '', webhook, versions });
  }

  constructor(
    { webhooks, conversionFigures }: ConversionParts,
    { name, webhook, versions }: { name: string; webhook: WebhookConversion; versions: readonly string[] },
  ) {
    this.#client = webhooks;
    this.#figures = conversionFigures;
    this.#definition = name;
    this.#webhook = webhook;
    this.#versions = new Set(versions);
  }

  /**
   * The objects in another version, in their order; what is in that version already is not sent. Throws 500, as upstream
   * words it, when the webhook does not answer with just these objects.
   */
  async convert(objects: readonly ApiObject[], apiVersion: string): Promise<ApiObject[]> {
    const sent = objects.filter((object) => object.apiVersion !== apiVersion && !isEmpty(object));
    if (sent.length === 0) return objects.map((object) => ({ ...object, apiVersion }));
    this.#checkVersions(sent, apiVersion);
    const title = `conversion webhook for ${gvkText(sent[0]!)}`;
    const place = {
      ...{ crd_name: this.#definition, from_version: versionOf(sent[0]?.apiVersion) },
      to_version: versionOf(apiVersion),
    };
    const converted = await this.#figures.timed(place, async (onStep) => {
      const answers = await this.#ask(sent, apiVersion, { title, onStep });
      onStep('conversion_webhook_partial_response_failure');
      if (answers.length !== sent.length)
        throw failure(`${title} returned ${answers.length} objects, expected ${sent.length}`);
      onStep('conversion_webhook_invalid_converted_object_failure');
      return new Map(
        sent.map((object, index) => [object, checked(object, answers[index]!, { apiVersion, title, index })]),
      );
    });
    return objects.map((object) => converted.get(object) ?? { ...object, apiVersion });
  }

  #checkVersions(objects: readonly ApiObject[], apiVersion: string): void {
    const refuse = (way: string, version: string) =>
      failure(`request to convert CR ${way} an invalid group/version: ${version}`);
    if (!this.#versions.has(apiVersion)) throw refuse('to', apiVersion);
    for (const { apiVersion: from = '' } of objects)
      if (!this.#versions.has(from)) throw refuse('from', from);
  }

  async #ask(
    objects: readonly ApiObject[],
    apiVersion: string,
    { title, onStep }: { title: string; onStep: (failure: ConversionFailure) => void },
  ): Promise<readonly JsonValue[]> {
    const { clientConfig, conversionReviewVersions } = this.#webhook;
    try {
      const question = conversionQuestion(objects, apiVersion, conversionReviewVersions);
      const text = await this.#client.call({
        ...{ config: clientConfig!, body: question.body, signal: undefined },
        timeoutMs: periods.conversionMs,
      });
      onStep('conversion_webhook_malformed_response_failure');
      return convertedObjects(text, question);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw failure(`${title} failed: ${why}`);
    }
  }
}

const versionOf = (apiVersion = ''): string => parseApiVersion(apiVersion)?.version ?? '';

/** What is said of no object: what the tracking of fields compares with. */
function isEmpty(object: ApiObject): boolean {
  return Object.keys(object).every((key) => key === 'apiVersion' || key === 'kind');
}

function gvkText({ apiVersion = '', kind = '' }: ApiObject): string {
  const { group = '', version = '' } = parseApiVersion(apiVersion) ?? {};
  return `${formatApiVersion(group, version)}, Kind=${kind}`;
}

function checked(
  object: ApiObject,
  answer: JsonValue,
  { apiVersion, title, index }: { apiVersion: string; title: string; index: number },
): ApiObject {
  try {
    return checkedObject(object, answer, apiVersion);
  } catch (error) {
    if (!(error instanceof ConvertedObjectError)) throw error;
    const what = error.what === 'metadata' ? 'metadata in object' : 'converted object';
    throw failure(`${title} returned invalid ${what} at index ${index}: ${error.message}`);
  }
}

/** As upstream answers: no reason is given. */
function failure(message: string): StatusError {
  return fromStatus({ metadata: {}, code: 500, reason: '', message });
}

import {
  type LabelMatcher,
  type MutatingWebhook,
  type MutatingWebhookConfiguration,
  matcherFrom,
  type ValidatingWebhook,
  type ValidatingWebhookConfiguration,
} from '@wherry/kubeapi';
import type { ObjectCache } from '../../objects/object-cache.ts';

type Webhook = ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>;

/** A webhook of a configuration, ready to be matched. */
export interface Hook {
  /** Tells it from every other one. */
  id: string;
  configuration: string;
  webhook: Webhook;
  namespaces: LabelMatcher;
  objects: LabelMatcher;
}

type Configuration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;

/** The webhooks of all configurations: those by name, and each one's in its own order. */
export class Hooks {
  readonly #configurations: ObjectCache<Configuration>;
  #generation = -1;
  #hooks: readonly Hook[] = [];

  constructor(configurations: ObjectCache<Configuration>) {
    this.#configurations = configurations;
  }

  /** As the last acknowledged write has left them. */
  list(): readonly Hook[] {
    const { generation } = this.#configurations;
    if (generation === this.#generation) return this.#hooks;
    const sorted = [...this.#configurations.values()].sort((left, right) =>
      nameOf(left) < nameOf(right) ? -1 : 1,
    );
    this.#hooks = sorted.flatMap((configuration) =>
      (configuration.webhooks ?? []).map((webhook) => hookOf(nameOf(configuration), webhook)),
    );
    this.#generation = generation;
    return this.#hooks;
  }
}

function nameOf({ metadata }: Configuration): string {
  return metadata.name ?? '';
}

function hookOf(configuration: string, webhook: Webhook): Hook {
  return {
    ...{ id: `${configuration}/${webhook.name}`, configuration, webhook },
    namespaces: matcherFrom(webhook.namespaceSelector ?? {}),
    objects: matcherFrom(webhook.objectSelector ?? {}),
  };
}

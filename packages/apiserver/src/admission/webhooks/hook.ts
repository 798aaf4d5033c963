import {
  type LabelMatcher,
  type MutatingWebhook,
  type MutatingWebhookConfiguration,
  matcherFrom,
  type PolicyExpression,
  PolicyExpressions,
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
  /** In CEL; all of them have to hold. Absent: there are none. */
  conditions?: { expressions: PolicyExpressions; compiled: readonly PolicyExpression[] } | undefined;
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

  /** True when nobody is asked about anything. */
  get isEmpty(): boolean {
    for (const _configuration of this.#configurations.values()) return false;
    return true;
  }

  /** As the last acknowledged write has left them. Needs `loadPatternEngine` where any has conditions. */
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
    conditions: conditionsOf(webhook),
  };
}

function conditionsOf({ matchConditions = [] }: Webhook): Hook['conditions'] {
  if (matchConditions.length === 0) return undefined;
  const expressions = new PolicyExpressions({ hasParams: false });
  return {
    expressions,
    compiled: matchConditions.map(({ expression }) => expressions.compile(expression, 'bool')),
  };
}

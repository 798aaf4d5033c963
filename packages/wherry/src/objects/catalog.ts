import { type DiscoveredResource, discoverResources, type KubeClient, type KubeObject } from '@wherry/client';
import { CommandError } from '../errors.ts';
import { warningPrinter } from '../kube/warnings.ts';

/** What a server serves, found by the names that people give it. */
export class Catalog {
  readonly resources: readonly DiscoveredResource[];
  readonly #warn: (text: string) => void;

  /** `warn` is told of words that mean several resources, each time. */
  constructor(resources: readonly DiscoveredResource[], warn: (text: string) => void = () => {}) {
    this.resources = resources;
    this.#warn = warn;
  }

  /** The catalog of the server that `client` talks to. */
  static async of(client: KubeClient, signal?: AbortSignal): Promise<Catalog> {
    const { resources } = await discoverResources(client, signal);
    return new Catalog(resources, warningPrinter({ areErrors: false }));
  }

  /**
   * The resources that a word means: `pods`, `pod`, `po`, `Pod`, `deployments.apps`, `deployments.v1.apps`, or a category such
   * as `all`. Throws `CommandError` for a word that means nothing here.
   */
  named(word: string): DiscoveredResource[] {
    const wanted = word.toLowerCase();
    const ofCategory = this.resources.filter(({ categories }) => categories.includes(wanted));
    if (ofCategory.length > 0) return preferred(ofCategory);
    const found = this.find(word);
    if (found) return [found];
    throw new CommandError(
      `the server doesn't have a resource type "${word}"; "wherry api-resources" lists what it has`,
    );
  }

  /** The resource that a word names, such as `deployments.apps`; undefined for none. A whole name goes before a short one. */
  find(word: string): DiscoveredResource | undefined {
    const [name = '', ...rest] = word.toLowerCase().split('.');
    const qualifier = rest.join('.');
    const within = this.#within(qualifier);
    const whole = within.find((resource) => namesOf(resource).includes(name));
    return whole ?? this.#shortened(name, within);
  }

  /** Those of a group, also by the beginning of its name where there is no such group. */
  #within(qualifier: string): readonly DiscoveredResource[] {
    if (qualifier === '') return this.resources;
    const exact = this.resources.filter(({ group, version }) =>
      [group, `${version}.${group}`].includes(qualifier),
    );
    return exact.length > 0 ? exact : this.resources.filter(({ group }) => group.startsWith(qualifier));
  }

  #shortened(name: string, within: readonly DiscoveredResource[]): DiscoveredResource | undefined {
    const [first, ...others] = preferred(within.filter(({ shortNames }) => shortNames.includes(name)));
    for (const { plural, group } of others) {
      const other = group === '' ? plural : `${plural}.${group}`;
      this.#warn(`short name ${JSON.stringify(name)} could also match lower priority resource ${other}`);
    }
    return first;
  }

  /** The resources of every group and version whose names are this one; a short name is that of the first group alone. */
  ofType(word: string): DiscoveredResource[] {
    const name = word.toLowerCase();
    const [shortened] = this.resources.filter(({ shortNames }) => shortNames.includes(name));
    return this.resources.filter(({ plural, singular, group }) =>
      shortened
        ? plural === shortened.plural && group === shortened.group
        : [plural, singular].includes(name),
    );
  }

  /** The one resource that a word means. Throws `CommandError` for none, and for a category. */
  one(word: string): DiscoveredResource {
    const [first, ...more] = this.named(word);
    if (first && more.length === 0) return first;
    throw new CommandError(`"${word}" means several resource types; name one of them`);
  }

  /** The resource of an object. Throws `CommandError` where the server does not have its kind. */
  ofObject({ apiVersion, kind }: { apiVersion: string; kind: string }): DiscoveredResource {
    const found = this.resources.find((one) => one.kind === kind && groupVersionOf(one) === apiVersion);
    if (found) return found;
    throw new CommandError(
      `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}: a wrong apiVersion or kind, or a custom resource whose definition is not there`,
    );
  }
}

const namesOf = ({ plural, singular, kind }: DiscoveredResource): string[] => [
  plural,
  singular,
  kind.toLowerCase(),
];

/** Of each resource the version that the server names first. */
export function preferred(resources: readonly DiscoveredResource[]): DiscoveredResource[] {
  const seen = new Map(
    [...resources].reverse().map((resource) => [`${resource.plural}.${resource.group}`, resource]),
  );
  return [...seen.values()].reverse();
}

/** `v1`, `apps/v1`. */
export const groupVersionOf = ({ group, version }: Pick<DiscoveredResource, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** An item of a list, which carries no type of its own, with its type. */
export const withType = <T extends KubeObject>(
  resource: Pick<DiscoveredResource, 'group' | 'version' | 'kind'>,
  item: T,
): T => ({
  ...{ apiVersion: groupVersionOf(resource), kind: resource.kind },
  ...item,
});

/** How a resource is named in front of an object: `pod`, `deployment.apps`. */
export const typeName = ({ kind, group }: Pick<DiscoveredResource, 'kind' | 'group'>): string =>
  `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}`;

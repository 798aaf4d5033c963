import { type DiscoveredResource, discoverResources, type KubeClient, type KubeObject } from '@wherry/client';
import { CommandError } from '../errors.ts';

/** What a server serves, found by the names that people give it. */
export class Catalog {
  readonly resources: readonly DiscoveredResource[];

  constructor(resources: readonly DiscoveredResource[]) {
    this.resources = resources;
  }

  /** The catalog of the server that `client` talks to. */
  static async of(client: KubeClient, signal?: AbortSignal): Promise<Catalog> {
    return new Catalog((await discoverResources(client, signal)).resources);
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

  /** The resource that a word names, such as `deployments.apps`; undefined for none. */
  find(word: string): DiscoveredResource | undefined {
    const [name = '', ...rest] = word.toLowerCase().split('.');
    const qualifier = rest.join('.');
    return this.resources.find(
      (resource) =>
        namesOf(resource).includes(name) &&
        ['', resource.group, `${resource.version}.${resource.group}`].includes(qualifier),
    );
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
      `the server has no ${kind} in ${apiVersion}: a wrong apiVersion or kind, or a custom resource whose definition is not there`,
    );
  }
}

const namesOf = ({ plural, singular, kind, shortNames }: DiscoveredResource): string[] => [
  plural,
  singular,
  kind.toLowerCase(),
  ...shortNames,
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

/** Which kinds and namespaces an apply set holds, as its parent's annotations say it. */
import type { DiscoveredResource, KubeObject } from '@wherry/client';
import { CommandError } from '../../../errors.ts';
import type { Catalog } from '../../../objects/catalog.ts';
import { keys, type Parent, shown } from './parent.ts';

/** Kinds as `Deployment.apps`, and namespaces. */
export interface Contents {
  kinds: Set<string>;
  namespaces: Set<string>;
}

/** A kind with its group, as Go writes it. */
export const groupKind = (group: string, kind: string): string => (group === '' ? kind : `${kind}.${group}`);

const words = (text: string): string[] => (text === '' ? [] : text.split(','));

/** What a parent says that its set holds. Throws `CommandError` where it does not say, and for kinds that the server does not have. */
export function readContents(parent: Parent, object: KubeObject, catalog: Catalog): Contents {
  const annotations = object.metadata?.annotations ?? {};
  const namespaces = new Set(words(annotations[keys.namespaces] ?? ''));
  if (parent.namespace !== undefined) namespaces.add(parent.namespace);
  try {
    const contents = { kinds: new Set(kindsOf(annotations, catalog)), namespaces };
    resourcesOf(contents, catalog);
    return contents;
  } catch (error) {
    throw new CommandError(`parsing ApplySet annotation on "${shown(parent)}": ${(error as Error).message}`);
  }
}

function kindsOf(annotations: Readonly<Record<string, string>>, catalog: Catalog): string[] {
  const kinds = annotations[keys.kinds];
  if (kinds !== undefined) return words(kinds);
  const resources = words(annotations[keys.resources] ?? '');
  if (resources.length === 0) {
    throw new CommandError(
      `wherry requires the "${keys.kinds}" annotation to be set on all ApplySet parent objects`,
    );
  }
  return resources.map((word) => {
    const found = catalog.find(word);
    if (found) return groupKind(found.group, found.kind);
    const [plural, ...group] = word.split('.');
    throw new CommandError(
      `invalid group resource in "${keys.resources}" annotation: no matches for ${group.join('.')}/, Resource=${plural}`,
    );
  });
}

/** The resources of kinds, each in the version that the server names first. Throws `CommandError` for one that it does not have. */
export const resourcesOf = ({ kinds }: Contents, catalog: Catalog): DiscoveredResource[] =>
  [...kinds].map((word) => {
    const found = catalog.resources.find(({ group, kind }) => groupKind(group, kind) === word);
    if (found) return found;
    const why = `no matches for kind "${word.split('.')[0]}" in group "${word.split('.').slice(1).join('.')}"`;
    throw new CommandError(`could not find mapping for kind in "${keys.kinds}" annotation: ${why}`);
  });

/** What is in either. */
export const union = (one: Contents, other: Contents): Contents => ({
  kinds: new Set([...one.kinds, ...other.kinds]),
  namespaces: new Set([...one.namespaces, ...other.namespaces]),
});

/** Annotations that say it. */
export const contentsAnnotations = ({ kinds, namespaces }: Contents, { namespace }: Parent) => ({
  [keys.kinds]: [...kinds].sort().join(','),
  [keys.namespaces]: [...namespaces]
    .filter((name) => name !== namespace)
    .sort()
    .join(','),
});

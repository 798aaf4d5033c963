import type { DiscoveredResource } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import type { Catalog } from '../../objects/catalog.ts';
import { relaxedPath } from '../../output/jsonpath/relaxed-path.ts';

/** What somebody wants explained: a type, and the fields on the way to one of it. */
export interface FieldWish {
  resource: DiscoveredResource;
  path: string[];
}

/**
 * Reads `deployments`, `deploy.spec.replicas`, `deployments.apps.spec`. Of a type that several groups have, the group may follow its
 * plural, unless the version is told apart (`isVersionTold`): then all behind the type are fields. Throws `CommandError` for what is
 * no such path, and for types that the server does not have.
 */
export function readWish(word: string, catalog: Catalog, isVersionTold: boolean): FieldWish {
  const [type = '', ...path] = fieldsOf(word);
  // A resource may have no name for one of its objects.
  const resources = type === '' ? [] : catalog.ofType(type);
  const [first] = resources;
  if (!first) throw new CommandError(`the server doesn't have a resource type ${JSON.stringify(type)}`);
  const qualified = isVersionTold ? undefined : resources.find((one) => word.startsWith(nameOf(one)));
  if (!qualified) return { resource: first, path };
  const rest = word.slice(nameOf(qualified).length);
  return { resource: qualified, path: rest === '' ? [] : fieldsOf(rest) };
}

const nameOf = ({ plural, group }: DiscoveredResource): string =>
  `${plural}${group === '' ? '' : `.${group}`}`;

function fieldsOf(text: string): string[] {
  const path = text.replace(/\.$/, '');
  if (path === '') return [];
  return (relaxedPath(path)[0] ?? []).map((node) => {
    if (node.kind === 'field') return node.name;
    throw new CommandError('invalid jsonpath syntax, first node must be field node');
  });
}

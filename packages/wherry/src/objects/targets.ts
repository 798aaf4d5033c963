import type { DiscoveredResource } from '@wherry/client';
import { CommandError } from '../errors.ts';
import type { Catalog } from './catalog.ts';

/** An object that is meant by its name, there or not. */
export interface NamedObject {
  resource: DiscoveredResource;
  name: string;
  /** Undefined for an object of the whole cluster. */
  namespace: string | undefined;
}

/** Objects that words of a command line mean: those of a resource by their names, or all of it. */
export interface Target {
  resource: DiscoveredResource;
  /** Empty for all that the selectors leave. */
  names: string[];
  /** The namespaces of the names, where a file says them. */
  namespaces?: (string | undefined)[];
}

/**
 * Reads `TYPE`, `TYPE,TYPE`, `TYPE NAME...` and `TYPE/NAME...`; names of one type that follow each other are one target. Throws `CommandError` for a mixture of the two, and for types
 * that are not there.
 */
export function parseTargets(words: readonly string[], catalog: Catalog): Target[] {
  const [types = '', ...names] = words;
  if (!words.some((word) => word.includes('/'))) {
    const resources = types.split(',').flatMap((type) => catalog.named(type));
    return resources.map((resource) => ({ resource, names }));
  }
  const targets: Target[] = [];
  for (const word of words) {
    if (!word.includes('/')) {
      throw new CommandError(
        "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'wherry get resource/<resource_name>' instead of 'wherry get resource resource/<resource_name>'",
      );
    }
    const { type, name } = splitName(word);
    const resource = catalog.one(type);
    const last = targets.at(-1);
    if (last?.resource === resource) last.names.push(name);
    else targets.push({ resource, names: [name] });
  }
  return targets;
}

/** Reads `NAME`, which means one of `type`, and `TYPE/NAME`. Throws `CommandError`, also for types that are not there. */
export function parseNames(
  words: readonly string[],
  { type, catalog }: { type: DiscoveredResource; catalog: Catalog },
): Omit<NamedObject, 'namespace'>[] {
  return words.map((word) => {
    if (!word.includes('/')) return { resource: type, name: word };
    const named = splitName(word);
    return { resource: catalog.one(named.type), name: named.name };
  });
}

function splitName(word: string): { type: string; name: string } {
  const [type = '', name = '', ...more] = word.split('/');
  if (more.length > 0)
    throw new CommandError('arguments in resource/name form may not have more than one slash');
  if (type === '' || name === '' || type.includes(','))
    throw new CommandError('arguments in resource/name form must have a single resource and name');
  return { type, name };
}

/** The objects of files as targets; those of one type that follow each other are one. */
export function targetsOf(objects: readonly NamedObject[]): Target[] {
  const targets: Target[] = [];
  for (const { resource, name, namespace } of objects) {
    const last = targets.at(-1);
    if (last?.resource !== resource) targets.push({ resource, names: [name], namespaces: [namespace] });
    else {
      last.names.push(name);
      last.namespaces?.push(namespace);
    }
  }
  return targets;
}

import { goYaml, isJsonObject } from '@wherry/kubeapi/objects';
import { type Document, parseAllDocuments } from 'yaml';
import { ClientError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { KubeObject } from '../objects/objects.ts';

/**
 * The objects of a YAML or JSON text, in its order: several documents parted by `---`, lists as their items, empty
 * documents left out. Read as kubectl reads it (YAML 1.1 as Go's library has it). Throws `ClientError` `bad-argument`.
 */
export function parseManifests(text: string): KubeObject[] {
  if (text.length > limits.manifestCharactersMax) {
    throw new ClientError(
      'bad-argument',
      `the manifests are longer than ${limits.manifestCharactersMax} characters`,
    );
  }
  const documents = parseAllDocuments(text, {
    ...goYaml,
    logLevel: 'silent',
    // As for Go's library, the last of two keys of one name counts.
    uniqueKeys: false,
  });
  return (Array.isArray(documents) ? documents : []).flatMap((document, at) =>
    objectsOf(contentOf(document, at), at),
  );
}

function contentOf(document: Document.Parsed, at: number): unknown {
  const [error] = document.errors;
  if (error) throw malformed(at, error.message, error);
  try {
    return document.toJS();
  } catch (error) {
    throw malformed(at, (error as Error).message, error);
  }
}

function objectsOf(value: unknown, at: number): KubeObject[] {
  if (value === null || value === undefined) return [];
  if (!isJsonObject(value)) throw malformed(at, 'it is not an object');
  return flattened(value as KubeObject, at);
}

function flattened(object: KubeObject, at: number): KubeObject[] {
  const { apiVersion, kind, items } = object as KubeObject & { items?: unknown };
  if (!apiVersion || !kind) throw malformed(at, `it says no ${apiVersion ? 'kind' : 'apiVersion'}`);
  if (!kind.endsWith('List') || !Array.isArray(items)) return [object];
  return items.flatMap((item) => objectsOf(item, at));
}

function malformed(at: number, what: string, cause?: unknown): ClientError {
  return new ClientError('bad-argument', `document ${at + 1} can't be applied: ${what}`, { cause });
}

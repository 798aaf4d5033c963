import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubeObject } from '@wherry/client';
import { parseAllDocuments } from 'yaml';
import { TestingError } from '../errors.ts';

/** An object with its kind: of a type, or written down with whatever fields it has. */
export type ManifestObject =
  | KubeObject
  | { apiVersion: string; kind: string; metadata: KubeObject['metadata']; [field: string]: unknown };

/** An object, a list of them, YAML or JSON text, or the path of a file or of a folder of files. */
export type Manifest = ManifestObject | readonly ManifestObject[] | string | URL;

const manifestEndings = new Set(['.yaml', '.yml', '.json']);

/** The objects of a manifest, in its order. Throws `TestingError` `bad-argument`. */
export function objectsOf(manifest: Manifest): KubeObject[] {
  if (manifest instanceof URL) return readManifests(fileURLToPath(manifest));
  if (typeof manifest !== 'string') return [manifest].flat().map((object) => checked(object, 'the object'));
  return /[\n{]|:\s/.test(manifest) ? parse(manifest, 'the text') : readManifests(manifest);
}

/** A file, or all manifests of a folder in the order of their names. */
function readManifests(path: string): KubeObject[] {
  try {
    if (!statSync(path).isDirectory()) return parse(readFileSync(path, 'utf8'), `"${path}"`);
  } catch (error) {
    if (error instanceof TestingError) throw error;
    throw new TestingError('bad-argument', `manifest "${path}": ${(error as Error).message}`, {
      cause: error,
    });
  }
  const names = readdirSync(path).filter((name) => manifestEndings.has(extname(name)));
  if (names.length === 0)
    throw new TestingError('bad-argument', `"${path}" has no .yaml, .yml or .json in it`);
  return names.sort().flatMap((name) => readManifests(join(path, name)));
}

function parse(text: string, source: string): KubeObject[] {
  const documents = parseAllDocuments(text, { version: '1.1' });
  const list = Array.isArray(documents) ? documents : [];
  return list.flatMap((document) => {
    const [error] = document.errors;
    if (error) throw new TestingError('bad-argument', `${source}: ${error.message}`, { cause: error });
    const value: unknown = document.toJS();
    if (value === null || value === undefined) return [];
    const { kind, items } = value as { kind?: unknown; items?: unknown };
    const isList = typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);
    return (isList ? items : [value]).map((object) => checked(object, source));
  });
}

function checked(value: unknown, source: string): KubeObject {
  const { apiVersion, kind, metadata } = (value ?? {}) as KubeObject;
  const missing = Object.entries({ apiVersion, kind, 'metadata.name': metadata?.name })
    .filter(([, found]) => typeof found !== 'string' || found === '')
    .map(([field]) => field);
  if (missing.length === 0) return value as KubeObject;
  throw new TestingError('bad-argument', `${source}: an object has no ${missing.join(', ')}`);
}

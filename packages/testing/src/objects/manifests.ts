import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { ClientError, type KubeObject, parseManifests } from '@wherry/client';
import { isJsonObject } from '@wherry/kubeapi';
import { TestingError } from '../errors.ts';

/** An object with its kind: of a type, or written down with whatever fields it has. */
export type ManifestObject =
  | KubeObject
  | { apiVersion: string; kind: string; metadata: KubeObject['metadata']; [field: string]: unknown };

/** An object, a list of them, YAML or JSON text, or the path of a file or of a folder of files. */
export type Manifest = ManifestObject | readonly ManifestObject[] | string | URL;

const manifestEndings = new Set(['.yaml', '.yml', '.json']);

/** The objects of a manifest, in its order. Throws `TestingError` `bad-argument`, also for a file or text that has none. */
export function objectsOf(manifest: Manifest): KubeObject[] {
  if (typeof manifest !== 'string' && !(manifest instanceof URL)) return [manifest].flat().map(requireObject);
  const objects = manifest instanceof URL ? readManifests(fileURLToPath(manifest)) : objectsOfText(manifest);
  const shown = () => inspect(String(manifest), { maxStringLength: 100 });
  if (objects.length === 0) throw new TestingError('bad-argument', `the manifest ${shown()} has no objects`);
  return objects;
}

function objectsOfText(text: string): KubeObject[] {
  if (text.trim() === '') {
    const wanted = 'give an object, a list, YAML or JSON text, or the path of a file or folder';
    throw new TestingError('bad-argument', `the manifest is an empty text; ${wanted}`);
  }
  // A path has no line breaks, braces or "key: value" in it.
  return /[\n{]|:\s/.test(text) ? parse(text, 'the text') : readManifests(text);
}

function requireObject(object: unknown): KubeObject {
  const { apiVersion, kind } = isJsonObject(object) ? object : {};
  if (typeof apiVersion === 'string' && typeof kind === 'string') return object as KubeObject;
  const message = `the manifest is or has ${inspect(object, { depth: 0 })}, which is no object with apiVersion and kind`;
  throw new TestingError('bad-argument', message);
}

/** A file, or all manifests of a folder in the order of their names. */
function readManifests(path: string): KubeObject[] {
  const text = textOf(path);
  if (text !== undefined) return parse(text, `"${path}"`);
  const names = readdirSync(path).filter((name) => manifestEndings.has(extname(name)));
  if (names.length === 0)
    throw new TestingError('bad-argument', `"${path}" has no .yaml, .yml or .json in it`);
  return names.sort().flatMap((name) => readManifests(join(path, name)));
}

/** What a file says; undefined for a folder. */
function textOf(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : readFileSync(path, 'utf8');
  } catch (error) {
    throw new TestingError('bad-argument', `manifest "${path}": ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function parse(text: string, source: string): KubeObject[] {
  try {
    return parseManifests(text);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new TestingError('bad-argument', `${source}: ${error.message}`, { cause: error });
  }
}

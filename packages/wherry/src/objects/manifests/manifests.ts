import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deadline, systemClock } from '@wherry/clock';
import { goYaml } from '@wherry/kubeapi';
import { LineCounter, parseAllDocuments } from 'yaml';
import { CommandError } from '../../errors.ts';
import { warnLine } from '../../kube/warnings.ts';
import { limits } from '../../limits.ts';
import { readStandardInput } from '../../system/standard-input.ts';
import { objectsApart, type TextPart } from './json-stream.ts';
import { builtSource, isKustomization } from './kustomization.ts';

/** An object as a file has it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name?: string; generateName?: string; namespace?: string };
}

/** Where a manifest stands. */
export interface FoundManifest {
  object: Manifest;
  /** `pod.yaml:12`, where its document begins. */
  place: string;
  /** The file or URL alone; `STDIN`. */
  source: string;
}

/**
 * The objects of files, folders, URLs, standard input (`-`) and one kustomization, in their order; lists are taken apart. Throws
 * `CommandError` with file and line for what is no object, and for no object at all unless `mayBeNone`.
 */
export async function readManifests(
  sources: readonly string[],
  { isRecursive = false, mayBeNone = false }: { isRecursive?: boolean; mayBeNone?: boolean } = {},
): Promise<FoundManifest[]> {
  const found: FoundManifest[] = [];
  if (sources.some(isKustomization)) {
    if (isRecursive) throw new CommandError("the -k flag can't be used with -f or -R");
    if (sources.length > 1) throw new CommandError('only one of -f or -k can be specified');
  }
  for (const source of sources) {
    for (const { name, text } of await readSource(source, isRecursive))
      found.push(...parseManifests(text, name));
  }
  if (found.length === 0 && !mayBeNone)
    throw new CommandError(`no objects in ${sources.map((name) => `"${name}"`).join(', ')}`);
  return found;
}

/** The objects of one text of YAML, or of JSON objects one behind the other. Of a key that is there twice the last counts, with a warning. */
export const parseManifests = (text: string, name: string): FoundManifest[] =>
  objectsApart(text).flatMap((part) => parsePart(part, name));

function parsePart({ text, firstLine }: TextPart, name: string): FoundManifest[] {
  const lineCounter = new LineCounter();
  return parseAllDocuments(text, { ...goYaml, lineCounter, logLevel: 'silent' }).flatMap((document) => {
    const lineOf = (offset: number) => firstLine + lineCounter.linePos(offset).line;
    const isTwice = ({ code }: { code: string }) => code === 'DUPLICATE_KEY';
    const problem = document.errors.find((error) => !isTwice(error));
    if (problem) {
      const [first = ''] = problem.message.split(/ at line |:?\n/);
      throw new CommandError(`${name}:${lineOf(problem.pos[0])}: ${first}`);
    }
    for (const { pos } of document.errors)
      warnLine(`${name}:${lineOf(pos[0])}: a key is there twice; the last one counts`);
    const value: unknown = document.toJS();
    if (value === null || value === undefined) return [];
    const place = `${name}:${lineOf(document.contents?.range?.[0] ?? 0)}`;
    return objectsOf(value, place).map((object) => ({ object, place, source: name }));
  });
}

function objectsOf(value: unknown, place: string): Manifest[] {
  const { apiVersion, kind, metadata, items } = (typeof value === 'object' ? value : {}) as Record<
    string,
    unknown
  >;
  const nameOf = (field: string, content: unknown): string => {
    if (typeof content === 'string' && content !== '') return content;
    throw new CommandError(`${place}: ${field} is not set; every object has apiVersion, kind and metadata`);
  };
  nameOf('apiVersion', apiVersion);
  const kindName = nameOf('kind', kind);
  if (kindName === 'List' || (kindName.endsWith('List') && Array.isArray(items))) {
    return (Array.isArray(items) ? items : []).flatMap((item: unknown) => objectsOf(item, place));
  }
  // What is asked by being made has no name, nor anything else there.
  if (metadata === undefined && kindName.endsWith('Review'))
    return [{ ...(value as Manifest), metadata: {} }];
  if (typeof metadata !== 'object' || metadata === null) {
    throw new CommandError(`${place}: ${kindName} has no metadata; metadata.name is the least`);
  }
  return [value as Manifest];
}

interface Source {
  name: string;
  text: string;
}

async function readSource(source: string, isRecursive: boolean): Promise<Source[]> {
  if (source === '-') return [{ name: 'STDIN', text: (await readStandardInput()).toString('utf8') }];
  if (isKustomization(source)) return [await builtSource(source)];
  if (/^https?:\/\//.test(source)) return [{ name: source, text: await download(source) }];
  const kind = statSync(source, { throwIfNoEntry: false });
  if (!kind) throw new CommandError(`the path "${source}" does not exist`);
  if (!kind.isDirectory()) return [{ name: source, text: readFileSync(source, 'utf8') }];
  return filesIn(source, isRecursive).map((name) => ({ name, text: readFileSync(name, 'utf8') }));
}

function filesIn(folder: string, isRecursive: boolean): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isRecursive ? filesIn(path, isRecursive) : [];
    return /\.(ya?ml|json)$/.test(entry.name) ? [path] : [];
  });
}

async function download(url: string): Promise<string> {
  using limit = deadline({ clock: systemClock, timeoutMs: limits.manifestDownloadTimeoutMs });
  const answer = await fetch(url, { signal: limit.signal }).catch((error: Error) => {
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    throw new CommandError(`reading ${url}: ${cause}`, { cause: error });
  });
  if (!answer.ok)
    throw new CommandError(`reading ${url}: the server answered ${answer.status} ${answer.statusText}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limits.manifestBytesMax) {
      throw new CommandError(`reading ${url}: longer than ${limits.manifestBytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { goYaml } from '@wherry/kubeapi';
import { LineCounter, parseAllDocuments } from 'yaml';
import { CommandError } from '../../errors.ts';
import { warnLine } from '../../kube/warnings.ts';
import type { Failures } from '../../output/failures.ts';
import { readStandardInput } from '../../system/standard-input.ts';
import { download } from './download.ts';
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

/** How {@link readManifests} reads. */
export interface ReadOptions {
  isRecursive?: boolean;
  mayBeNone?: boolean;
  /** Are told of what is no object beside those that are some. Default: it is thrown. */
  failures?: Pick<Failures, 'add'> | undefined;
}

/**
 * The objects of files, folders, URLs, standard input (`-`) and one kustomization, in their order; lists are taken apart. Throws
 * `CommandError` for a path that is not there, and for no object at all unless `mayBeNone`; what is no object is told of with file and line.
 */
export async function readManifests(
  sources: readonly string[],
  { isRecursive = false, mayBeNone = false, failures }: ReadOptions = {},
): Promise<FoundManifest[]> {
  const found: FoundManifest[] = [];
  const problems: CommandError[] = [];
  const fail: Fail = failures ? (problem) => problems.push(problem) : thrown;
  if (sources.some(isKustomization)) {
    if (isRecursive) throw new CommandError("the -k flag can't be used with -f or -R");
    if (sources.length > 1) throw new CommandError('only one of -f or -k can be specified');
  }
  for (const source of sources) {
    for (const { name, text } of await readSource(source, { isRecursive, fail }))
      found.push(...parseManifests(text, name, fail));
  }
  // Without anything to do, no server need be asked.
  if (found.length === 0 && problems.length > 0)
    throw new CommandError(problems.map(({ message }) => message).join('\n'));
  for (const problem of problems) failures?.add(problem);
  if (found.length === 0 && !mayBeNone)
    throw new CommandError(`no objects in ${sources.map((name) => `"${name}"`).join(', ')}`);
  return found;
}

/** Is told what is no object. */
type Fail = (problem: CommandError) => unknown;

const thrown: Fail = (problem) => {
  throw problem;
};

/**
 * The objects of one text of YAML, or of JSON objects one behind the other. Of a key that is there twice the last counts, with a warning.
 * What can't be read as YAML ends the text, and what is no object is left out, once `fail` is told.
 */
export const parseManifests = (text: string, name: string, fail: Fail = thrown): FoundManifest[] =>
  objectsApart(text).flatMap((part) => parsePart(part, name, fail));

function parsePart({ text, firstLine }: TextPart, name: string, fail: Fail): FoundManifest[] {
  const lineCounter = new LineCounter();
  const lineOf = (offset: number) => firstLine + lineCounter.linePos(offset).line;
  const isTwice = ({ code }: { code: string }) => code === 'DUPLICATE_KEY';
  const found: FoundManifest[] = [];
  for (const document of parseAllDocuments(text, { ...goYaml, lineCounter, logLevel: 'silent' })) {
    const problem = document.errors.find((error) => !isTwice(error));
    if (problem) {
      const [first = ''] = problem.message.split(/ at line |:?\n/);
      fail(new CommandError(`${name}:${lineOf(problem.pos[0])}: ${first}`));
      return found;
    }
    for (const { pos } of document.errors)
      warnLine(`${name}:${lineOf(pos[0])}: a key is there twice; the last one counts`);
    const value: unknown = document.toJS();
    if (value === null || value === undefined) continue;
    const place = `${name}:${lineOf(document.contents?.range?.[0] ?? 0)}`;
    found.push(...objectsOf(value, place, fail).map((object) => ({ object, place, source: name })));
  }
  return found;
}

function objectsOf(value: unknown, place: string, fail: Fail): Manifest[] {
  const { apiVersion, kind, metadata, items } = (typeof value === 'object' ? value : {}) as Record<
    string,
    unknown
  >;
  const isName = (content: unknown): content is string => typeof content === 'string' && content !== '';
  if (!isName(kind) || !isName(apiVersion)) {
    const field = isName(kind) ? 'apiVersion' : 'Kind';
    const whole = 'every object has apiVersion, kind and metadata';
    fail(new CommandError(`${place}: Object '${field}' is missing; ${whole}`));
    return [];
  }
  if (kind === 'List' || (kind.endsWith('List') && Array.isArray(items))) {
    return (Array.isArray(items) ? items : []).flatMap((item: unknown) => objectsOf(item, place, fail));
  }
  // What is asked by being made has no name, nor anything else there.
  if (metadata === undefined && kind.endsWith('Review')) return [{ ...(value as Manifest), metadata: {} }];
  if (typeof metadata !== 'object' || metadata === null) {
    fail(new CommandError(`${place}: ${kind} has no metadata; metadata.name is the least`));
    return [];
  }
  return [value as Manifest];
}

interface Source {
  name: string;
  text: string;
}

async function readSource(
  source: string,
  { isRecursive, fail }: { isRecursive: boolean; fail: Fail },
): Promise<Source[]> {
  if (source === '-') return [{ name: 'STDIN', text: (await readStandardInput()).toString('utf8') }];
  if (isKustomization(source)) return [await builtSource(source)];
  if (/^https?:\/\//.test(source)) return downloaded(source, fail);
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

async function downloaded(name: string, fail: Fail): Promise<Source[]> {
  try {
    return [{ name, text: await download(name) }];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    fail(error);
    return [];
  }
}

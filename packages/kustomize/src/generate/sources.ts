/** Keys and values of generated ConfigMaps and Secrets: from literals, files and files of variables. */
import { KustomizeError, within } from '../errors.ts';
import type { Loader } from '../files/loader.ts';

export interface Sources {
  literals?: string[];
  files?: string[];
  envs?: string[];
  env?: string;
}

/** A key and its value. */
export type Pair = [key: string, value: Uint8Array];

/** All pairs, files of variables first, then literals, then files. Throws KustomizeError. */
export function readSources(sources: Sources, loader: Loader): Pair[] {
  const { literals = [], files = [], envs = [], env } = sources;
  const allEnvs = env ? [...envs, env] : envs;
  return [
    ...within(`env source files: [${allEnvs.join(' ')}]`, () =>
      allEnvs.flatMap((path) => variablesOf(loader.load(path))),
    ),
    ...within(`literal sources [${literals.join(' ')}]`, () => literals.map(literalOf)),
    ...within(`file sources: [${files.join(' ')}]`, () =>
      files.map((source): Pair => {
        const { key, path } = fileOf(source);
        return [key, loader.load(path)];
      }),
    ),
  ];
}

const bytesOf = (value: string) => new TextEncoder().encode(value);

function literalOf(source: string): Pair {
  const at = source.indexOf('=');
  if (at <= 0) throw new KustomizeError(`invalid literal source ${source}, expected key=value`);
  const value = source.slice(at + 1);
  const [, , inner = value] = /^(["'])(.*)\1$/s.exec(value) ?? [];
  return [source.slice(0, at), bytesOf(inner)];
}

function fileOf(source: string): { key: string; path: string } {
  const [key = '', path, ...rest] = source.split('=');
  if (path === undefined) return { key: baseName(source), path: source };
  if (rest.length > 0) throw new KustomizeError(`source "${source}" key name or file path contains '='`);
  if (key === '') throw new KustomizeError(`missing key name for file path "${path}" in source "${source}"`);
  if (path === '') throw new KustomizeError(`missing file path for key name "${key}" in source "${source}"`);
  return { key, path };
}

const baseName = (path: string): string => path.split('/').findLast((part) => part !== '') ?? '/';

/** Lines `KEY=value`; empty ones and comments are left out. */
function variablesOf(content: Uint8Array): Pair[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    throw new KustomizeError('a file of variables has invalid utf8 bytes', { cause: error });
  }
  return text.split('\n').flatMap((raw): Pair[] => {
    const line = raw.replace(/\r$/, '').trimStart();
    if (line === '' || line.startsWith('#')) return [];
    const at = line.indexOf('=');
    if (at === 0) return [];
    return at < 0 ? [[line, bytesOf('')]] : [[line.slice(0, at), bytesOf(line.slice(at + 1))]];
  });
}

import { readFileSync } from 'node:fs';
import { hasCode } from '../errors.ts';

/** A cgroup file's text, or null when it (or the group) is not there. */
export function readGroupFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENODEV', 'ENOTSUP', 'EOPNOTSUPP')) return null;
    throw error;
  }
}

/** A single number; 0 when the file is missing, Infinity for "max". */
export function readNumber(path: string): number {
  const text = readGroupFile(path)?.trim();
  if (text === 'max') return Number.POSITIVE_INFINITY;
  return text === undefined ? 0 : Number(text);
}

/** Lines of "key value"; empty when the file is missing. */
export function readKeyed(path: string): Map<string, number> {
  const lines = readGroupFile(path)?.split('\n') ?? [];
  return new Map(
    lines
      .filter((line) => line !== '')
      .map((line) => {
        const [key = '', value] = line.split(' ');
        return [key, Number(value)];
      }),
  );
}

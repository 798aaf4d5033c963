import { ownValue } from '@wherry/kubeapi';
import { amountOf } from '../pod/amount.ts';
import { formatDuration, parseDuration } from './duration.ts';

/** Where a decoder reports what it finds; `path` is the field's full name, such as `authentication.webhook.cacheTTL`. */
export interface FieldReport {
  error(path: string, message: string): void;
  warn(path: string, message: string): void;
}

/** One field of a configuration: its default and how a JSON value becomes it. */
export interface FieldType<T> {
  readonly initial: T;
  decode(value: unknown, path: string, report: FieldReport): T;
  /** The JSON value that {@link decode} reads as this one. */
  encode(value: T): unknown;
}

const shown = (value: unknown) => JSON.stringify(value);

function scalar<T>(
  initial: T,
  wanted: string,
  accept: (value: unknown) => T | undefined,
  encode: (value: T) => unknown = (value) => value,
): FieldType<T> {
  return {
    initial,
    encode,
    decode(value, path, report) {
      const accepted = accept(value);
      if (accepted !== undefined) return accepted;
      report.error(path, `${shown(value)} is not ${wanted}`);
      return initial;
    },
  };
}

/** A string. */
export const text = (initial = '') =>
  scalar(initial, 'a string', (value) => (typeof value === 'string' ? value : undefined));

/** One string of a closed list. */
export const choice = <const Names extends readonly string[]>(names: Names, initial: Names[number]) =>
  scalar<Names[number]>(initial, `one of ${names.map(shown).join(', ')}`, (value) =>
    names.find((name) => name === value),
  );

/** true or false. */
export const flag = (initial: boolean) =>
  scalar(initial, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined));

/** A whole number within bounds, both included. */
export const whole = (initial: number, least = -Number.MAX_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER) =>
  scalar(initial, `a whole number from ${least} to ${most}`, (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? (value as number)
      : undefined,
  );

/** A duration in Go's notation, decoded to milliseconds. */
export const duration = (initialMs: number) =>
  scalar(
    initialMs,
    'a duration such as "1m30s"',
    (value) => (typeof value === 'string' ? parseDuration(value) : undefined),
    formatDuration,
  );

/** A quantity such as `10Mi`, decoded to a number. */
export const quantity = (initial: number) =>
  scalar(
    initial,
    'a quantity such as "10Mi"',
    (value) => {
      try {
        return typeof value === 'string' || typeof value === 'number' ? amountOf(String(value)) : undefined;
      } catch {
        return undefined;
      }
    },
    String,
  );

/** A list of strings. */
export const texts = (initial: readonly string[] = []) =>
  scalar<readonly string[]>(initial, 'a list of strings', (value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined,
  );

/** A map of strings. */
export const textMap = (initial: Readonly<Record<string, string>> = {}) =>
  scalar<Readonly<Record<string, string>>>(initial, 'a map of strings', (value) =>
    isMap(value) && Object.values(value).every((item) => typeof item === 'string')
      ? (value as Record<string, string>)
      : undefined,
  );

/** A map of switches. */
export const flagMap = () =>
  scalar<Readonly<Record<string, boolean>>>({}, 'a map of true and false', (value) =>
    isMap(value) && Object.values(value).every((item) => typeof item === 'boolean')
      ? (value as Record<string, boolean>)
      : undefined,
  );

/** A list of objects that is kept as it stands. */
export const objects = () =>
  scalar<readonly Record<string, unknown>[]>([], 'a list of objects', (value) =>
    Array.isArray(value) && value.every(isMap) ? value : undefined,
  );

type Decoded<Fields> = { [Name in keyof Fields]: Fields[Name] extends FieldType<infer T> ? T : never };

/** An object with named fields. Fields it does not know are warned about and left out. */
export function section<Fields extends Record<string, FieldType<unknown>>>(
  fields: Fields,
): FieldType<Decoded<Fields>> {
  const entries = Object.entries(fields);
  const initial = Object.fromEntries(entries.map(([name, field]) => [name, field.initial]));
  return {
    initial: initial as Decoded<Fields>,
    encode(values) {
      const given = new Map<string, unknown>(Object.entries(values));
      return Object.fromEntries(entries.map(([name, field]) => [name, field.encode(given.get(name))]));
    },
    decode(value, path, report) {
      if (!isMap(value)) {
        report.error(path || 'document', `${shown(value)} is not an object`);
        return initial as Decoded<Fields>;
      }
      const at = (name: string) => (path ? `${path}.${name}` : name);
      for (const name of Object.keys(value).filter((name) => !Object.hasOwn(fields, name))) {
        report.warn(at(name), 'is not known here and has no effect');
      }
      const decoded = entries.map(([name, field]) => {
        const given = ownValue(value, name);
        return [
          name,
          given === undefined || given === null ? field.initial : field.decode(given, at(name), report),
        ];
      });
      return Object.fromEntries(decoded) as Decoded<Fields>;
    },
  };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

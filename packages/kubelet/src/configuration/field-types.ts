import { endpointProblem } from '@wherry/telemetry';
import { amountOf, binaryAmount } from '../pod/amount.ts';
import { parseCpuSet } from '../pod/cpu-set.ts';
import { formatDuration, parseDuration } from './duration.ts';

/** Where a decoder reports what it finds; `path` is the field's full name, such as `authentication.webhook.cacheTTL`. */
export interface FieldReport {
  error(path: string, message: string): void;
  warn(path: string, message: string): void;
}

/** What is made of a field; the form of tools/fields/table.ts. */
export interface FieldClaim {
  actedOn?: readonly string[];
  refused?: readonly { values: string; why: string }[];
  warned?: readonly { values: string; why: string }[];
  noEffect?: string;
}

/** One field of a configuration: its default, how a JSON value becomes it, and what is made of it. */
export interface FieldType<T> {
  readonly initial: T;
  /** Zero is a value of its own; in the fields without it, zero means the default, as Go has it. */
  readonly keepsZero?: boolean;
  /** Its value is text: "0" is a value of its own. */
  readonly isText?: boolean;
  readonly claim: FieldClaim;
  /** Fields of an object. */
  readonly fields?: Readonly<Record<string, FieldType<unknown>>>;
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
    claim: {},
    decode(value, path, report) {
      const accepted = accept(value);
      if (accepted !== undefined) return accepted;
      report.error(path, `${shown(value)} is not ${wanted}`);
      return initial;
    },
  };
}

/** The same field, for which zero, false and "" are values of their own. */
export const keepsZero = <T>(type: FieldType<T>): FieldType<T> => ({ ...type, keepsZero: true });

/** The same field, which may be left unsaid. */
export const optional = <T>(type: FieldType<T>): FieldType<T | undefined> => ({
  ...type,
  initial: undefined,
  keepsZero: true,
  encode: (value) => (value === undefined ? undefined : type.encode(value)),
});

/** A string. */
export const text = (initial = ''): FieldType<string> => ({
  ...scalar(initial, 'a string', (value) => (typeof value === 'string' ? value : undefined)),
  isText: true,
});

/** A control group by its path below the mount points, such as `/kubelet`; empty for none. */
export const groupName = () =>
  scalar<string>('', 'empty, or the path of a control group that begins with /', (value) =>
    typeof value === 'string' && isGroupName(value) ? value : undefined,
  );

/** Whether it is empty, or leads to a group below the root of all. */
export const isGroupName = (value: string): boolean =>
  value === '' || (/^(\/[^/\0]+)+$/.test(value) && !/\/\.\.?(\/|$)/.test(value));

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

/** A number within bounds, both included. */
export const fraction = (initial: number, least: number, most: number) =>
  scalar(initial, `a number from ${least} to ${most}`, (value) =>
    typeof value === 'number' && value >= least && value <= most ? value : undefined,
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
    binaryAmount,
  );

/** A list of strings. */
export const texts = (initial: readonly string[] = []) =>
  scalar<readonly string[]>(initial, 'a list of strings', (value) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined,
  );

/** A list of whole numbers. */
export const wholes = () =>
  scalar<readonly number[]>([], 'a list of whole numbers', (value) =>
    Array.isArray(value) && value.every(Number.isSafeInteger) ? value : undefined,
  );

/** Processors as the kernel lists them, such as `0-3,8`. */
export const cpuList = (): FieldType<string> => ({
  ...scalar('', 'a list of processors such as "0-3,8"', (value) => {
    if (typeof value !== 'string') return undefined;
    try {
      parseCpuSet(value);
      return value;
    } catch {
      return undefined;
    }
  }),
  isText: true,
});

/** A map of strings. */
export const textMap = (initial: Readonly<Record<string, string>> = {}) =>
  scalar<Readonly<Record<string, string>>>(initial, 'a map of strings', (value) =>
    isMap(value) && Object.values(value).every((item) => typeof item === 'string')
      ? (value as Record<string, string>)
      : undefined,
  );

/** A map of lists of strings. */
export const textsMap = () =>
  scalar<Readonly<Record<string, readonly string[]>>>({}, 'a map of lists of strings', (value) =>
    isMap(value) &&
    Object.values(value).every(
      (list) => Array.isArray(list) && list.every((item) => typeof item === 'string'),
    )
      ? (value as Record<string, string[]>)
      : undefined,
  );

/** An address of the web, or none. */
export const webAddress = () =>
  scalar('', 'a URL of http or https', (value) => {
    if (value === '') return '';
    if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
    return ['http:', 'https:'].includes(new URL(value).protocol) ? value : undefined;
  });

/** Address of a collector of spans. */
export const collector = () =>
  scalar('', 'an address such as "localhost:4317", dns:///HOST:PORT or unix:///PATH', (value) =>
    typeof value === 'string' && endpointProblem(value) === undefined ? value : undefined,
  );

/** Whatever is given, as it stands; undefined when nothing is. */
export const anything = (): FieldType<unknown> => ({
  initial: undefined,
  claim: {},
  decode: (value) => value,
  encode: (value) => value,
});

/** A list of objects that is kept as it stands. */
export const objects = () =>
  scalar<readonly Record<string, unknown>[]>([], 'a list of objects', (value) =>
    Array.isArray(value) && value.every(isMap) ? value : undefined,
  );

/** Whether it is an object in the sense of JSON. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { parse, TomlError } from 'smol-toml';
import { ImageError } from '../errors.ts';

/** A table of a TOML document. */
export type TomlTable = Readonly<Record<string, unknown>>;

/** Makes the error about one file. */
export type Complaint = (why: string) => ImageError;

/** The error about a configuration file: INVALID_ARGUMENT, with the file's name. */
export const complaintOf =
  (file: string): Complaint =>
  (why) =>
    new ImageError('INVALID_ARGUMENT', `registry configuration "${file}": ${why}`);

/** Reads a TOML document. Throws what `complain` makes, with line and column. */
export function parseToml(text: string, complain: Complaint): TomlTable {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [why = ''] = error.message.split('\n');
    throw complain(`line ${error.line}, column ${error.column}: ${why}`);
  }
}

/** Typed reading of one table's members; absent ones are undefined. Throws what `complain` makes for a wrong type. */
export class TomlReader {
  readonly #table: TomlTable;
  readonly #where: string;
  readonly #complain: Complaint;
  readonly #read = new Set<string>();

  constructor(table: unknown, where: string, complain: Complaint) {
    if (!isTable(table)) throw complain(`${where} is no table`);
    this.#table = table;
    this.#where = where;
    this.#complain = complain;
  }

  /** The error about one member. */
  wrong(name: string, why: string): ImageError {
    return this.#complain(`${this.#where === '' ? '' : `${this.#where}: `}"${name}" ${why}`);
  }

  value(name: string): unknown {
    this.#read.add(name);
    return Object.hasOwn(this.#table, name) ? this.#table[name] : undefined;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'string') return value;
    throw this.wrong(name, 'is no text');
  }

  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.wrong(name, 'is neither true nor false');
  }

  /** A list of texts; one text alone counts as a list of it. */
  texts(name: string): string[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const list: unknown[] = Array.isArray(value) ? value : [value];
    if (list.every((item) => typeof item === 'string')) return list;
    throw this.wrong(name, 'is no list of texts');
  }

  /** The members of a table of tables, in the order of the file. */
  tables(name: string): [key: string, table: TomlReader][] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (!isTable(value)) throw this.wrong(name, 'is no table');
    return Object.entries(value).map(([key, table]) => [
      key,
      new TomlReader(table, `${name}."${key}"`, this.#complain),
    ]);
  }

  /** The tables of an array of tables. */
  list(name: string): TomlReader[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.wrong(name, 'is no array of tables');
    return value.map((table, at) => new TomlReader(table, `${name}[${at}]`, this.#complain));
  }

  /** Members that nobody has read so far, with their table's name. */
  unread(): string[] {
    const names = Object.keys(this.#table).filter((name) => !this.#read.has(name));
    return names.map((name) => (this.#where === '' ? name : `${this.#where}.${name}`));
  }
}

const isTable = (value: unknown): value is TomlTable =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

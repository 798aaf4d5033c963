import { shownJson } from '@wherry/bytes';
import { ownValue } from '@wherry/kubeapi';
import { isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseAllDocuments } from 'yaml';
import { CommandError } from '../errors.ts';

/** A value in a YAML file that knows where it stands. */
export class Place {
  readonly #node: ParsedNode | null;
  readonly #field: string;
  readonly #lineOf: (offset: number) => string;

  constructor(node: ParsedNode | null, field: string, lineOf: (offset: number) => string) {
    this.#node = node;
    this.#field = field;
    this.#lineOf = lineOf;
  }

  /** The value as it is. */
  get value(): unknown {
    return this.#node?.toJSON();
  }

  /** What is wrong here, with file and line. */
  wrong(problem: string): CommandError {
    return new CommandError(`${this.#lineOf(this.#node?.range[0] ?? 0)}: ${problem}`);
  }

  /** The fields of a mapping that has no others than `known`; `refused` says why some are not there. */
  fields(known: readonly string[], refused: Record<string, string> = {}): Map<string, Place> {
    const found = this.#entries();
    for (const [name, place] of found) {
      if (known.includes(name)) continue;
      const why = ownValue(refused, name);
      throw place.wrong(
        why === undefined
          ? `unknown field "${this.#path(name)}"; known are ${known.join(', ')}`
          : `${this.#path(name)}: ${why}`,
      );
    }
    return found;
  }

  /** A mapping whose keys are free. */
  map<T>(read: (place: Place, key: string) => T): Record<string, T> {
    return Object.fromEntries([...this.#entries()].map(([name, place]) => [name, read(place, name)]));
  }

  list(): Place[] {
    if (!isSeq<ParsedNode>(this.#node)) throw this.wrong(`${this.#field} must be a list`);
    return this.#node.items.map((item, index) => new Place(item, `${this.#field}[${index}]`, this.#lineOf));
  }

  /** Text; `problemOf` says what is wrong with it, if anything. */
  text(problemOf: (text: string) => string | undefined = () => undefined): string {
    const { value } = this;
    if (typeof value !== 'string' || value === '') throw this.wrong(`${this.#field} must be a text`);
    const problem = problemOf(value);
    if (problem !== undefined) throw this.wrong(`${this.#field} "${value}": ${problem}`);
    return value;
  }

  truth(): boolean {
    if (typeof this.value !== 'boolean') throw this.wrong(`${this.#field} must be true or false`);
    return this.value;
  }

  /** A whole number from 0 to `max`. */
  whole(max: number): number {
    const { value } = this;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value;
    throw this.wrong(`${this.#field} must be a whole number from 0 to ${max}`);
  }

  #entries(): Map<string, Place> {
    const node = this.#node;
    if (!isMap<ParsedNode, ParsedNode | null>(node)) {
      throw this.wrong(`${this.#field === '' ? 'the document' : this.#field} must be a mapping of fields`);
    }
    return new Map(
      node.items.map(({ key, value }) => {
        const name = isScalar(key) ? shownJson(key.value) : '';
        return [name, new Place(value ?? key, this.#path(name), this.#lineOf)] as const;
      }),
    );
  }

  #path(name: string): string {
    return this.#field === '' ? name : `${this.#field}.${name}`;
  }
}

/** The documents of a text that are not empty. Throws `CommandError` with file and line for what is no YAML. */
export function readDocuments(text: string, file: string): Place[] {
  const lineCounter = new LineCounter();
  const lineOf = (offset: number) => `${file}:${lineCounter.linePos(offset).line}`;
  return [...parseAllDocuments(text, { lineCounter })].flatMap((document) => {
    const [problem] = document.errors;
    if (problem) {
      const [first = ''] = problem.message.split(/ at line |:?\n/);
      throw new CommandError(`${lineOf(problem.pos[0])}: ${first}`);
    }
    return document.contents === null ? [] : [new Place(document.contents, '', lineOf)];
  });
}

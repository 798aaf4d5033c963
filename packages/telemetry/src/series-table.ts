import { limits } from './limits.ts';

/** Label values by label name. */
export type Labels = Record<string, string>;

/** What the labels of series beyond the bound say. */
export const overflowLabel = 'overflow';

/**
 * The series of one metric by their labels, at most `limits.seriesPerMetricMax`: whoever can choose a label's value
 * must not choose how much memory it takes. Beyond it all share one more series.
 */
export class SeriesTable<Value> {
  readonly #series = new Map<string, Value>();
  readonly #create: () => Value;

  constructor(create: () => Value) {
    this.#create = create;
  }

  /** The series of these labels, made when there is none yet. */
  at(labels: Labels): Value {
    const key = renderLabels(labels);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    return this.#series.size < limits.seriesPerMetricMax ? this.#add(key) : this.#overflow(labels);
  }

  /** The series of exactly these labels, when there is one. */
  find(labels: Labels): Value | undefined {
    return this.#series.get(renderLabels(labels));
  }

  /** Lets go of the series of exactly these labels; the one beyond the bound stays. */
  forget(labels: Labels): void {
    this.#series.delete(renderLabels(labels));
  }

  /** Labels as `{name="value"}` and what stands under them, in the order of their making. */
  entries(): Iterable<[labels: string, value: Value]> {
    return this.#series.entries();
  }

  #overflow(labels: Labels): Value {
    const key = renderLabels(Object.fromEntries(Object.keys(labels).map((name) => [name, overflowLabel])));
    return this.#series.get(key) ?? this.#add(key);
  }

  #add(key: string): Value {
    const value = this.#create();
    this.#series.set(key, value);
    return value;
  }
}

/** `{name="value",other="value"}`, or nothing without labels. */
export function renderLabels(labels: Labels): string {
  let text = '';
  for (const [name, value] of Object.entries(labels))
    text += `${text === '' ? '{' : ','}${name}="${escapeValue(value)}"`;
  return text === '' ? '' : `${text}}`;
}

const escaped = /[\\"\n]/;

function escapeValue(value: string): string {
  const short = value.length > limits.labelCharactersMax ? value.slice(0, limits.labelCharactersMax) : value;
  if (!escaped.test(short)) return short;
  return short.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

import { InvalidArgumentError } from 'commander';

/**
 * Collects a flag of `NAME=value`, several of them by commas, as Go's command lines take maps (pflag, StringToString): a value in
 * which a comma stands is quoted, with its name, unless it is the only one.
 */
export function collectPairs(
  text: string,
  previous: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const signs = text.split('=').length - 1;
  const pairs = signs > 1 ? fieldsOf(text) : [signs === 1 ? text.replace(/^"+|"+$/g, '') : text];
  return new Map([...previous, ...pairs.map(pairOf)]);
}

function pairOf(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at === -1) throw new InvalidArgumentError(`${text} must be formatted as key=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The fields of a line of CSV. */
export function fieldsOf(text: string): string[] {
  const fields: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (let isLast = false; !isLast; ) {
    const [whole, quoted, plain = '', end] = field.exec(text) ?? [];
    if (whole === undefined)
      throw new InvalidArgumentError(`a quote in "${text}" begins or ends inside of a pair`);
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    isLast = end === '';
  }
  return fields;
}

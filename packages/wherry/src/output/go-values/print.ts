import { type GoInt, type GoString, type GoValue, goType } from './go-value.ts';
import { noFlags, type PrintFlags, padded } from './print-flags.ts';
import { printBoolean, printFloat, printInteger, printString, printText } from './print-verbs.ts';

/** A value as Go's `fmt.Sprint` writes it alone: `map[app:web]`, `[a b]`, `<nil>`. */
export const printed = (value: GoValue): GoString => printValue(value, 'v', noFlags());

/** As `fmt.Sprint`: a space between two values of which none is a string. */
export function printAll(values: readonly GoValue[]): GoString {
  return values
    .map((value, at) => {
      const isApart = at > 0 && typeof value !== 'string' && typeof values[at - 1] !== 'string';
      return (isApart ? ' ' : '') + printed(value);
    })
    .join('');
}

/** As `fmt.Sprintln`: a space between all, and a line's end. */
export const printLine = (values: readonly GoValue[]): GoString => `${values.map(printed).join(' ')}\n`;

/** A value by a verb of `fmt`: what holds others prints each of them by it. */
export function printValue(value: GoValue, verb: string, flags: PrintFlags): GoString {
  if (value === null)
    return verb === 'v' || verb === 'T' ? padded('<nil>', flags) : wrongVerb(value, verb, flags);
  if (verb === 'T') return printText(goType(value), flags);
  return printPart(value, verb, flags);
}

/** A value inside of another, where nothing is nothing, whatever the verb. */
function printPart(value: GoValue, verb: string, flags: PrintFlags): GoString {
  if (value === null) return flags.isSource ? 'interface {}(nil)' : '<nil>';
  if (Array.isArray(value)) {
    const parts = value.map((part) => printPart(part, verb, flags));
    return flags.isSource ? `${goType(value)}{${parts.join(', ')}}` : `[${parts.join(' ')}]`;
  }
  if (value instanceof Map) {
    const parts = [...value].map(
      ([key, part]) => `${printPart(key, verb, flags)}:${printPart(part, verb, flags)}`,
    );
    return flags.isSource ? `${goType(value)}{${parts.join(', ')}}` : `map[${parts.join(' ')}]`;
  }
  return printPlain(value as string | boolean | number | GoInt, verb, flags) ?? wrongVerb(value, verb, flags);
}

function printPlain(value: string | boolean | number | GoInt, verb: string, flags: PrintFlags) {
  if (typeof value === 'string') return printString(value, verb, flags);
  if (typeof value === 'boolean') return printBoolean(value, verb, flags);
  if (typeof value === 'number') return printFloat(value, verb, flags);
  return printInteger(value.value, verb, flags, { isByte: value.type === 'uint8' });
}

/** What `fmt` says of a verb that a value has not: `%!d(string=web)`. */
function wrongVerb(value: GoValue, verb: string, flags: PrintFlags): GoString {
  if (value === null) return `%!${verb}(<nil>)`;
  return `%!${verb}(${goType(value)}=${printPart(value, 'v', flags)})`;
}

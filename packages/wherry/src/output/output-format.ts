import { CommandError } from '../errors.ts';
import { parseCustomColumns } from './custom-columns/custom-columns.ts';

/** Forms that show whatever a value has; templates and columns are taken wherever these are. */
export type ValueFormat = TextFormat | TemplateFormat;

/** Those of them that are a word, or a word and what it is about. */
export type TextFormat = 'json' | 'yaml' | 'kyaml' | `custom-columns=${string}`;

/** A template, which was read. */
export interface TemplateFormat {
  /** What `-o` said; undefined where `--template` stands alone. */
  form: string | undefined;
  /** What it writes about a value of JSON: up to the mistake, where there is one. */
  write(value: unknown): { bytes: Uint8Array; error?: CommandError };
}

/** What `-o` says. */
export type OutputFormat = 'wide' | 'name' | ValueFormat;

/** True for the forms that need nothing but the value. */
export function isValueFormat(format: OutputFormat | undefined): format is ValueFormat {
  return format !== undefined && format !== 'wide' && format !== 'name';
}

/** True where these names are of a command that prints values, and so takes templates and columns too. */
export const hasValues = (names: readonly string[]): boolean => names.includes('json');

/** Reads the value of `-o` where `names` are taken. Throws `CommandError` that names the forms. */
export function parseOutputFormat(text: string, names: readonly string[]): OutputFormat {
  if (!hasValues(names) && !names.includes(text))
    throw new CommandError(`Allowed choices are ${names.join(', ')}`);
  const [form, columns] = /^custom-columns=(.*)$/s.exec(text) ?? [];
  if (form !== undefined) {
    parseCustomColumns(columns ?? '');
    return text as ValueFormat;
  }
  if (names.includes(text)) return text as OutputFormat;
  if (text === 'custom-columns') parseCustomColumns('');
  const all = [...names, 'jsonpath=TEMPLATE', 'go-template=TEMPLATE', 'custom-columns=TITLE:.path'];
  throw new CommandError(`Allowed choices are ${all.join(', ')}`);
}

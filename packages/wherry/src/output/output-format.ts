import { ownValue } from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';
import { parseCustomColumns } from './custom-columns/custom-columns.ts';
import { parseTemplate } from './jsonpath/parse.ts';

/** Forms that show whatever a value has; `jsonpath` and `custom-columns` are taken wherever these two are. */
export type ValueFormat = 'json' | 'yaml' | 'kyaml' | `jsonpath=${string}` | `custom-columns=${string}`;

/** What `-o` says. */
export type OutputFormat = 'wide' | 'name' | ValueFormat;

/** True for the forms that need nothing but the value. */
export function isValueFormat(format: OutputFormat | undefined): format is ValueFormat {
  return format !== undefined && format !== 'wide' && format !== 'name';
}

/** Reads the value of `-o` where `names` are taken. Throws `CommandError` that names the forms. */
export function parseOutputFormat(text: string, names: readonly string[]): OutputFormat {
  const [, form, argument] = /^(jsonpath|custom-columns)=(.*)$/s.exec(text) ?? [];
  if (form !== undefined && argument !== undefined) {
    if (argument === '')
      throw new CommandError(`"${form}=" needs a template: ${ownValue(templateExamples, form)}`);
    if (form === 'jsonpath') parseTemplate(argument);
    else parseCustomColumns(argument);
    return text as ValueFormat;
  }
  if (names.includes(text)) return text as OutputFormat;
  const example = ownValue(templateExamples, text);
  if (example !== undefined) throw new CommandError(`"${text}" needs a template: ${example}`);
  const all = [...names, 'jsonpath=TEMPLATE', 'custom-columns=TITLE:.path'];
  throw new CommandError(`Allowed choices are ${all.join(', ')}`);
}

const templateExamples: Record<string, string> = {
  jsonpath: `-o jsonpath='{.items[*].metadata.name}'`,
  'custom-columns': '-o custom-columns=NAME:.metadata.name',
};

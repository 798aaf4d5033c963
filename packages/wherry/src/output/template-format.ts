import { readFileSync } from 'node:fs';
import { CommandError } from '../errors.ts';
import { jsonPathTemplate } from './jsonpath/jsonpath-template.ts';
import { type OutputFormat, parseOutputFormat } from './output-format.ts';

/** What `-o`, `--template` and `--allow-missing-template-keys` say. */
export interface TemplateFlags {
  output?: OutputFormat | string;
  template?: string;
  /** False where a key that is not there is an error. */
  allowMissingTemplateKeys?: boolean;
}

/** Words that name a template, or a file with one. */
const forms =
  /^(go-template|template|go-template-file|templatefile|jsonpath|jsonpath-file|jsonpath-as-json|custom-columns-file)(?:=(.*))?$/s;

/** True for a value of `-o` that `--template` may complete. */
export const takesTemplate = (output: string): boolean => forms.test(output);

/**
 * The form that `-o` and flags about templates choose together, as kubectl has them, where `names` are taken; undefined where
 * they choose none. The engine is loaded for a template of Go's alone. Throws `CommandError`.
 */
export async function completeFormat(
  flags: TemplateFlags,
  names: readonly string[],
): Promise<OutputFormat | undefined> {
  const { template = '', allowMissingTemplateKeys: allowsMissingKeys = true } = flags;
  const output = flags.output ?? (template === '' ? undefined : 'go-template');
  if (typeof output !== 'string') return output;
  const [, form, inline] = forms.exec(output) ?? [];
  if (template !== '' && inline !== undefined)
    throw new CommandError(`"${output}" has a template, and --template is another`);
  if (form === undefined) return parseOutputFormat(output, names);
  if (form === 'custom-columns-file') return columnsOf(inline ?? '');
  const said = flags.output === undefined ? undefined : output;
  const given = inline ?? template;
  if (given === '') throw new CommandError('template format specified but no template given');
  const text = form.endsWith('file') ? readTemplate(given) : given;
  const isJson = form === 'jsonpath-as-json';
  if (form.startsWith('jsonpath'))
    return { form: said, write: jsonPathTemplate(text, { allowsMissingKeys, isJson }) };
  const { goTemplate } = await import('./go-template/go-template.ts');
  return { form: said, write: goTemplate(text, { allowsMissingKeys }) };
}

/** The columns of a file: a line of titles, and a line of paths. */
function columnsOf(path: string): OutputFormat {
  if (path === '') throw new CommandError('custom-columns format specified but no custom columns given');
  const columns = `custom-columns=\n${readTemplate(path, `template ${path}`)}` as const;
  return parseOutputFormat(columns, ['json']);
}

function readTemplate(path: string, what = `--template ${path}`): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isAbsent ? `open ${path}: no such file or directory` : (error as Error).message;
    throw new CommandError(`error: error reading ${what}, ${why}`, { cause: error });
  }
}

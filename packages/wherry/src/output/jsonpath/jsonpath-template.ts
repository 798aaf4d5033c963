import { CommandError } from '../../errors.ts';
import { goString, goValue, textOf } from '../go-values/go-value.ts';
import { printValue } from '../go-values/print.ts';
import { noFlags } from '../go-values/print-flags.ts';
import { quoted } from '../go-values/quoted.ts';
import { JsonPathError } from './jsonpath-error.ts';
import { parseTemplate, type Template } from './parse.ts';
import { writeAsJson, writeTemplate } from './template.ts';

/** How `-o` and its flags want a template used. */
export interface JsonPathOptions {
  /** False where a field that nothing has is an error. */
  allowsMissingKeys: boolean;
  /** `jsonpath-as-json`: a list of what each action finds. */
  isJson: boolean;
}

/**
 * Reads a template, and gives back what writes it about values of JSON, or what went wrong. Throws `CommandError` in kubectl's
 * words.
 */
export function jsonPathTemplate(
  text: string,
  { allowsMissingKeys, isJson }: JsonPathOptions,
): (value: unknown) => { bytes: Uint8Array; error?: CommandError } {
  const template = parsed(text);
  const write = isJson ? writeAsJson : writeTemplate;
  return (value) => {
    try {
      return { bytes: Buffer.from(write(template, value, { refusesMissingKeys: !allowsMissingKeys })) };
    } catch (error) {
      if (!(error instanceof JsonPathError)) throw error;
      return { bytes: new Uint8Array(), error: failure(text, error, value) };
    }
  };
}

function parsed(text: string): Template {
  try {
    return parseTemplate(text);
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new CommandError(`error: error parsing jsonpath ${text}, ${error.message}`, { cause: error });
  }
}

function failure(text: string, error: JsonPathError, value: unknown): CommandError {
  const source = textOf(printValue(goValue(value), 'v', { ...noFlags(), isSource: true }));
  const why = [
    `Error executing template: ${error.message}. Printing more information for debugging the template:`,
    `\ttemplate was:\n\t\t${text}`,
    `\tobject given to jsonpath engine was:\n\t\t${source}\n\n`,
  ].join('\n');
  const message = `error: error executing jsonpath ${textOf(quoted(goString(text)))}: ${why}`;
  return new CommandError(message, { cause: error });
}

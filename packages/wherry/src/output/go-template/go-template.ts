import { CommandError } from '../../errors.ts';
import { type GoString, goString, goValue, textOf } from '../go-values/go-value.ts';
import { printed } from '../go-values/print.ts';
import { quoted } from '../go-values/quoted.ts';
import { goJson } from '../json.ts';
import { parseTemplate } from './parse/parser.ts';
import { TemplateError } from './parse/template-error.ts';
import { runTemplate } from './run.ts';

/** How a template treats what it is given. */
export interface GoTemplateOptions {
  /** False where a key that is not there is an error; true for `<no value>`. */
  allowsMissingKeys: boolean;
}

/** What a template wrote, and what went wrong behind it. */
export interface Written {
  bytes: Uint8Array;
  error?: CommandError;
}

/**
 * Reads a template of Go's `text/template`, with kubectl's `exists` and `base64decode`, and gives back what writes it about values
 * of JSON. Throws `CommandError` in kubectl's words.
 */
export function goTemplate(
  text: string,
  { allowsMissingKeys }: GoTemplateOptions,
): (value: unknown) => Written {
  const source = goString(text);
  const templates = parse(text, source);
  return (value) => {
    const parts: GoString[] = [];
    try {
      const options = { source, refusesMissingKeys: !allowsMissingKeys };
      runTemplate(templates, goValue(value), options, (part) => parts.push(part));
      return { bytes: bytesOf(parts) };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      parts.push(explanation(source, error.words, value));
      const message = `error: error executing template ${textOf(quoted(source))}: ${error.message}`;
      return { bytes: bytesOf(parts), error: new CommandError(message) };
    }
  };
}

function parse(text: string, source: GoString) {
  try {
    return parseTemplate(source);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new CommandError(`error: error parsing template ${text}, ${error.message}`);
  }
}

const bytesOf = (parts: readonly GoString[]): Uint8Array => Buffer.from(parts.join(''), 'latin1');

/** What kubectl writes behind the part that was written, for who looks for the mistake. */
function explanation(source: GoString, problem: GoString, value: unknown): GoString {
  return [
    `Error executing template: ${problem}. Printing more information for debugging the template:`,
    `\ttemplate was:\n\t\t${source}`,
    `\traw data was:\n\t\t${goString(goJson(value))}`,
    `\tobject given to template engine was:\n\t\t${printed(goValue(value))}`,
    '\n',
  ].join('\n');
}

import { CommandError } from '../../../errors.ts';
import { type GoString, textOf } from '../../go-values/go-value.ts';

/** What is wrong with a template, in the words of Go's `text/template`. */
export class TemplateError extends CommandError {
  /** The message, in bytes. */
  readonly words: GoString;

  constructor(words: GoString) {
    super(textOf(words));
    this.words = words;
  }
}

/** The name that kubectl gives to a template. */
export const templateName = 'output';

import { CommandError } from '../../errors.ts';

/** What stands in the way of emptying a node, each for itself. */
export class DrainProblems extends CommandError {
  readonly messages: readonly string[];

  constructor(messages: readonly string[]) {
    super(messages.length === 1 ? `${messages[0]}` : `[${messages.join(', ')}]`);
    this.messages = messages;
  }
}

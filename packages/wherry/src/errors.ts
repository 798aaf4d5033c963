/** A failure whose message is all that its user needs: printed without a stack, exit code `exitCode`. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
  }
}

/** What is wrong with one object: in one line beside failures of others, and a line for each when nothing else has failed. */
export class SeveralProblems extends CommandError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const unlike = [...new Set(problems)];
    super(unlike.length === 1 ? `${unlike[0]}` : `[${unlike.join(', ')}]`);
    this.problems = problems;
  }
}

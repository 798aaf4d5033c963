import { StatusError } from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';
import { describeError, describeStatus, printError } from './errors.ts';

const unauthorized = 401;

/**
 * What is done to one object of several: its failure is said, ends the process with 1, and leaves the others their turn. Throws what
 * concerns all of them, such as a server that does not answer.
 */
export async function orSaid<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isItsOwn(error)) throw error;
    printError(error);
    process.exitCode = 1;
    return undefined;
  }
}

const isItsOwn = (error: unknown) =>
  error instanceof CommandError || (error instanceof StatusError && error.code !== unauthorized);

function plainWords(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  return error instanceof StatusError ? describeStatus(error.message, error.reason) : describeError(error);
}

/** What failed of several, told at the end, as those verbs of kubectl do that visit objects one after the other. */
export class Failures {
  readonly #errors: unknown[] = [];
  readonly #ignores: (error: unknown) => boolean;

  /** What is ignored is no failure. */
  constructor({ ignores = () => false }: { ignores?: (error: unknown) => boolean } = {}) {
    this.#ignores = ignores;
  }

  /** As {@link orSaid}, but said by {@link report}. */
  async attempt<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      if (!isItsOwn(error)) throw error;
      this.add(error);
      return undefined;
    }
  }

  add(error: unknown): void {
    if (!this.#ignores(error)) this.#errors.push(error);
  }

  get isEmpty(): boolean {
    return this.#errors.length === 0;
  }

  /** What failed, where nothing else did. */
  get only(): unknown {
    return this.#errors.length === 1 ? this.#errors[0] : undefined;
  }

  /** Prints them, and lets the process end with 1 when there is any. Of several none is called an error, as kubectl has it. */
  report(): void {
    if (this.isEmpty) return;
    process.exitCode = 1;
    if (this.#errors.length === 1) printError(this.#errors[0]);
    else for (const error of this.#errors) console.error(plainWords(error));
  }
}

import { StatusError } from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';
import { printError } from './errors.ts';

const unauthorized = 401;

/**
 * What is done to one object of several: its failure is said, ends the process with 1, and leaves the others their turn. Throws what
 * concerns all of them, such as a server that does not answer.
 */
export async function orSaid<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const isItsOwn =
      error instanceof CommandError || (error instanceof StatusError && error.code !== unauthorized);
    if (!isItsOwn) throw error;
    printError(error);
    process.exitCode = 1;
    return undefined;
  }
}

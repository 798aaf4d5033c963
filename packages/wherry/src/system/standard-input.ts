import { buffer } from 'node:stream/consumers';

/**
 * All of standard input, to its end. A pipe does not block once anything in the process has named `process.stdin`, as importing
 * `node:process` does: reading its descriptor then fails where the writer is slow.
 */
export const readStandardInput = (): Promise<Buffer> => buffer(process.stdin);

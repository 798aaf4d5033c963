import { dialFailure } from '../dialing/dial-failure.ts';

/** Where a dial through a proxy fails: on the way to it, or when it is asked. */
export type DialStage = 'connect' | 'proxy';

/** A dial through a proxy that failed; the message says it in Go's words. */
export class EgressDialError extends Error {
  override readonly name = 'EgressDialError';
  readonly stage: DialStage;

  constructor(stage: DialStage, message: string, cause?: unknown) {
    super(message, { cause });
    this.stage = stage;
  }
}

/** The proxy itself could not be reached, or not be believed. */
export const proxyUnreached = (error: Error): EgressDialError =>
  new EgressDialError('connect', dialFailure(error), error);

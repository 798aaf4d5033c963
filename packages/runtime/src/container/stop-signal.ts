import { constants } from 'node:os';
import { parseSignal, Signal, signalNumber } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';

/** What asks a container to end: the request's, the image's, SIGTERM. Throws `RuntimeError` INVALID_ARGUMENT. */
export function stopSignalOf(requested: Signal, ofImage: string): number {
  if (requested !== Signal.SIGNAL_RUNTIME_DEFAULT) {
    const number = signalNumber(requested);
    if (number === undefined)
      throw new RuntimeError('INVALID_ARGUMENT', `stop signal ${requested} does not exist in CRI`);
    return number;
  }
  if (ofImage === '') return constants.signals.SIGTERM;
  const number = parseSignal(ofImage);
  if (number === undefined)
    throw new RuntimeError('INVALID_ARGUMENT', `stop signal "${ofImage}" does not exist`);
  return number;
}

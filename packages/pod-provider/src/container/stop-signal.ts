import { CriError, Signal, signalNumber } from '@wherry/cri';

const signalTerminate = 15;

/** The number of the signal that asks a container to end, SIGTERM unless told. Throws `CriError` INVALID_ARGUMENT. */
export function stopSignalOf(signal: Signal): number {
  if (signal === Signal.SIGNAL_RUNTIME_DEFAULT) return signalTerminate;
  const number = signalNumber(signal);
  if (number === undefined)
    throw new CriError('INVALID_ARGUMENT', `stop signal ${signal} does not exist in CRI`);
  return number;
}

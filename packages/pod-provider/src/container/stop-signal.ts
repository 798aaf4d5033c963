import { constants } from 'node:os';
import { CriError, Signal } from '@wherry/cri';

const signalTerminate = 15;
const numbers: ReadonlyMap<string, number> = new Map(Object.entries(constants.signals));
const names = new Map(Object.entries(Signal).map(([name, value]) => [value, name.replace('SIGNAL_', '')]));

/** The number of the signal that asks a container to end, of CRI's own numbering. Throws `CriError` INVALID_ARGUMENT. */
export function stopSignalOf(signal: Signal): number {
  if (signal === Signal.SIGNAL_RUNTIME_DEFAULT) return signalTerminate;
  const number = numbers.get(names.get(signal) ?? '');
  if (number === undefined)
    throw new CriError('INVALID_ARGUMENT', `stop signal ${names.get(signal) ?? signal} is not known here`);
  return number;
}

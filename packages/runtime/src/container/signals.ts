import { constants } from 'node:os';
import { Signal } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';

const realtimeMin = 34;
const realtimeMax = 64;

/** Names of signals that Linux knows under two names, and those that Node does not list. */
const aliases = { SIGCLD: 17, SIGPOLL: 29, SIGIOT: 6, SIGSTKFLT: 16, SIGPWR: 30 };
const numbers: ReadonlyMap<string, number> = new Map(Object.entries({ ...constants.signals, ...aliases }));

function realtime(name: string): number | undefined {
  const [, base, sign, offset = '0'] = /^SIGRT(MIN|MAX)(?:([+-]|PLUS|MINUS)(\d+))?$/.exec(name) ?? [];
  if (base === undefined) return undefined;
  const step = Number(offset) * (sign === '-' || sign === 'MINUS' ? -1 : 1);
  const number = (base === 'MIN' ? realtimeMin : realtimeMax) + step;
  return number >= realtimeMin && number <= realtimeMax ? number : undefined;
}

/** A signal's number by name (`SIGTERM`, `TERM`, `SIGRTMIN+3`) or number. Throws `RuntimeError` INVALID_ARGUMENT. */
export function signalNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= realtimeMax) return Number(text);
  const upper = text.toUpperCase();
  const name = upper.startsWith('SIG') ? upper : `SIG${upper}`;
  const number = numbers.get(name) ?? realtime(name);
  if (number === undefined)
    throw new RuntimeError('INVALID_ARGUMENT', `stop signal "${text}" does not exist`);
  return number;
}

const criNames = new Map(
  Object.entries(Signal).map(([name, value]) => [value, name.replace(/^SIGNAL_/, '')]),
);

/** The number of a signal in CRI's own numbering; undefined for "the runtime's default". */
export function signalOfCri(signal: Signal): number | undefined {
  if (signal === Signal.SIGNAL_RUNTIME_DEFAULT) return undefined;
  const name = criNames.get(signal);
  if (name === undefined)
    throw new RuntimeError('INVALID_ARGUMENT', `stop signal ${signal} does not exist in CRI`);
  return signalNumber(name);
}

const byNumber = new Map<number, Signal>();
for (const [value, name] of criNames) {
  if (value === Signal.SIGNAL_RUNTIME_DEFAULT || name === 'SIGCLD' || name === 'SIGPOLL' || name === 'SIGIOT')
    continue;
  byNumber.set(signalNumber(name), value);
}

/** A signal in CRI's own numbering. */
export const criSignal = (number: number): Signal => byNumber.get(number) ?? Signal.SIGNAL_RUNTIME_DEFAULT;

/** What asks a container to end: the request's, the image's, SIGTERM. */
export function stopSignalOf(requested: Signal, ofImage: string): number {
  return signalOfCri(requested) ?? (ofImage === '' ? constants.signals.SIGTERM : signalNumber(ofImage));
}

/** Signals by name, by CRI's own numbering and by Linux's. Numbers: signal(7), those of x86 and ARM. */
import { Signal } from './generated/types.ts';

const realtimeMin = 34;
const realtimeMax = 64;

/** In the order of their numbers, from 1; signals of two names are `FIRST|SECOND`. */
const names =
  'HUP INT QUIT ILL TRAP ABRT|IOT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD|CLD CONT STOP TSTP TTIN TTOU ' +
  'URG XCPU XFSZ VTALRM PROF WINCH IO|POLL PWR SYS';
const numbers: ReadonlyMap<string, number> = new Map(
  names
    .split(' ')
    .flatMap((ofOne, index) => ofOne.split('|').map((name) => [`SIG${name}`, index + 1] as const)),
);

function realtime(name: string): number | undefined {
  const [, base, sign, offset = '0'] = /^SIGRT(MIN|MAX)(?:([+-]|PLUS|MINUS)(\d+))?$/.exec(name) ?? [];
  if (base === undefined) return undefined;
  const step = Number(offset) * (sign === '-' || sign === 'MINUS' ? -1 : 1);
  const number = (base === 'MIN' ? realtimeMin : realtimeMax) + step;
  return number >= realtimeMin && number <= realtimeMax ? number : undefined;
}

/** A signal's number by name (`SIGTERM`, `term`, `SIGRTMIN+3`) or number, as images write it; undefined if there is none. */
export function parseSignal(text: string): number | undefined {
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= realtimeMax) return Number(text);
  const upper = text.toUpperCase();
  const name = upper.startsWith('SIG') ? upper : `SIG${upper}`;
  return numbers.get(name) ?? realtime(name);
}

const byValue = new Map<Signal, number>();
const byNumber = new Map<number, Signal>();
for (const [key, value] of Object.entries(Signal)) {
  const name = key.replace(/^SIGNAL_/, '');
  const number = parseSignal(name);
  if (number === undefined) continue;
  byValue.set(value, number);
  if (!['SIGCLD', 'SIGPOLL', 'SIGIOT'].includes(name)) byNumber.set(number, value);
}

/** Linux's number of a signal; undefined for "the runtime's default" and for values that CRI does not define. */
export const signalNumber = (signal: Signal): number | undefined => byValue.get(signal);

/** CRI's value of a signal's number; "the runtime's default" for numbers that it does not name. */
export const signalOfNumber = (number: number): Signal =>
  byNumber.get(number) ?? Signal.SIGNAL_RUNTIME_DEFAULT;

/** What the values of flags are parsed to; each throws commander's `InvalidArgumentError` on a value that it can't take. */
import { isIP } from 'node:net';
import { parseDurationMs, setOwn } from '@wherry/kubeapi/objects';
import { isTlsSuite } from '@wherry/upgrade';
import { InvalidArgumentError } from 'commander';

const portMax = 65_535;

/** A port number; 0 stands for any free one. */
export function parsePort(value: string): number {
  const port = parseWhole(value);
  if (port > portMax) throw new InvalidArgumentError(`a port is a number from 0 to ${portMax}`);
  return port;
}

/** An IP address. */
export function parseAddress(value: string): string {
  if (isIP(value) === 0) throw new InvalidArgumentError('expected an IP address');
  return value;
}

/** `IP:PORT`, `[IPV6]:PORT`, or an address alone with the port that is usual; '' for none. */
export function parseSocketAddress(
  value: string,
  usualPort: number,
): { host: string; port: number } | undefined {
  if (value === '') return undefined;
  if (isIP(value) !== 0) return { host: value, port: usualPort };
  const [, host = '', port = ''] = /^\[?([^\]]+)\]?:(\d+)$/.exec(value) ?? [];
  if (isIP(host) === 0) throw new InvalidArgumentError('expected IP:PORT, or nothing for none');
  return { host, port: parsePort(port) };
}

/** A whole number from 0 on. */
export function parseWhole(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('expected a whole number from 0 on');
  return Number(value);
}

/** A whole number. */
export function parseInteger(value: string): number {
  if (!/^-?\d+$/.test(value)) throw new InvalidArgumentError('expected a whole number');
  return Number(value);
}

/** A duration above 0 as Go writes it (`1m30s`), in milliseconds. */
export function parseTimeMs(value: string): number {
  const timeMs = timeMsOf(value);
  if (timeMs !== undefined && timeMs > 0) return timeMs;
  throw new InvalidArgumentError('expected a duration above 0, such as 30s');
}

/** A duration as Go writes it, in milliseconds; 0 is one. */
export function parseLifetimeMs(value: string): number {
  const timeMs = timeMsOf(value);
  if (timeMs !== undefined && timeMs >= 0) return timeMs;
  throw new InvalidArgumentError('expected a duration from 0 on, such as 30s');
}

function timeMsOf(value: string): number | undefined {
  try {
    return parseDurationMs(value);
  } catch {
    return undefined;
  }
}

/** Collects a flag that may be given several times, each time with one value. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

/** Collects a flag that takes comma-separated values and may be given several times. */
export function collectList(value: string, previous: string[] = []): string[] {
  return [...previous, ...value.split(',').filter((entry) => entry !== '')];
}

/** Suites of TLS by IANA's names, with commas between them. */
export function collectSuites(value: string, previous?: string[]): string[] {
  const names = collectList(value, previous);
  const unknown = names.find((name) => !isTlsSuite(name));
  if (unknown === undefined) return names;
  throw new InvalidArgumentError(`"${unknown}" is no suite that OpenSSL 3 offers; want IANA's names`);
}

const goTrue: readonly string[] = ['1', 't', 'T', 'true', 'TRUE', 'True'];
const goFalse: readonly string[] = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

/** `true` or `false`, as Go's boolean flags take them. */
export function parseSwitch(value: string): boolean {
  if (goTrue.includes(value)) return true;
  if (goFalse.includes(value)) return false;
  throw new InvalidArgumentError('expected true or false');
}

/** Collects `name=true,other=false` as kube-apiserver's --runtime-config takes it; a name alone means true. */
export function collectSwitches(
  value: string,
  previous: Record<string, boolean> = {},
): Record<string, boolean> {
  const switches = { ...previous };
  for (const entry of value.split(',').filter((word) => word !== '')) {
    const [, name = '', setting = 'true'] = /^([^=]+)(?:=(.*))?$/.exec(entry) ?? [];
    if (name === '' || !(goTrue.includes(setting) || goFalse.includes(setting)))
      throw new InvalidArgumentError(`"${entry}" is no NAME=true or NAME=false`);
    setOwn(switches, name, parseSwitch(setting));
  }
  return switches;
}

/** A number from 0 to `max`. */
export function parseFraction(value: string, max: number): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number <= max))
    throw new InvalidArgumentError(`"${value}" is no number from 0 to ${max}`);
  return number;
}

/** Collects `name=program`, several with commas between them; each name is given once. */
export function collectPrograms(
  value: string,
  previous: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const programs = { ...previous };
  for (const text of value.split(',')) {
    const [, name = '', program = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (name === '') throw new InvalidArgumentError(`"${text}" is no NAME=PROGRAM`);
    if (Object.hasOwn(programs, name)) throw new InvalidArgumentError(`"${name}" was given twice`);
    setOwn(programs, name, program);
  }
  return programs;
}

import { InvalidArgumentError, Option } from 'commander';

/** Where a node lives unless told otherwise. */
export const defaultDataDir = '/var/lib/wherry';

const portMax = 65_535;

/** A port number; 0 stands for any free one. */
export function parsePort(value: string): number {
  const port = parseWhole(value);
  if (port > portMax) throw new InvalidArgumentError(`a port is a number from 0 to ${portMax}`);
  return port;
}

/** A whole number from 0 on. */
export function parseWhole(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('expected a whole number from 0 on');
  return Number(value);
}

/** A whole number, below 0 too. */
export function parseInteger(value: string): number {
  if (!/^-?\d+$/.test(value)) throw new InvalidArgumentError('expected a whole number');
  return Number(value);
}

/** Collects a flag that may be given several times, each time with one value. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

/** Collects a flag that takes comma-separated values and may be given several times. */
export function collectList(value: string, previous: string[] = []): string[] {
  return [...previous, ...value.split(',').filter((entry) => entry !== '')];
}

/** `--data-dir DIR`: the folder that a node lives in. */
export function dataDirOption(): Option {
  return new Option('--data-dir <dir>', 'folder of the node').default(defaultDataDir);
}

import { setOwn } from '@wherry/kubeapi';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandError } from '../../errors.ts';
import { nodeNameProblem } from '../../node/node-name.ts';
import { outputFormats, parseOutputFormat } from '../../output/output-format.ts';

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

/** `true` or `false`, as Go's boolean flags take them. */
export function parseSwitch(value: string): boolean {
  if (!/^(true|false|1|0)$/.test(value)) throw new InvalidArgumentError('expected true or false');
  return value === 'true' || value === '1';
}

/** Collects `name=true,other=false` as kube-apiserver's --runtime-config takes it; a name alone means true. */
export function collectSwitches(
  value: string,
  previous: Record<string, boolean> = {},
): Record<string, boolean> {
  const switches = { ...previous };
  for (const entry of value.split(',').filter((word) => word !== '')) {
    const [, name = '', setting = 'true'] = /^([^=]+)(?:=(.*))?$/.exec(entry) ?? [];
    if (name === '' || !/^(true|false|1|0)$/.test(setting))
      throw new InvalidArgumentError(`"${entry}" is no NAME=true or NAME=false`);
    setOwn(switches, name, parseSwitch(setting));
  }
  return switches;
}

/** `--data-dir DIR`: the folder that a node lives in. */
export function dataDirOption(): Option {
  return new Option('--data-dir <dir>', 'folder of the node').default(defaultDataDir);
}

/** `--image-address SOCKET`: a runtime that runs alone. */
export function imageAddressOption(): Option {
  return new Option(
    '--image-address <socket>',
    'image socket of a runtime that runs alone, in place of --data-dir',
  );
}

/** `-o json|yaml|wide|name|jsonpath=…|custom-columns=…`, by name those of `formats`; `--json` is an older spelling of `-o json`. */
export function withOutput(command: Command, formats: readonly string[] = outputFormats): Command {
  const description = 'how to print it; jsonpath=TEMPLATE and custom-columns=TITLE:.path too';
  const option = new Option('-o, --output <format>', description).argParser((text) =>
    refusing(() => parseOutputFormat(text, formats)),
  );
  // For the help and for completion.
  option.argChoices = [...formats];
  return command.addOption(option).addOption(new Option('--json').implies({ output: 'json' }).hideHelp());
}

/** What a parser of ours refuses, as commander tells it. */
function refusing<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof CommandError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

/** A name that a node can have. */
export function parseNodeName(value: string): string {
  const problem = nodeNameProblem(value);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return value;
}

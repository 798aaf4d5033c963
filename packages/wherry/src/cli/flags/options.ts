import { defaultDataDir, nodeNameProblem } from '@wherry/node/layout';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { hasValues, parseOutputFormat } from '../../output/output-format.ts';
import { completeFormat, takesTemplate } from '../../output/template-format.ts';

/** A whole number, below 0 too. */
export function parseInteger(value: string): number {
  if (!/^-?\d+$/.test(value)) throw new InvalidArgumentError('expected a whole number');
  return Number(value);
}

/** `--chunk-size COUNT`. */
export const chunkSizeOption = (): Option =>
  new Option('--chunk-size <count>', 'how many objects to ask for at once; 0 for all')
    .argParser(parseInteger)
    .default(limits.listChunkSize);

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

/** `--transport NAME`, of what joins a container. */
export function transportOption(): Option {
  return new Option('--transport <name>', 'auto tries WebSocket, then SPDY')
    .choices(['auto', 'websocket', 'spdy'])
    .default('auto');
}

/**
 * `-o json|yaml|kyaml|wide|name|jsonpath=…|go-template=…|custom-columns=…`, by name those of `names`, and KYAML where there is YAML;
 * `--template`, which may stand apart, and `--json`, an older spelling of `-o json`.
 */
export function withOutput(
  command: Command,
  names: readonly string[] = ['json', 'yaml', 'wide', 'name'],
): Command {
  const formats = names.flatMap((name) => (name === 'yaml' ? [name, 'kyaml'] : name));
  const description = hasValues(names)
    ? 'how to print it; jsonpath=TEMPLATE, jsonpath-as-json=TEMPLATE, jsonpath-file=FILE, go-template=TEMPLATE, go-template-file=FILE, custom-columns=TITLE:.path and custom-columns-file=FILE too'
    : 'how to print it';
  const option = new Option('-o, --output <format>', description).argParser((text) =>
    hasValues(names) && takesTemplate(text) ? text : refusing(() => parseOutputFormat(text, formats)),
  );
  // For the help and for completion.
  option.argChoices = [...formats];
  command.addOption(option);
  if (!hasValues(names)) return command;
  command.addOption(new Option('--json').implies({ output: 'json' }).hideHelp());
  return withTemplate(command, formats);
}

/** Flags about a template, which becomes what the action is given of `-o` where that names one of `formats`, or nothing. */
export const withTemplate = (command: Command, formats: readonly string[]): Command =>
  withTemplateFlags(command).hook('preAction', async (self, acting) => {
    if (self !== acting) return;
    const format = await completeFormat(self.opts(), formats);
    if (format !== undefined) self.setOptionValue('output', format);
  });

/** Of what an editor opens: `-o json|yaml` is the form of the file and of the result, a template that of the result alone. */
export const withEditedForm = (command: Command): Command => {
  const formats = ['json', 'yaml'];
  const output = new Option('-o, --output <format>', 'what is edited, and how the result is printed');
  return withTemplate(command.addOption(output.choices(formats)), formats);
};

/** `--template` and `--allow-missing-template-keys`, which {@link completeFormat} puts together with `-o`. */
export const withTemplateFlags = (command: Command): Command =>
  command
    .option(
      '--template <template>',
      'template of -o go-template (or without -o) and jsonpath, file of go-template-file',
    )
    .option(
      '--no-allow-missing-template-keys',
      'end with an error where a template names a key that is not there',
    );

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

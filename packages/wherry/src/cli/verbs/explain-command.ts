import { type Command, Option } from 'commander';
import type { ExplainFieldsFlags } from '../../commands/explain/fields.ts';
import { CommandError } from '../../errors.ts';
import { completeFormat, type TemplateFlags } from '../../output/template-format.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { withTemplateFlags } from '../flags/options.ts';

const formatsOfPods = ['json', 'yaml', 'kyaml'];

/** `explain TYPE[.FIELD]...`, as kubectl's, and `explain pod NAME`, which is ours. */
export function addExplain(program: Command): Command {
  const output = new Option(
    '-o, --output <format>',
    'of fields: plaintext; of a pod: json, yaml, kyaml, jsonpath=TEMPLATE, go-template=TEMPLATE',
  );
  // For the help and for completion.
  output.argChoices = ['plaintext', ...formatsOfPods];
  return withTemplateFlags(withKubeFlags(program.command('explain')))
    .description(
      "print what a type or a field is for; with a pod's name, its way from the API write to Ready, and what it waits for",
    )
    .usage('(TYPE[.FIELD]... | pod NAME) [flags]')
    .argument('[words...]', 'TYPE[.FIELD]..., pod NAME, or pod/NAME')
    .option('-R, --recursive', 'of fields: the fields of fields too, in a line each')
    .option('--api-version <version>', 'of fields: as this group and version has them, such as apps/v1')
    .addOption(output)
    .addOption(new Option('--json').implies({ output: 'json' }).hideHelp())
    .action(async (words: string[], flags: ExplainFieldsFlags & TemplateFlags) => {
      const name = podName(words);
      if (name !== undefined) return explainPod(name, flags);
      const [word, ...more] = words;
      if (word === undefined)
        throw new CommandError(
          'You must specify the type of resource to explain. Use "wherry api-resources" for a complete list of supported resources.',
        );
      if (more.length > 0)
        throw new CommandError('We accept only this format: explain RESOURCE; or of a pod: explain pod NAME');
      if (flags.template !== undefined || flags.allowMissingTemplateKeys === false)
        throw new CommandError('templates are about a pod by its name; what a field is for is plain text');
      await (await import('../../commands/explain/fields.ts')).explainFields(word, flags);
    });
}

/** The pod that is asked about by its name. */
function podName(words: readonly string[]): string | undefined {
  const [type = '', name, ...rest] = words.length === 1 ? (words[0] ?? '').split('/') : words;
  const isPod = /^(po|pods?)$/.test(type.toLowerCase()) && rest.length === 0;
  return isPod && name !== '' ? name : undefined;
}

async function explainPod(name: string, flags: ExplainFieldsFlags & TemplateFlags): Promise<void> {
  const { recursive, apiVersion, output: _output, ...kubeFlags } = flags;
  if (recursive || apiVersion !== undefined)
    throw new CommandError(
      `${recursive ? '--recursive' : '--api-version'} is about fields, as in "wherry explain pod"; a pod by its name has none`,
    );
  const output = await completeFormat(flags, formatsOfPods);
  const format = output === undefined ? {} : { output };
  await (await import('../../commands/explain/pod.ts')).explainPod(name, { ...kubeFlags, ...format });
}

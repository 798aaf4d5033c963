import { collect } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import { isKustomization, kustomization } from '../../objects/manifests/kustomization.ts';

/** What help says of the words of commands about objects. */
export const typesAndNames = '[words...]';
export const typesAndNamesHelp = 'TYPE[,TYPE], TYPE NAME... or TYPE/NAME...';

/** `-f FILE`, several times. */
export const filenameOption = (): Option =>
  new Option(
    '-f, --filename <path>',
    'file, folder, URL, or - for standard input; may be repeated',
  ).argParser(collect);

/** `-k FOLDER`: what its kustomization makes stands for files. The last one counts. */
export const kustomizeOption = (): Option =>
  new KustomizeOption(
    '-k, --kustomize <folder>',
    'folder of a kustomization, in place of -f and -R',
  ).argParser((folder: string, files: string[] = []) => [
    ...files.filter((one) => !isKustomization(one)),
    kustomization(folder),
  ]);

/** It is one of the files that a command is told of. */
class KustomizeOption extends Option {
  override attributeName(): string {
    return 'filename';
  }
}

/** Commands that know no kustomizations say so. */
interface NameFlags {
  hasKustomize?: boolean;
}

/** The words and flags that say which objects a verb is about: by name or file. */
export function withNames(command: Command, { hasKustomize = true }: NameFlags = {}): Command {
  command.argument(typesAndNames, typesAndNamesHelp).addOption(filenameOption());
  if (hasKustomize) command.addOption(kustomizeOption());
  return command.option('-R, --recursive', 'folders in folders too');
}

/** Those of {@link withNames}, and a label selector. */
export const withSelection = (command: Command, flags?: NameFlags): Command =>
  withNames(command, flags).option('-l, --selector <selector>', 'those that the label selector finds');

/** Those of {@link withSelection}, and all of a type, of every namespace, or by field selector. */
export function withWideSelection(command: Command, flags?: NameFlags): Command {
  return withSelection(command, flags)
    .option('--field-selector <selector>', 'those that the field selector finds')
    .option('--all', 'all of the type in the namespace')
    .option('-A, --all-namespaces', 'of every namespace');
}

/** Lets a command look into folders in folders unless `--recursive=false`, as kubectl's `wait` and `set selector` do. */
export function recursing(command: Command): Command {
  const option = command.options.find(({ long }) => long === '--recursive');
  option?.default(true);
  return command
    .setOptionValueWithSource('recursive', true, 'default')
    .addOption(new Option('--no-recursive').hideHelp());
}

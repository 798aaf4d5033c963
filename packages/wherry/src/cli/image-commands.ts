import { collect } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { ImageOptions } from '../commands/image/connect.ts';
import type { PruneOptions } from '../commands/image/list.ts';
import type { BuildOptions } from '../commands/image/load.ts';
import type { SaveOptions } from '../commands/image/save.ts';
import type { TransferOptions } from '../commands/image/transfer.ts';
import { dataDirOption, imageAddressOption, withOutput } from './flags/options.ts';

const lists = () => import('../commands/image/list.ts');
const loads = () => import('../commands/image/load.ts');
const transfers = () => import('../commands/image/transfer.ts');
const oneForm = ['json', 'yaml', 'name'];

/** `image pull|push|load|save|build|list|remove|prune|inspect`: the image store of a running node. */
export function addImageCommands(program: Command): void {
  const image = program.command('image').description("a node's images");
  addTransfers(image);
  addArchives(image);
  addLists(image);
}

function subcommand(image: Command, usage: string, description: string): Command {
  return image
    .command(usage)
    .description(description)
    .addOption(dataDirOption())
    .addOption(imageAddressOption());
}

function addTransfers(image: Command): void {
  const creds = ['--creds <user:password>', 'for the registry (default: what docker login left)'] as const;
  withOutput(subcommand(image, 'pull <name...>', 'pull images from their registries'), oneForm)
    .option(...creds)
    .action(async (names: string[], options: TransferOptions) =>
      (await transfers()).pullImages(names, options),
    );
  withOutput(subcommand(image, 'push <name>', 'push an image to a registry'), oneForm)
    .option('--as <name>', 'under this name')
    .option(...creds)
    .action(async (name: string, options: TransferOptions) => (await transfers()).pushImage(name, options));
}

function addArchives(image: Command): void {
  const loading = 'load an OCI-layout or docker-archive tar, with the names it carries ("-" reads stdin)';
  withOutput(subcommand(image, 'load <file>', loading), oneForm).action(
    async (file: string, options: ImageOptions) => (await loads()).loadImage(file, options),
  );
  subcommand(image, 'save <name...>', 'write images into a tar, for docker load and wherry image load')
    .requiredOption('-o, --output <file>', 'the tar; "-" writes stdout')
    .action(async (names: string[], options: SaveOptions) =>
      (await import('../commands/image/save.ts')).saveImages(names, options),
    );
  withOutput(subcommand(image, 'build <name>', 'make a one-layer image of a folder or a tar'), oneForm)
    .requiredOption('--from <path>', 'folder or tar with the root file system')
    .option('--entrypoint <word>', 'entrypoint; give it once per word, or once as a JSON list', collect)
    .option('--cmd <word>', 'default arguments; once per word, or once as a JSON list', collect)
    .option('--env <name=value>', 'environment variable; may be repeated', collect)
    .option('--user <user>', 'user, as NAME, UID or UID:GID')
    .option('--workdir <dir>', 'working folder')
    .action(async (name: string, options: BuildOptions) => (await loads()).buildImage(name, options));
}

function addLists(image: Command): void {
  withOutput(subcommand(image, 'list', 'list images').alias('ls')).action(async (options: ImageOptions) =>
    (await lists()).listImages(options),
  );
  withOutput(subcommand(image, 'remove <name...>', 'remove images by name or id').alias('rm'), [
    'name',
  ]).action(async (names: string[], options: ImageOptions) => (await lists()).removeImages(names, options));
  const pruning = 'remove images that no container uses and that have no name; pinned ones stay';
  withOutput(subcommand(image, 'prune', pruning), oneForm)
    .option('-a, --all', 'those with a name too')
    .action(async (options: PruneOptions) => (await lists()).pruneImages(options));
  withOutput(subcommand(image, 'inspect <name>', 'print all that is known of one image'), [
    'json',
    'yaml',
  ]).action(async (name: string, options: ImageOptions) => (await lists()).inspectImage(name, options));
}

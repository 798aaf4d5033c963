import { collect } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { BuildOptions, ImageOptions } from '../commands/image/image.ts';
import { dataDirOption, imageAddressOption, withOutput } from './flags/options.ts';

const load = () => import('../commands/image/image.ts');

/** `image load|build|list|remove|inspect`: the image store of a running node. */
export function addImageCommands(program: Command): void {
  const image = program.command('image').description("a node's images");
  withOutput(image.command('load <file>'), ['json', 'yaml', 'name'])
    .description('load an OCI-layout or docker-archive tar, with the names it carries ("-" reads stdin)')
    .addOption(dataDirOption())
    .addOption(imageAddressOption())
    .action(async (file: string, options: ImageOptions) => (await load()).loadImage(file, options));
  withOutput(image.command('build <name>'), ['json', 'yaml', 'name'])
    .description('make a one-layer image of a folder or a tar')
    .requiredOption('--from <path>', 'folder or tar with the root file system')
    .option('--entrypoint <word>', 'entrypoint; give it once per word, or once as a JSON list', collect)
    .option('--cmd <word>', 'default arguments; once per word, or once as a JSON list', collect)
    .option('--env <name=value>', 'environment variable; may be repeated', collect)
    .option('--user <user>', 'user, as NAME, UID or UID:GID')
    .option('--workdir <dir>', 'working folder')
    .addOption(dataDirOption())
    .addOption(imageAddressOption())
    .action(async (name: string, options: BuildOptions) => (await load()).buildImage(name, options));
  withOutput(image.command('list').alias('ls'))
    .description('list images')
    .addOption(dataDirOption())
    .addOption(imageAddressOption())
    .action(async (options: ImageOptions) => (await load()).listImages(options));
  image
    .command('remove <name...>')
    .alias('rm')
    .description('remove images by name or id')
    .addOption(dataDirOption())
    .addOption(imageAddressOption())
    .action(async (names: string[], options: ImageOptions) => (await load()).removeImages(names, options));
  withOutput(image.command('inspect <name>'), ['json', 'yaml'])
    .description('print all that is known of one image')
    .addOption(dataDirOption())
    .addOption(imageAddressOption())
    .action(async (name: string, options: ImageOptions) => (await load()).inspectImage(name, options));
}

import { createReadStream, existsSync, statSync } from 'node:fs';
import { createImageClient, type ImageClient, packTree } from '@wherry/images';
import { layoutOf, socketAnswers } from '@wherry/node';
import { CommandError } from '../../errors.ts';
import { formatBytes } from '../../output/bytes.ts';
import { printListing, printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';

/** Options of every image command. */
export interface ImageOptions {
  dataDir: string;
  imageAddress?: string;
  output?: OutputFormat;
}

/** Options of `wherry image build`. */
export interface BuildOptions extends ImageOptions {
  from: string;
  entrypoint?: string[];
  cmd?: string[];
  env?: string[];
  user?: string;
  workdir?: string;
}

/** Loads a tar of images; `-` reads stdin. */
export async function loadImage(file: string, options: ImageOptions): Promise<void> {
  await withImages(options, async (images) => {
    const { images: loaded } = await images.load(openTar(file));
    for (const { id, names } of loaded) console.log(`loaded ${names.length > 0 ? names.join(', ') : id}`);
  });
}

/** Makes a one-layer image of a folder or a tar. */
export async function buildImage(name: string, options: BuildOptions): Promise<void> {
  const { from, entrypoint, cmd, env, user, workdir } = options;
  if (!existsSync(from)) throw new CommandError(`"${from}" does not exist; --from takes a folder or a tar`);
  const tree = statSync(from).isDirectory() ? packTree(from) : openTar(from);
  await withImages(options, async (images) => {
    const built = await images.build(tree, {
      name,
      entrypoint: wordsOf(entrypoint),
      cmd: wordsOf(cmd),
      env,
      user,
      workingDir: workdir,
    });
    console.log(`built ${built.names.join(', ')} (${built.id})`);
  });
}

/** Prints the images. */
export async function listImages(options: ImageOptions): Promise<void> {
  await withImages(options, async (images) => {
    const { images: all } = await images.list();
    if (isValueFormat(options.output)) return printValue(all, options.output);
    const items = all.flatMap((image) =>
      (image.names.length > 0 ? image.names : ['<none>']).map((name) => ({ ...image, name })),
    );
    const columns = [
      { title: 'NAME', cell: ({ name }: (typeof items)[number]) => name },
      {
        title: 'ID',
        cell: ({ id }: (typeof items)[number]) => (options.output === 'wide' ? id : shortId(id)),
      },
      { title: 'SIZE', cell: ({ sizeBytes }: (typeof items)[number]) => formatBytes(sizeBytes) },
    ];
    const nameOf = ({ name, id }: (typeof items)[number]) => (name === '<none>' ? id : name);
    printListing({ items, columns, nameOf }, options.output);
  });
}

/** Removes images by name or id. */
export async function removeImages(names: string[], options: ImageOptions): Promise<void> {
  await withImages(options, async (images) => {
    for (const name of names) {
      await images.remove(name);
      console.log(`removed ${name}`);
    }
  });
}

/** Prints what is known of one image, as JSON unless YAML is asked for. */
export async function inspectImage(name: string, options: ImageOptions): Promise<void> {
  await withImages(options, async (images) =>
    printValue(await images.inspect(name), isValueFormat(options.output) ? options.output : 'json'),
  );
}

async function withImages(
  options: ImageOptions,
  work: (images: ImageClient) => Promise<void>,
): Promise<void> {
  const socketPath = options.imageAddress ?? layoutOf(options.dataDir).imageSocket;
  if (!(await socketAnswers(socketPath))) {
    throw new CommandError(`no runtime answers at "${socketPath}"; "wherry up" starts the node`);
  }
  await work(createImageClient(socketPath));
}

function openTar(file: string): AsyncIterable<Uint8Array> {
  if (file === '-') return process.stdin;
  if (!existsSync(file)) throw new CommandError(`"${file}" does not exist`);
  return createReadStream(file);
}

/** One word per flag, or a JSON list in a single one. */
function wordsOf(values: string[] | undefined): string[] | undefined {
  const [only] = values ?? [];
  if (values?.length !== 1 || !only?.trimStart().startsWith('[')) return values;
  try {
    const list: unknown = JSON.parse(only);
    if (Array.isArray(list) && list.every((word) => typeof word === 'string')) return list;
  } catch {
    // Not a list after all: a word that begins with a bracket.
  }
  return values;
}

const shortIdLength = 12;
const shortId = (id: string) => id.replace(/^sha256:/, '').slice(0, shortIdLength);

import { createReadStream, existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { createImageClient, type ImageClient, packTree } from '@wherry/images';
import { layoutOf, socketAnswers } from '@wherry/node';
import { CommandError } from '../../errors.ts';
import { formatBytes } from '../../output/bytes.ts';
import { printListing, printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';
import { ProgressBar } from '../../output/progress-bar.ts';
import { interruptible } from '../../terminal/interrupt.ts';

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
  const { tar, totalBytes } = openTar(file);
  await withImages(options, async (images, signal) => {
    const { images: loaded } = await withProgress(`loading ${nameOfFile(file)}`, (bar) =>
      images.load(bar.count(tar, totalBytes), { signal }),
    );
    if (isValueFormat(options.output)) return printValue(loaded, options.output);
    for (const { id, names } of loaded) {
      const name = names.length > 0 ? names.join(', ') : id;
      console.log(options.output === 'name' ? name : `loaded ${name}`);
    }
  });
}

/** Makes a one-layer image of a folder or a tar. */
export async function buildImage(name: string, options: BuildOptions): Promise<void> {
  const { from, entrypoint, cmd, env, user, workdir } = options;
  if (!existsSync(from)) throw new CommandError(`"${from}" does not exist; --from takes a folder or a tar`);
  const { tar, totalBytes } = statSync(from).isDirectory()
    ? { tar: packTree(from), totalBytes: undefined }
    : openTar(from);
  await withImages(options, async (images, signal) => {
    const request = {
      name,
      entrypoint: wordsOf(entrypoint),
      cmd: wordsOf(cmd),
      env,
      user,
      workingDir: workdir,
    };
    const built = await withProgress(`building ${name}`, (bar) =>
      images.build(bar.count(tar, totalBytes), request, { signal }),
    );
    if (isValueFormat(options.output)) printValue(built, options.output);
    else if (options.output === 'name') console.log(built.names.join('\n'));
    else console.log(`built ${built.names.join(', ')} (${built.id})`);
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
  work: (images: ImageClient, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const socketPath = options.imageAddress ?? layoutOf(options.dataDir).imageSocket;
  if (!(await socketAnswers(socketPath))) {
    throw new CommandError(`no runtime answers at "${socketPath}"; "wherry up" starts the node`);
  }
  await interruptible((signal) => work(createImageClient(socketPath), signal));
}

async function withProgress<T>(title: string, work: (bar: ProgressBar) => Promise<T>): Promise<T> {
  using bar = new ProgressBar(title);
  return await work(bar);
}

const nameOfFile = (file: string) => (file === '-' ? 'standard input' : basename(file));

/** A tar and its size; that of a pipe is not known. */
function openTar(file: string): { tar: AsyncIterable<Uint8Array>; totalBytes: number | undefined } {
  if (file === '-') {
    if (process.stdin.isTTY) {
      throw new CommandError('standard input is a terminal; pipe a tar in, or name a file');
    }
    return { tar: process.stdin, totalBytes: undefined };
  }
  const status = statSync(file, { throwIfNoEntry: false });
  if (!status) throw new CommandError(`"${file}" does not exist`);
  if (status.isDirectory()) {
    throw new CommandError(
      `"${file}" is a folder; "wherry image build NAME --from ${file}" makes an image of it`,
    );
  }
  return { tar: createReadStream(file), totalBytes: status.isFile() ? status.size : undefined };
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

import { createReadStream, existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { packTree } from '@wherry/images';
import { CommandError } from '../../errors.ts';
import { print, printValue } from '../../output/listing.ts';
import { isValueFormat } from '../../output/output-format.ts';
import { ProgressBar } from '../../output/progress-bar.ts';
import { type ImageOptions, withImages } from './connect.ts';
import { namesMeant } from './names-meant.ts';

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
  const title = `loading ${file === '-' ? 'standard input' : basename(file)}`;
  await withImages(options, async (images, signal) => {
    const { images: loaded } = await withProgress(title, (bar) =>
      images.load(bar.count(tar, totalBytes), { signal }),
    );
    if (isValueFormat(options.output)) return printValue(loaded, options.output);
    const names = loaded.map((image) => (image.names.length > 0 ? image.names.join(', ') : image.id));
    print(names.map((name) => (options.output === 'name' ? name : `loaded ${name}`)).join('\n'));
  });
}

/** Makes a one-layer image of a folder or a tar. */
export async function buildImage(name: string, options: BuildOptions): Promise<void> {
  const { from, entrypoint, cmd, env, user, workdir } = options;
  if (!existsSync(from)) throw new CommandError(`"${from}" does not exist; --from takes a folder or a tar`);
  const { tar, totalBytes } = statSync(from).isDirectory()
    ? { tar: packTree(from), totalBytes: undefined }
    : openTar(from);
  const words = { entrypoint: wordsOf(entrypoint), cmd: wordsOf(cmd) };
  await withImages(options, async (images, signal) => {
    const request = { name, ...words, env, user, workingDir: workdir };
    const built = await withProgress(`building ${name}`, (bar) =>
      images.build(bar.count(tar, totalBytes), request, { signal }),
    );
    if (isValueFormat(options.output)) return printValue(built, options.output);
    const names = namesMeant(name, built.names).join(options.output === 'name' ? '\n' : ', ');
    print(options.output === 'name' ? names : `built ${names} (${built.id})`);
  });
}

async function withProgress<T>(title: string, work: (bar: ProgressBar) => Promise<T>): Promise<T> {
  using bar = new ProgressBar(title);
  return await work(bar);
}

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

import type { ImageSummary } from '@wherry/images';
import { formatBytes } from '../../output/bytes.ts';
import { type Column, print, printListing, printValue } from '../../output/listing.ts';
import { isValueFormat } from '../../output/output-format.ts';
import { type ImageOptions, withImages } from './connect.ts';

/** Options of `wherry image prune`. */
export interface PruneOptions extends ImageOptions {
  /** Those with a name too. */
  all?: boolean;
}

type NamedImage = ImageSummary & { name: string };

/** Prints the images. */
export async function listImages(options: ImageOptions): Promise<void> {
  await withImages(options, async (images) => {
    const { images: all } = await images.list();
    if (isValueFormat(options.output)) return printValue(all, options.output);
    const items = all.flatMap((image) =>
      (image.names.length > 0 ? image.names : ['<none>']).map((name): NamedImage => ({ ...image, name })),
    );
    const nameOf = ({ name, id }: NamedImage) => (name === '<none>' ? id : name);
    printListing({ items, columns: columnsOf(options.output === 'wide'), nameOf }, options.output);
  });
}

const columnsOf = (isWide: boolean): Column<NamedImage>[] => [
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'ID', cell: ({ id }) => (isWide ? id : shortId(id)) },
  { title: 'SIZE', cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
];

/** Removes images by name or id. */
export async function removeImages(names: string[], options: ImageOptions): Promise<void> {
  await withImages(options, async (images) => {
    for (const name of names) {
      await images.remove(name);
      console.log(options.output === 'name' ? name : `removed ${name}`);
    }
  });
}

/** Removes images that nothing uses: those without a name, or all. */
export async function pruneImages(options: PruneOptions): Promise<void> {
  await withImages(options, async (images, signal) => {
    const pruned = await images.prune({ all: options.all, signal });
    if (isValueFormat(options.output)) return printValue(pruned, options.output);
    const names = pruned.removed.map(({ names, id }) => names.join(', ') || id);
    if (options.output === 'name') return print(names.join('\n'));
    print(
      [...names.map((name) => `removed ${name}`), `${formatBytes(pruned.freedBytes)} came free`].join('\n'),
    );
  });
}

/** Prints what is known of one image, as JSON unless YAML is asked for. */
export async function inspectImage(name: string, options: ImageOptions): Promise<void> {
  await withImages(options, async (images) =>
    printValue(await images.inspect(name), isValueFormat(options.output) ? options.output : 'json'),
  );
}

const shortIdLength = 12;
const shortId = (id: string) => id.replace(/^sha256:/, '').slice(0, shortIdLength);

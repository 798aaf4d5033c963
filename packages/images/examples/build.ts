import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@wherry/clock';
import { buildImage, ImageStore, packTree } from '@wherry/images';
import { silentLogger } from '@wherry/telemetry';

const folder = await mkdtemp(join(tmpdir(), 'images-'));
await mkdir(join(folder, 'tree'));
await writeFile(join(folder, 'tree/hello'), 'hello\n');

// A store in a folder: documents and content by digest, each layer unpacked once.
const store = new ImageStore({ root: join(folder, 'store'), clock: systemClock, logger: silentLogger });
await store.open();
const image = await buildImage(store, packTree(join(folder, 'tree')), { name: 'hello:1', cmd: ['/hello'] });
console.log(image.tags, image.config.cmd, image.layerKeys.length);
console.log(store.find('hello:1').id === image.id);

await store.close();
await rm(folder, { recursive: true });

// Prints:
// [ 'docker.io/library/hello:1' ] [ '/hello' ] 1
// true

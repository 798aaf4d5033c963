/** A process that loads an image archive into a store and says when it is done: `install-image.ts STORE ARCHIVE`. */
import { createReadStream, writeSync } from 'node:fs';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { loadArchive } from '../src/archive/archive-load.ts';
import { ImageStore } from '../src/store/image-store.ts';

const [root = '', archive = ''] = process.argv.slice(2);
const store = new ImageStore({ root, clock: systemClock, logger: silentLogger });
await store.open();
await loadArchive(store, createReadStream(archive));
writeSync(1, 'stored\n');
await store.close();

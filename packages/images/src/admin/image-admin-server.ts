import { chmod, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeServer, listen, trackSockets } from '@wherry/bytes';
import { loadArchive } from '../archive/archive-load.ts';
import { buildImage } from '../archive/build.ts';
import { ImageError, messageOf } from '../errors.ts';
import type { StoredImage } from '../store/image-record.ts';
import type { ImageStore } from '../store/image-store.ts';
import {
  type AdminFailure,
  adminPaths,
  type ImageBuildRequest,
  type ImageDetails,
  type ImageSummary,
} from './image-admin.ts';

const summary = ({ id, tags, digests, sizeBytes }: StoredImage): ImageSummary => ({
  id,
  names: tags,
  digests,
  sizeBytes,
});

function details(image: StoredImage): ImageDetails {
  const { manifestDigest, pinned, storedAtMs } = image;
  return { ...summary(image), manifestDigest, pinned, storedAtMs, config: image.config };
}

/** Serves `createImageClient` on a unix socket (mode 0600). */
export class ImageAdminServer {
  readonly #store: ImageStore;
  readonly #server: Server;
  readonly #connections: ReadonlySet<Socket>;

  constructor(store: ImageStore) {
    this.#store = store;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
    this.#connections = trackSockets(this.#server);
    // An image may take as long as its disk needs.
    this.#server.requestTimeout = 0;
  }

  async listen(socketPath: string): Promise<void> {
    await rm(socketPath, { force: true });
    await listen(this.#server, { path: socketPath });
    await chmod(socketPath, 0o600);
  }

  async close(): Promise<void> {
    await closeServer(this.#server, this.#connections);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answer = await this.#answer(request);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    } catch (error) {
      const code = error instanceof ImageError ? error.code : 'UNKNOWN';
      const status = code === 'NOT_FOUND' ? 404 : code === 'INVALID_ARGUMENT' ? 400 : 500;
      const body: AdminFailure = { code, message: messageOf(error) };
      // What is left of the upload is not read: the connection ends with the answer.
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify(body));
      request.resume();
    }
  }

  async #answer(request: IncomingMessage): Promise<object> {
    const url = new URL(request.url ?? '/', 'http://images');
    const options = JSON.parse(url.searchParams.get('options') ?? '{}') as {
      names?: string[];
      name?: string;
    };
    const { load, build, images } = adminPaths;
    switch (`${request.method} ${url.pathname}`) {
      case `POST ${load}`:
        return { images: (await loadArchive(this.#store, request, options.names)).map(summary) };
      case `POST ${build}`:
        return summary(await buildImage(this.#store, request, buildOptions(options)));
      case `GET ${images}`:
        return options.name === undefined
          ? { images: this.#store.catalog.list().map(summary) }
          : details(this.#store.find(options.name));
      case `DELETE ${images}`: {
        const image = this.#store.find(options.name ?? '');
        await this.#store.remove(image.id);
        return summary(image);
      }
      default:
        throw new ImageError('NOT_FOUND', `there is no ${request.method} ${url.pathname} here`);
    }
  }
}

function buildOptions(options: object): ImageBuildRequest {
  const { name } = options as Partial<ImageBuildRequest>;
  if (!name) throw new ImageError('INVALID_ARGUMENT', 'a build needs a name for its image');
  return options as ImageBuildRequest;
}

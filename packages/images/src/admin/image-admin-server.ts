import { chmod, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { closeServer, listen, trackSockets } from '@wherry/bytes';
import { loadArchive } from '../archive/archive-load.ts';
import { buildImage } from '../archive/build.ts';
import { saveArchive } from '../archive/save.ts';
import { ImageError } from '../errors.ts';
import type { Puller } from '../registry/puller.ts';
import type { Pusher } from '../registry/pusher.ts';
import type { StoredImage } from '../store/image-record.ts';
import type { ImageStore } from '../store/image-store.ts';
import {
  adminPaths,
  type ImageBuildRequest,
  type ImageDetails,
  type ImagePruneRequest,
  type ImagePullRequest,
  type ImagePushRequest,
  type ImageSummary,
} from './image-admin.ts';
import { answerTransfer, failureOf } from './transfer-lines.ts';

/** What the socket offers. */
export interface ImageAdminOptions {
  store: ImageStore;
  puller: Puller;
  pusher: Pusher;
}

/** The query parameter `options` of all requests together. */
interface AdminQuery extends ImagePullRequest, ImagePushRequest, ImagePruneRequest {
  name?: string;
  names?: string[];
  pinned?: boolean;
}

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
  readonly #options: ImageAdminOptions;
  readonly #server: Server;
  readonly #connections: ReadonlySet<Socket>;

  constructor(options: ImageAdminOptions) {
    this.#options = options;
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
      const url = new URL(request.url ?? '/', 'http://images');
      const query = JSON.parse(url.searchParams.get('options') ?? '{}') as AdminQuery;
      const route = `${request.method} ${url.pathname}`;
      if (await this.#stream(route, query, response)) return;
      const answer = await this.#answer(route, query, request);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    } catch (error) {
      const failure = failureOf(error);
      const status = failure.code === 'NOT_FOUND' ? 404 : failure.code === 'INVALID_ARGUMENT' ? 400 : 500;
      // A stream that has begun can only be torn.
      if (response.headersSent) throw error;
      // What is left of the upload is not read: the connection ends with the answer.
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify(failure));
      request.resume();
    }
  }

  /** Answers what is no single document; false for everything else. */
  async #stream(route: string, query: AdminQuery, response: ServerResponse): Promise<boolean> {
    const { store, puller, pusher } = this.#options;
    const { name = '', names = [], as, auth } = query;
    switch (route) {
      case `POST ${adminPaths.pull}`:
        await answerTransfer(response, async (options) =>
          summary(await puller.pull(name, { auth, ...options })),
        );
        return true;
      case `POST ${adminPaths.push}`:
        await answerTransfer(response, async (options) => ({
          digest: await pusher.push(name, { as, auth, ...options }),
        }));
        return true;
      case `GET ${adminPaths.save}`: {
        const archive = await saveArchive(store, names);
        response.writeHead(200, { 'content-type': 'application/x-tar' });
        await pipeline(Readable.from(archive), response);
        return true;
      }
      default:
        return false;
    }
  }

  async #answer(route: string, query: AdminQuery, request: IncomingMessage): Promise<object> {
    const { store } = this.#options;
    const { name = '', names, pinned = true, all } = query;
    const { load, build, images, prune, pin } = adminPaths;
    switch (route) {
      case `POST ${load}`:
        return { images: (await loadArchive(store, request, names)).map(summary) };
      case `POST ${build}`:
        return summary(await buildImage(store, request, buildOptions(query)));
      case `GET ${images}`:
        return query.name === undefined
          ? { images: store.catalog.list().map(summary) }
          : details(store.find(name));
      case `DELETE ${images}`: {
        const image = store.find(name);
        await store.remove(image.id);
        return summary(image);
      }
      case `POST ${prune}`: {
        const { removed, freedBytes } = await store.prune({ all });
        return { removed: removed.map(summary), freedBytes };
      }
      case `POST ${pin}`:
        return summary(await store.pin(name, pinned));
      default:
        throw new ImageError('NOT_FOUND', `there is no ${route} here`);
    }
  }
}

function buildOptions(options: object): ImageBuildRequest {
  const { name } = options as Partial<ImageBuildRequest>;
  if (!name) throw new ImageError('INVALID_ARGUMENT', 'a build needs a name for its image');
  return options as ImageBuildRequest;
}

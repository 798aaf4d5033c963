import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { imageOf } from '../packages/images/test/image-delivery.ts';
import { rawTar } from '../packages/images/test/raw-tar.ts';
import { startTestRegistry } from '../packages/images/test/registry.ts';

/** A registry on loopback with one image of one layer, whose bytes come and go slowly as long as it is told so. */
export interface SlowRegistry extends Disposable {
  /** Name of its image. */
  image: string;
  /** Where a push may go. */
  target: string;
  isSlow: boolean;
  /** The places in the layer from which downloads began. */
  readonly downloadsFrom: number[];
  /** Uploads and downloads that are open now. */
  readonly openTransfers: number;
}

const layerBytes = 24 << 20;
const sliceBytes = 64 << 10;
const pauseMs = 20;

/** Starts one. */
export async function startSlowRegistry(): Promise<SlowRegistry> {
  const layer = rawTar([{ path: 'content', content: randomBytes(layerBytes) }]);
  const layerDigest = createHash('sha256').update(layer).digest('hex');
  const state = { isSlow: true, downloadsFrom: [] as number[], openTransfers: 0 };

  /** Counts a transfer until its connection or its work ends. */
  const counted = (response: ServerResponse, work: () => Promise<void>) => {
    state.openTransfers += 1;
    response.once('close', () => (state.openTransfers -= 1));
    work().catch(() => response.destroy());
  };

  const send = async (request: IncomingMessage, response: ServerResponse) => {
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    state.downloadsFrom.push(from);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': layer.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${layer.length - 1}/${layer.length}` }),
    });
    for (let at = from; at < layer.length && !response.destroyed; at += sliceBytes) {
      if (!response.write(layer.subarray(at, at + sliceBytes))) await once(response, 'drain');
      if (state.isSlow) await delay(pauseMs);
    }
    response.end();
  };

  const take = async (request: IncomingMessage, response: ServerResponse) => {
    for await (const _chunk of request) if (state.isSlow) await delay(pauseMs);
    response.writeHead(202, { location: request.url ?? '' }).end();
  };

  const registry = await startTestRegistry({
    image: imageOf([{ plain: layer }]),
    hook(request, response) {
      const { method, url = '' } = request;
      if (method === 'GET' && url.endsWith(`/blobs/sha256:${layerDigest}`)) {
        counted(response, () => send(request, response));
      } else if (method === 'POST' && url.startsWith('/v2/pushed/image/blobs/uploads/')) {
        response.writeHead(202, { location: '/v2/pushed/image/blobs/uploads/one' }).end();
      } else if (method === 'PATCH') {
        counted(response, () => take(request, response));
      } else if (method === 'PUT') {
        response.writeHead(201, { location: url }).end();
      } else return false;
      return true;
    },
  });
  return Object.assign(state, {
    image: `${registry.host}/a/b:v1`,
    target: `${registry.host}/pushed/image:v1`,
    [Symbol.dispose]: () => registry.close(),
  });
}

import { formatApiVersion, StatusError } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import type { KubeList, KubeObject } from '../objects/objects.ts';
import type { ResourceClient, SelectOptions } from './resource-client.ts';

/**
 * A list that is fetched page by page while it is read: `for await (const pod of listing)`. Each reading asks the
 * server anew. The pages are of one snapshot, as long as the server keeps it (five minutes, usually); after that the
 * rest is read from what is there then: an object may be missed that changed its place meanwhile, none comes twice.
 */
export class Listing<T extends KubeObject> implements AsyncIterable<T> {
  readonly #resource: Promise<ResourceClient<T>>;
  readonly #options: SelectOptions;

  constructor(resource: Promise<ResourceClient<T>>, options: SelectOptions) {
    this.#resource = resource;
    // Who does not read the list hears of its errors nowhere else either.
    resource.catch(() => {});
    this.#options = options;
  }

  /** The pages, `limits.listPageSize` objects each. Their items say apiVersion and kind, unlike the server's. */
  async *pages(): AsyncGenerator<KubeList<T>, void> {
    const resource = await this.#resource;
    const { group, version, kind } = resource.type;
    const stamp = { apiVersion: formatApiVersion(group, version), kind };
    const { resourceVersion: _first, ...rest } = this.#options;
    let page = await resource.list({ ...this.#options, limit: limits.listPageSize });
    for (;;) {
      yield { ...page, items: page.items.map((item) => ({ ...stamp, ...item })) };
      const token = page.metadata?.continue;
      if (!token) return;
      page = await pageAt(token, resource, rest);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const page of this.pages()) yield* page.items;
  }

  /** All of it. */
  async toArray(): Promise<T[]> {
    const all: T[] = [];
    for await (const page of this.pages()) for (const item of page.items) all.push(item);
    return all;
  }
}

/** A server that keeps the snapshot no longer says how to go on with what is there now (410). */
async function pageAt<T extends KubeObject>(
  token: string,
  resource: ResourceClient<T>,
  select: SelectOptions,
): Promise<KubeList<T>> {
  const next = { ...select, limit: limits.listPageSize };
  try {
    return await resource.list({ ...next, continue: token });
  } catch (error) {
    const other =
      error instanceof StatusError && error.code === 410 ? error.status.metadata?.continue : undefined;
    if (!other) throw error;
    return resource.list({ ...next, continue: other });
  }
}

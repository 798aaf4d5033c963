import { StatusError } from '@wherry/kubeapi';

/** What of a list is asked for. */
export interface Part {
  limit?: number;
  continue?: string;
}

interface Page {
  metadata?: { continue?: string };
}

/**
 * The pages of a list, of `size` objects each; one for all of them with 0. When the server keeps the snapshot no longer, all is
 * asked for anew at once.
 */
export async function inChunks<T extends Page>(size: number, ask: (part: Part) => Promise<T>): Promise<T[]> {
  if (size === 0) return [await ask({})];
  const pages: T[] = [];
  for (let token: string | undefined; ; ) {
    try {
      const page = await ask({ ...(token === undefined ? {} : { continue: token }), limit: size });
      pages.push(page);
      token = page.metadata?.continue;
      if (!token) return pages;
    } catch (error) {
      if (token === undefined || !(error instanceof StatusError) || error.code !== gone) throw error;
      return [await ask({})];
    }
  }
}

/** The items of those pages. */
export async function itemsInChunks<T>(
  size: number,
  ask: (part: Part) => Promise<Page & { items: T[] }>,
): Promise<T[]> {
  return (await inChunks(size, ask)).flatMap(({ items }) => items);
}

const gone = 410;

import { StatusError } from '@wherry/kubeapi';

interface Page {
  metadata?: { continue?: string };
}

/**
 * The pages of a list, of `size` objects each; one for all of them with 0. When the server keeps the snapshot no longer, all is
 * asked for anew at once.
 */
export async function inChunks<T extends Page>(
  size: number,
  ask: (query: { limit?: number; continue?: string }) => Promise<T>,
): Promise<T[]> {
  if (size === 0) return [await ask({})];
  const pages: T[] = [];
  for (let token: string | undefined; ; ) {
    try {
      const page = await ask({ limit: size, ...(token === undefined ? {} : { continue: token }) });
      pages.push(page);
      token = page.metadata?.continue;
      if (!token) return pages;
    } catch (error) {
      if (token === undefined || !(error instanceof StatusError) || error.code !== gone) throw error;
      return [await ask({})];
    }
  }
}

const gone = 410;

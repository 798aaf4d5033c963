import type { GivenFlags } from '../layout/settings.ts';

/** Flags that somebody gives the API server, as its code has them. What reads them is loaded where there are some. Throws `NodeError` `bad-settings`. */
export async function readFlags(given: GivenFlags | undefined): Promise<Record<string, unknown>> {
  if (!given) return {};
  const { readGivenFlags } = await import('../roles/commands/given-flags.ts');
  return readGivenFlags('apiserver', given);
}

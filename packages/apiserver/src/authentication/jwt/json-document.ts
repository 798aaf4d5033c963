import { get, type RequestOptions } from 'node:https';
import { type Clock, deadline } from '@wherry/clock';
import type { Dial } from '../../dialing/dial.ts';
import { httpsAgent } from '../../dialing/dialled-agents.ts';
import { readTextWithin } from '../../dialing/read-text.ts';
import { limits, periods } from '../../limits.ts';

/** What a document is asked for with. */
export interface DocumentOptions {
  caPem: string | undefined;
  clock: Clock;
  signal: AbortSignal;
  /** Default: from here. */
  dial?: Dial | undefined;
  /** Who asks. Default: nobody. */
  accessToken?: string | undefined;
}

/** The JSON object at an https URL. Rejects with what is wrong with the answer. */
export async function readDocument(
  url: string,
  options: DocumentOptions,
): Promise<Readonly<Record<string, unknown>>> {
  return documentOf(url, await fetchDocument(url, options));
}

/** The JSON object that an answer is. Throws what is wrong with it. */
export function documentOf(
  url: string,
  { status, text }: { status: number; text: string },
): Readonly<Record<string, unknown>> {
  if (status !== 200) throw new Error(`"${url}" answers ${status}`);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Error(`"${url}" answers no JSON`, { cause: error });
  }
  if (typeof document !== 'object' || document === null) throw new Error(`"${url}" answers no JSON object`);
  return document as Readonly<Record<string, unknown>>;
}

/** The text at an https URL, redirected nowhere. Rejects where there is no answer in time, or a long one. */
export async function fetchDocument(
  url: string,
  { caPem, clock, signal, dial, accessToken = '' }: DocumentOptions,
): Promise<{ status: number; text: string }> {
  if (URL.parse(url)?.protocol !== 'https:') throw new Error(`"${url}" is no https URL`);
  using patience = deadline({ clock, timeoutMs: periods.identityProviderMs, signal });
  // An authority may be the provider's own certificate: Go trusts whatever is in a pool.
  const trust = caPem === undefined ? {} : { ca: caPem, allowPartialTrustChain: true };
  const headers = {
    accept: 'application/json',
    ...(accessToken !== '' && { authorization: `Bearer ${accessToken}` }),
  };
  const agent = dial ? httpsAgent({}, dial) : false;
  const { status, text } = await fetchText(url, { ...trust, headers, agent, signal: patience.signal });
  if (text === undefined)
    throw new Error(`"${new URL(url).host}" answers more than ${limits.identityDocumentBytesMax} bytes`);
  return { status, text };
}

function fetchText(
  url: string,
  options: RequestOptions,
): Promise<{ status: number; text: string | undefined }> {
  return new Promise((resolve, reject) => {
    const request = get(url, options);
    request.on('error', reject);
    request.on('response', (response) => {
      readTextWithin(response, limits.identityDocumentBytesMax).then(
        (text) => resolve({ status: response.statusCode ?? 0, text }),
        reject,
      );
    });
  });
}

import type { Clock } from '@wherry/clock';
import { type JsonValue, type ResourceFacts, StatusError } from '@wherry/kubeapi';
import { groups, userInfo } from '../authentication/identity.ts';
import { readTextWithin } from '../dialing/read-text.ts';
import { limits, periods } from '../limits.ts';
import { factsOf, openApiUrlOf } from './discovery-facts.ts';
import { type ExtensionClient, identityHeaders } from './extension-client.ts';
import type { Extension } from './extensions.ts';
import type { Verdict } from './verdicts.ts';

/** How an extension server is, and what it tells of. */
export interface Checked {
  verdict: Verdict;
  /** Undefined when it did not answer. */
  facts?: readonly ResourceFacts[];
  /** Where its OpenAPI document is; undefined where it has none. */
  openApiUrl?: string | undefined;
}

const asker = userInfo('system:kube-aggregator', [groups.masters]);

/** Asks an extension server what it serves: it is available when it tells. Never rejects. */
export async function checkExtension(
  client: ExtensionClient,
  extension: Extension,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<Checked> {
  const { group, version } = extension.spec;
  const until = new AbortController();
  const timer = clock.after(periods.extensionCheckMs, () =>
    until.abort(new Error(`no answer within ${periods.extensionCheckMs / 1000} s`)),
  );
  const both = AbortSignal.any([signal, until.signal]);
  const get = (path: string) => getJson(client, extension, path, both);
  try {
    const facts = factsOf(await get(`/apis/${group}/${version}`), group, version);
    if (!facts) return failed(new Error(`it does not tell of ${group}/${version}`));
    const name = `apis/${group}/${version}`;
    const openApiUrl = await get('/openapi/v3').then(
      (index) => openApiUrlOf(index, name),
      () => undefined,
    );
    return {
      verdict: { isAvailable: true, reason: 'Passed', message: 'all checks passed' },
      facts,
      openApiUrl,
    };
  } catch (error) {
    return failed(until.signal.aborted ? (until.signal.reason as Error) : (error as Error));
  } finally {
    timer.cancel();
  }
}

async function getJson(
  client: ExtensionClient,
  extension: Extension,
  path: string,
  signal: AbortSignal,
): Promise<JsonValue> {
  const target = await client.locate(extension, { path }, signal);
  const headers = { accept: 'application/json', 'user-agent': 'kube-aggregator', ...identityHeaders(asker) };
  const answer = await client.send(target, { method: 'GET', headers, signal });
  const bytesMax = limits.extensionDocumentBytesMax;
  const text = await readTextWithin(answer, bytesMax);
  if (text === undefined) throw new Error(`its answer is longer than ${bytesMax} bytes`);
  if (answer.statusCode !== 200) throw new Error(`${path} was answered with ${answer.statusCode}`);
  return JSON.parse(text) as JsonValue;
}

/** Upstream's reasons. */
function failed(error: Error): Checked {
  const { message } = error;
  const isStatus = error instanceof StatusError;
  const reason =
    isStatus && error.code === 404
      ? 'ServiceNotFound'
      : isStatus && message.startsWith('no service port')
        ? 'ServicePortError'
        : isStatus && message.startsWith('no endpoints')
          ? 'MissingEndpoints'
          : 'FailedDiscoveryCheck';
  return { verdict: { isAvailable: false, reason, message } };
}

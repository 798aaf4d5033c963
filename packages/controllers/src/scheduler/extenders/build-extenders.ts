import { readFileSync } from 'node:fs';
import type { Clock } from '@wherry/clock';
import { parseDurationMs } from '@wherry/kubeapi/objects';
import type { ExtenderConfiguration } from '../configuration/configuration.ts';
import { Extender } from './extender.ts';
import { type ExtenderTls, openExtenderDoor, withoutPassword } from './extender-door.ts';

/** Makes the extenders that a configuration names, each time anew: they hold connections. */
export type MakeExtenders = (clock: Clock) => readonly Extender[];

/** What makes them. Files are read once, now. Throws an Error in upstream's words for a way to them that there can't be. */
export function buildExtenders(configurations: readonly ExtenderConfiguration[]): MakeExtenders {
  const made = configurations.map((each, index) => {
    if (!/^https?:$/.test(protocolOf(each.urlPrefix)))
      throw new Error(
        `extenders[${index}].urlPrefix: ${JSON.stringify(each.urlPrefix)} is no URL of http or https`,
      );
    const address = {
      urlPrefix: each.urlPrefix,
      timeoutMs: parseDurationMs(each.httpTimeout),
      tls: tlsOf(each),
    };
    const {
      urlPrefix,
      weight = 0,
      nodeCacheCapable = false,
      managedResources = [],
      ignorable = false,
    } = each;
    const { filterVerb, prioritizeVerb, preemptVerb, bindVerb } = each;
    const role = {
      ...{
        name: withoutPassword(urlPrefix),
        filterVerb,
        prioritizeVerb,
        preemptVerb,
        bindVerb,
        weight,
        nodeCacheCapable,
      },
      managedResources: new Set(managedResources.map(({ name }) => name)),
      isIgnorable: ignorable,
    };
    return (clock: Clock) => new Extender(role, openExtenderDoor(address, clock));
  });
  return (clock) => made.map((make) => make(clock));
}

const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : '');

/** As upstream, whoever answers is taken for the extender where `enableHTTPS` stands without an authority. */
function tlsOf({ tlsConfig = {}, enableHTTPS = false }: ExtenderConfiguration): ExtenderTls {
  const { insecure = false, serverName, caData, caFile, certData, certFile, keyData, keyFile } = tlsConfig;
  const ca = pemOf(caData, caFile);
  if (insecure && ca !== undefined)
    throw new Error('specifying a root certificates file with the insecure flag is not allowed');
  return {
    isInsecure: insecure || (enableHTTPS && ca === undefined),
    serverName: serverName || undefined,
    ca,
    cert: pemOf(certData, certFile),
    key: pemOf(keyData, keyFile),
  };
}

/** Data count before files. */
function pemOf(data: string | undefined, file: string | undefined): string | undefined {
  if (data) return Buffer.from(data, 'base64').toString();
  return file ? readFileSync(file, 'utf8') : undefined;
}

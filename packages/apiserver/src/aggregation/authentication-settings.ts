import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ownValue } from '@wherry/kubeapi';
import { type FrontProxyHeaders, frontProxyHeaders } from '../authentication/front-proxy.ts';
import { ensure } from '../bootstrap/ensure.ts';
import { pemCertificates } from '../dialing/pem-certificates.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';

/** What extension servers are told. */
export interface AuthenticationSettings {
  /** PEM of those who sign certificates of users; undefined: no certificate names one. */
  clientCa: string | undefined;
  /** PEM of those who sign the front proxy's; undefined: there is none. */
  frontProxyCa: string | undefined;
  /** Common names that the front proxy may have; none = any. */
  frontProxyNames: readonly string[];
  /** By which headers it says who asks. */
  frontProxyHeaders: FrontProxyHeaders;
}

/** As the files of the server's options say. */
export function authenticationSettings(
  options: Parameters<typeof frontProxyHeaders>[0] & {
    clientCaFile?: string | undefined;
    requestheaderClientCaFile?: string | undefined;
    requestheaderAllowedNames?: readonly string[] | undefined;
  },
): AuthenticationSettings {
  const { clientCaFile, requestheaderClientCaFile: proxyCa, requestheaderAllowedNames = [] } = options;
  return {
    clientCa: clientCaFile === undefined ? undefined : readFileSync(clientCaFile, 'utf8'),
    frontProxyCa: proxyCa === undefined ? undefined : readFileSync(proxyCa, 'utf8'),
    frontProxyNames: requestheaderAllowedNames,
    frontProxyHeaders: frontProxyHeaders(options),
  };
}

const name = 'extension-apiserver-authentication';
const namespace = 'kube-system';

/**
 * Tells extension servers, in a ConfigMap that they all read, whom to believe that somebody is who. What stands there stays beside it, as
 * upstream: another server of the cluster may have other authorities, and whoever still shows a certificate of those of before is believed
 * as long as they have not run out.
 */
export async function publishSettings(
  configMaps: Collection,
  settings: AuthenticationSettings,
  nowMs: number,
): Promise<void> {
  await ensure(configMaps, { metadata: { name, namespace }, data: {} } as unknown as ApiObject);
  await configMaps.storage.change({
    ...{ namespace, name },
    change(current) {
      const before = (current['data'] ?? {}) as Data;
      return { next: { ...current, data: { ...before, ...combined(before, settings, nowMs) } } };
    },
  });
}

type Data = Readonly<Record<string, string>>;

function combined(before: Data, settings: AuthenticationSettings, nowMs: number): Data {
  const { clientCa, frontProxyCa, frontProxyNames, frontProxyHeaders: headers } = settings;
  const bundle = (key: string, own: string | undefined) => {
    const pem = combinedBundle(ownValue(before, key) ?? '', own ?? '', nowMs);
    return pem === '' ? {} : { [key]: pem };
  };
  const list = (key: string, own: readonly string[]) => ({
    [key]: JSON.stringify([...new Set([...listOf(ownValue(before, key)), ...own])]),
  });
  return {
    ...bundle('client-ca-file', clientCa),
    ...(frontProxyCa === undefined
      ? {}
      : {
          ...bundle('requestheader-client-ca-file', frontProxyCa),
          ...list('requestheader-allowed-names', frontProxyNames),
          ...list('requestheader-username-headers', headers.username),
          ...list('requestheader-uid-headers', headers.uid),
          ...list('requestheader-group-headers', headers.group),
          ...list('requestheader-extra-headers-prefix', headers.extraPrefix),
        }),
  };
}

/** An authority that has run out is kept so long: clocks differ. */
const expirySlackMs = 5 * 60_000;

/** The authorities of both, each once, without those that have run out. What is no certificate is left out. */
function combinedBundle(before: string, own: string, nowMs: number): string {
  const found = [before, own].flatMap(pemCertificates).flatMap((pem) => {
    try {
      return new X509Certificate(pem);
    } catch {
      return [];
    }
  });
  const lasting = found.filter(({ validToDate }) => validToDate.getTime() > nowMs - expirySlackMs);
  return [...new Set(lasting.map((certificate) => certificate.toString()))].join('');
}

/** What a list of before says; one that can't be read says nothing. */
function listOf(text: string | undefined): readonly string[] {
  try {
    const list: unknown = JSON.parse(text || '[]');
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

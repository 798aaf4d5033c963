import { readFileSync } from 'node:fs';
import { type FrontProxyHeaders, frontProxyHeaders } from '../authentication/front-proxy.ts';
import { ensure } from '../bootstrap/ensure.ts';
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

/** Tells extension servers, in a ConfigMap that they all read, whom to believe that somebody is who. */
export async function publishSettings(
  configMaps: Collection,
  settings: AuthenticationSettings,
): Promise<void> {
  const { clientCa, frontProxyCa, frontProxyNames, frontProxyHeaders: headers } = settings;
  const list = (values: readonly string[]) => JSON.stringify(values);
  const data = {
    ...(clientCa !== undefined && { 'client-ca-file': clientCa }),
    ...(frontProxyCa === undefined
      ? {}
      : {
          'requestheader-client-ca-file': frontProxyCa,
          'requestheader-allowed-names': list(frontProxyNames),
          'requestheader-username-headers': list(headers.username),
          'requestheader-uid-headers': list(headers.uid),
          'requestheader-group-headers': list(headers.group),
          'requestheader-extra-headers-prefix': list(headers.extraPrefix),
        }),
  };
  await ensure(configMaps, { metadata: { name, namespace }, data } as unknown as ApiObject);
  await configMaps.storage.change({
    ...{ namespace, name },
    change: (current) => ({ next: { ...current, data: { ...(current['data'] as object), ...data } } }),
  });
}

import { readFileSync } from 'node:fs';
import { ensure } from '../bootstrap/bootstrap.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';

/** What extension servers are told. */
export interface AuthenticationSettings {
  /** PEM of those who sign certificates of users. */
  clientCa: string;
  /** PEM of those who sign the front proxy's; undefined: there is none. */
  frontProxyCa: string | undefined;
  /** Common names that the front proxy may have; none = any. */
  frontProxyNames: readonly string[];
}

/** As the files of the server's options say. */
export function authenticationSettings(options: {
  clientCaFile: string;
  requestheaderClientCaFile?: string | undefined;
  requestheaderAllowedNames?: readonly string[] | undefined;
}): AuthenticationSettings {
  const { clientCaFile, requestheaderClientCaFile: proxyCa, requestheaderAllowedNames = [] } = options;
  return {
    clientCa: readFileSync(clientCaFile, 'utf8'),
    frontProxyCa: proxyCa === undefined ? undefined : readFileSync(proxyCa, 'utf8'),
    frontProxyNames: requestheaderAllowedNames,
  };
}

const name = 'extension-apiserver-authentication';
const namespace = 'kube-system';

/** Tells extension servers, in a ConfigMap that they all read, whom to believe that somebody is who. */
export async function publishSettings(
  configMaps: Collection,
  settings: AuthenticationSettings,
): Promise<void> {
  const { clientCa, frontProxyCa, frontProxyNames } = settings;
  const list = (...values: string[]) => JSON.stringify(values);
  const data = {
    'client-ca-file': clientCa,
    ...(frontProxyCa === undefined
      ? {}
      : {
          'requestheader-client-ca-file': frontProxyCa,
          'requestheader-allowed-names': list(...frontProxyNames),
          'requestheader-username-headers': list('X-Remote-User'),
          'requestheader-uid-headers': list('X-Remote-Uid'),
          'requestheader-group-headers': list('X-Remote-Group'),
          'requestheader-extra-headers-prefix': list('X-Remote-Extra-'),
        }),
  };
  await ensure(configMaps, { metadata: { name, namespace }, data } as unknown as ApiObject);
  await configMaps.storage.change({
    ...{ namespace, name },
    change: (current) => ({ next: { ...current, data: { ...(current['data'] as object), ...data } } }),
  });
}

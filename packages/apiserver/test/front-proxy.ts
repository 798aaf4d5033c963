import type { ApiserverOptions } from '@wherry/apiserver';
import { TestAuthority, writeFiles } from './pki.ts';
import { TestServer } from './test-server.ts';

/** A server that asks extension servers as a front proxy whose authority, `frontProxy`, is its own; its files lie in `folder`. `more` are other options. */
export async function startFrontProxy(
  folder: string,
  more: Partial<ApiserverOptions> = {},
): Promise<{ server: TestServer; frontProxy: TestAuthority }> {
  const frontProxy = await TestAuthority.create('front-proxy-ca');
  const { cert, key } = await frontProxy.issue({ name: 'front-proxy-client' });
  const files = writeFiles(folder, { 'proxy.crt': cert, 'proxy.key': key, 'proxy-ca.crt': frontProxy.cert });
  const server = await TestServer.start({
    proxyClientCertFile: files['proxy.crt'],
    proxyClientKeyFile: files['proxy.key'],
    requestheaderClientCaFile: files['proxy-ca.crt'],
    requestheaderAllowedNames: ['front-proxy-client'],
    ...more,
  });
  return { server, frontProxy };
}

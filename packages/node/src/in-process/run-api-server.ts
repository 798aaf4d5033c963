import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '@wherry/apiserver';
import { SqliteStore } from '@wherry/apiserver';
import { type Logger, silentLogger } from '@wherry/telemetry';
import type { GivenFlags } from '../layout/settings.ts';
import { ensurePki } from '../pki/ensure-pki.ts';
import { writeKubeconfig } from '../pki/kubeconfig-file.ts';
import { type CertificateFile, pkiPaths } from '../pki/pki.ts';
import { authorityFlags } from '../processes/authority-flags.ts';
import { startApiserverFrom } from '../roles/apiserver.ts';
import { readFlags } from './read-flags.ts';
import type { RunningPart } from './running-part.ts';

/** Options of {@link runApiServer}. */
export interface RunApiServerOptions {
  /** Everything of the server is in here; made when missing. */
  folder: string;
  /** Name of cluster, user and context in the kubeconfig. */
  name: string;
  /** Which controllers run, in the words of upstream's `--controllers`. Default: all but the scheduler. */
  controllers?: readonly string[] | undefined;
  /** Which groups and resources to serve beyond, or short of, the usual. */
  runtimeConfig?: Readonly<Record<string, boolean>> | undefined;
  /** Flags of `wherry apiserver` beyond those. What it does not know, and what a node decides, is refused by name. */
  apiserverFlags?: GivenFlags | undefined;
  logger?: Logger | undefined;
}

/** An API server of this process, with its controllers. */
export interface RunningApiServer extends RunningPart {
  /** `https://127.0.0.1:PORT`. */
  url: string;
  /** Path of the administrator's kubeconfig. */
  kubeconfig: string;
}

const controllersByDefault = ['*', '-kube-scheduler'];

/**
 * Runs an API server with certificates of its own in this process, on a free port of 127.0.0.1. Needs no root and no other
 * program. What it acknowledged outlives this process, but not a loss of power.
 */
export async function runApiServer(options: RunApiServerOptions): Promise<RunningApiServer> {
  const { folder, name, runtimeConfig, controllers = controllersByDefault, logger = silentLogger } = options;
  const given = await readFlags(options.apiserverFlags);
  const pkiDir = join(folder, 'pki');
  const dataDir = join(folder, 'apiserver');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const isAlone = controllers.length === 0;
  const files: CertificateFile[] = ['apiserver', 'front-proxy-client', 'admin'];
  if (!isAlone) files.push('controller-manager', 'scheduler');
  await ensurePki({ pkiDir, nodeName: name, nodeIp: '127.0.0.1', apiAddresses: [], files });
  const pki = pkiPaths(pkiDir);
  const serving = pki.certificate('apiserver');
  const frontProxy = pki.certificate('front-proxy-client');
  const store: Store = new SqliteStore({ path: join(dataDir, 'state.db'), durability: 'process' });
  const flags = {
    dataDir,
    bindAddress: '127.0.0.1',
    securePort: 0,
    tlsCertFile: serving.cert,
    tlsPrivateKeyFile: serving.key,
    clientCaFile: pki.caCert,
    proxyClientCertFile: frontProxy.cert,
    proxyClientKeyFile: frontProxy.key,
    requestheaderClientCaFile: pki.frontProxyCaCert,
    requestheaderAllowedNames: ['front-proxy-client'],
    serviceAccountKeyFile: [pki.serviceAccountPublicKey],
    serviceAccountSigningKeyFile: pki.serviceAccountKey,
    enableBootstrapTokenAuth: true,
    ...(runtimeConfig && { runtimeConfig }),
    ...given,
  };
  const server = await startApiserverFrom(flags, { store, logger });
  const write = (user: CertificateFile, path: string) => {
    writeKubeconfig({ path, apiUrl: server.url, pki, user, name });
    return path;
  };
  const kubeconfig = write('admin', join(folder, 'kubeconfig'));
  const loops = isAlone
    ? undefined
    : (await import('./run-controllers.ts')).runControllers(
        {
          kubeconfig: write('controller-manager', join(folder, 'controller-manager.kubeconfig')),
          schedulerKubeconfig: write('scheduler', join(folder, 'scheduler.kubeconfig')),
          ...authorityFlags(pki),
        },
        { wanted: controllers, logger },
      );
  return {
    url: server.url,
    kubeconfig,
    store,
    failed: server.failed,
    async close() {
      await loops?.close();
      await server.close();
    },
  };
}

/** flannel, its plug-in, Traefik, and what judges its gateways. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { areBuilt } from '../peers/are-built.ts';
import { buildFrom, folderOfModule, type Source, sourceOf } from '../peers/go-sources.ts';

const execute = promisify(execFile);

const flannel: Source = {
  module: 'github.com/flannel-io/flannel',
  version: 'v0.28.10',
  // One needs a C compiler, the other a cloud's library, which Go's proxy does not have.
  without: ['pkg/backend/udp', 'pkg/backend/tencentvpc'],
  changed: { 'main.go': (text) => text.replaceAll(/^.*pkg\/backend\/(udp|tencentvpc)"\n/gm, '') },
};

/** The last set of CNI's plug-ins that had flannel's; where that moved, Go's proxy does not have it. */
const plugin: Source = { module: 'github.com/containernetworking/plugins', version: 'v0.9.1' };

const lego: Source = { module: 'github.com/go-acme/lego/v5', version: 'v5.4.1' };

const providers = 'providers/dns';
const noProviders = `package dns

import (
	"fmt"

	"github.com/go-acme/lego/v5/challenge"
)

func NewDNSChallengeProviderByName(name string) (challenge.Provider, error) {
	return nil, fmt.Errorf("no provider %s", name)
}
`;

/** Without those who prove to authorities that they own a name by a cloud's DNS: a hundred libraries, some of which are missing. */
async function legoWithoutClouds(): Promise<string> {
  const folder = join(await folderOfModule(lego.module, lego.version), providers);
  const clouds = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'internal')
    .map(({ name }) => join(providers, name));
  const changed = { [join(providers, 'zz_gen_dns_providers.go')]: () => noProviders };
  return sourceOf('lego', { ...lego, without: clouds, changed });
}

/** Where Traefik's other editions have more; its own module is beside it in its repository, and not at Go's proxy. */
const extension =
  'package ext\n\ntype HTTP struct{}\n\ntype Router struct{}\n\ntype RouterIng struct{}\n\nfunc (RouterIng) ToRouter() Router { return Router{} }\n';

const traefik = async (): Promise<Source> => ({
  module: 'github.com/traefik/traefik/v3',
  version: 'v3.7.13',
  changed: {
    'pkg/config/dynamic/ext/ext.go': () => extension,
    'pkg/config/dynamic/ext/go.mod': () => 'module github.com/traefik/traefik/dynamic/ext\n',
    'pkg/middlewares/auth/digest_auth.go': (text) => text.replace('RequireAuthStale', 'RequireAuth'),
  },
  replaced: {
    // Beside it, wherever the checkout is.
    [lego.module]: `../${basename(await legoWithoutClouds())}`,
    // Traefik's fork of it is missing; what that alone has is left out above.
    'github.com/abbot/go-http-auth': 'github.com/abbot/go-http-auth@v0.4.1-0.20220112235402-e1cee1c72f2f',
  },
});

/** The module that pins the Gateway API's tests. */
const gateway = join(import.meta.dirname, 'gateway');

const programs = {
  'echo-basic': { source: () => gateway, path: 'sigs.k8s.io/gateway-api/conformance/echo-basic' },
  flanneld: { source: () => sourceOf('flannel', flannel), path: '.' },
  'install-conf': { source: () => sourceOf('flannel', flannel), path: './cmd/install_conf' },
  'flannel-plugin': { source: () => sourceOf('plugins', plugin), path: './plugins/meta/flannel' },
  traefik: { source: async () => sourceOf('traefik', await traefik()), path: './cmd/traefik' },
} as const;

/** Builds one of them and answers its path. */
export async function buildNetworkProgram(name: keyof typeof programs): Promise<string> {
  const { source, path } = programs[name];
  if (areBuilt) return join(dirname(import.meta.dirname), 'bin', name);
  return buildFrom(await source(), { name, path });
}

/** Builds the Gateway API's tests and answers the program's path. */
export async function buildGatewayTests(): Promise<string> {
  const binary = join(dirname(import.meta.dirname), 'bin/gateway-conformance');
  const words = ['test', '-c', '-vet=off', '-o', binary, 'sigs.k8s.io/gateway-api/conformance'];
  if (!areBuilt) await execute('go', words, { cwd: gateway, maxBuffer: 16 << 20 });
  return binary;
}

/** The last version whose module has tests of its definitions' rules. */
const rules: Source = { module: 'sigs.k8s.io/gateway-api', version: 'v1.4.0' };

/** The folder of that version, with its definitions. */
export const gatewayApiFolder = () => folderOfModule(rules.module, rules.version);

/** Builds the tests of the rules of one channel's definitions and answers the program's path. */
export async function buildGatewayRules(channel: 'standard' | 'experimental'): Promise<string> {
  const binary = join(dirname(import.meta.dirname), `bin/gateway-rules-${channel}`);
  const words = ['test', '-c', '-vet=off', '-tags', channel, '-o', binary, `${rules.module}/pkg/test/cel`];
  if (!areBuilt) await execute('go', words, { cwd: `${gateway}-rules`, maxBuffer: 16 << 20 });
  return binary;
}

/** The folder of Traefik with the manifests that it is tested with. */
export const traefikFolder = async () => sourceOf('traefik', await traefik());

/** The folder of flannel with the manifest that it is delivered with. */
export const flannelFolder = () => sourceOf('flannel', flannel);

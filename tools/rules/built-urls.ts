/**
 * Forbids URLs made by pasting texts together: `npm run check` fails on a file that begins a template or a
 * concatenation with a scheme, or gives one to `new URL`. What comes from outside (names, ports, paths) would move
 * from its part of the URL into another. The API server makes the URLs of its backends by `backendUrl`; a file that may
 * paste stands below with the reason.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every part is this machine's, a number, or the word of whoever could as well name any URL. */
const allowed: Readonly<Record<string, string>> = {
  'packages/apiserver/src/apiserver.ts': 'the address that its own configuration names',
  'packages/apiserver/src/server/service-account-discovery.ts':
    'the host that its own flag names; told, never requested',
  'packages/client/src/access/in-cluster.ts': 'what the environment says the API server is',
  'packages/client/src/access/access-from.ts': 'a server of the kubeconfig, which may be any URL',
  'packages/client/src/proxy/proxy-from-environment.ts': 'a proxy of the environment, which may be any URL',
  'packages/client/src/oidc/refresh.ts': 'an issuer of the kubeconfig, which may be any URL',
  'packages/images/src/registry/credentials.ts': 'compared, never requested',
  'packages/kubelet/src/execution/probes/grpc-probe.ts':
    'an address of the pod that the runtime gave, and a number',
  'packages/kubelet/src/execution/probes/http-target.ts':
    'a probe may name any host; port is a number, path begins with /',
  'packages/apiserver/src/webhooks/webhook-target.ts': 'shown in errors, never requested',
  'packages/wherry/src/commands/cluster-info/cluster-info.ts': 'printed for people, never requested',
};

const pasted =
  /(?:`|['"])(?:https?|wss?):\/\/(?:\$\{|['"]\s*\+)|new URL\(\s*`|`\$\{[^}`]*(?:origin|Origin)\}/;

/** What is wrong with the shipped files below `root`: those that paste, and places of the list that no longer do. */
export function builtUrls(root: string): string[] {
  const found = globSync('packages/*/src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && pasted.test(readFileSync(join(root, file), 'utf8')))
    .sort();
  const refused = found.filter((file) => !Object.hasOwn(allowed, file));
  const unused = Object.keys(allowed).filter((file) => !found.includes(file));
  return [
    ...refused.map((file) => `${file}: pastes a URL together; make it from checked parts`),
    ...unused.map((file) => `${file}: no longer pastes URLs; take it off the list of built-urls.ts`),
  ];
}

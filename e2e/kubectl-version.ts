import { spawnSync } from 'node:child_process';

/** Minor version of the kubectl on PATH: 32 for 1.32. Throws when there is none. */
export const kubectlMinor: number = readMinor();

/** What some kubectls have not, and the minor version that it came with. */
const cameWith = {
  '--record as it is since it is deprecated': 22,
  'auth whoami': 27,
  'create token': 24,
  'client.authentication.k8s.io/v1': 22,
  'debug --target': 23,
  events: 26,
  'exec -q': 21,
  WebSockets: 31,
  'the flags and words of 1.32': 32,
} as const;

/** Something that some kubectls have not. WebSockets: used by default. */
export type KubectlFeature = keyof typeof cameWith;

/** For a test's `skip`: false, or why this kubectl can't run it. */
export function unlessKubectlHas(feature: KubectlFeature): string | false {
  const since = cameWith[feature];
  if (kubectlMinor >= since) return false;
  return `kubectl 1.${kubectlMinor} lacks ${feature}, which came with 1.${since}`;
}

function readMinor(): number {
  const { stdout, error } = spawnSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  if (error) throw new Error(`needs kubectl: apt-get install kubernetes-client (${error.message})`);
  const { clientVersion } = JSON.parse(stdout) as { clientVersion: { minor: string } };
  return Number.parseInt(clientVersion.minor, 10);
}

/** kubectl against a cluster of machines, as tests type it. */
import type { Cluster } from '../../conformance/peers/cluster.ts';

/** Each throws with what kubectl said when it fails. */
export interface Kubectl {
  /** Runs one line, whose words are parted by single spaces, and gives back what it printed. */
  ok(line: string): Promise<string>;
  apply(...objects: object[]): Promise<string>;
  /** What `get` answers, by what it is asked for: `pod web`, `pods -l app=web`. */
  read<T>(what: string): Promise<T>;
}

export function kubectlOf(cluster: () => Cluster): Kubectl {
  const ok = (line: string) => cluster().kubectlOk(line.split(' '));
  return {
    ok,
    apply: (...objects) =>
      cluster().kubectlOk(['apply', '-f', '-'], {
        stdin: objects.map((object) => JSON.stringify(object)).join('\n'),
      }),
    read: async (what) => JSON.parse(await ok(`get ${what} -o json`)),
  };
}

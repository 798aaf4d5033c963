import assert from 'node:assert/strict';
import { run, start } from '../../e2e/command.ts';
import type { TestNode } from '../../e2e/node.ts';

/** What is checked: kubectl against some cluster. */
export type Cluster = Pick<TestNode, 'kubectl' | 'kubectlOk' | 'startKubectl'>;

/** kubectl in an environment that names the cluster; asked for at each call. */
export function clusterOf(surroundings: () => { KUBECONFIG: string; HOME: string }): Cluster {
  const environment = (more: Record<string, string> = {}) => ({ ...surroundings(), ...more });
  const cluster: Cluster = {
    kubectl: (words, options = {}) => run('kubectl', words, { ...options, env: environment(options.env) }),
    async kubectlOk(words, options = {}) {
      const { code, stdout, stderr } = await cluster.kubectl(words, options);
      assert.equal(code, 0, `kubectl ${words.join(' ')}: ${stderr}`);
      return stdout;
    },
    startKubectl: (words, env = {}) => start('kubectl', words, { env: environment(env) }),
  };
  return cluster;
}

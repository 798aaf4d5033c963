import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadKubeconfig } from '@wherry/client';
import { run } from './command.ts';
import { podOf, TestNode } from './node.ts';

const web = 'mkdir -p /www; echo "the page" > /www/index.html; echo listening; httpd -f -p 8080 -h /www';
let node: TestNode;
let token: string;

before(async () => {
  node = await TestNode.start();
  await node.apply(podOf('web', { command: ['sh', '-c', web] }));
  await node.kubectlOk(['create', 'serviceaccount', 'robot']);
  const binding = ['create', 'clusterrolebinding', 'robot', '--clusterrole=cluster-admin'];
  await node.kubectlOk([...binding, '--serviceaccount=default:robot']);
  token = await node.createToken('robot');
});
after(() => node?.remove());

/** What each example of the client prints where there is a cluster. */
const printed: Record<string, RegExp> = {
  pods: /^web web$/m,
  verbs:
    /^\{ sky: 'blue' \} \{ (grass: 'green', sky: 'blue'|sky: 'blue', grass: 'green') \}\ncolours\nsizes\n404 NotFound$/m,
  exec: /^HELLO\nexit code 3$/m,
  forward: /^200 the page$/m,
  follow: /^listening$/m,
  copy: /there: 13 bytes\n(.*\n)*over and back$/m,
  watch: /^added web Running\n1 'pods'$|^added web Running\n1 pods$/m,
};

for (const [name, expected] of Object.entries(printed)) {
  test(`examples/${name}.ts does on a real cluster what it says`, async () => {
    const example = new URL(`../packages/client/examples/${name}.ts`, import.meta.url).pathname;
    const finished = await run(process.execPath, [example], { env: { KUBECONFIG: node.kubeconfig } });
    assert.equal(finished.code, 0, finished.stderr);
    assert.match(finished.stdout, expected);
  });
}

for (const [name, expected] of Object.entries({
  remotecommand: /^web exit code 0$/m,
  portforward: /^the page$/m,
})) {
  test(`the example of ${name} for any cluster works with a token and a certificate authority`, async () => {
    const { clusters, currentContext } = loadKubeconfig(node.kubeconfig);
    const cluster = clusters.get(currentContext);
    const example = new URL(`../packages/${name}/examples/cluster.ts`, import.meta.url).pathname;
    const env = {
      SERVER: cluster?.server ?? '',
      TOKEN: token,
      CERTIFICATE_AUTHORITY: Buffer.from(cluster?.['certificate-authority-data'] ?? '', 'base64').toString(),
    };
    const finished = await run(process.execPath, [example], { env });
    assert.equal(finished.code, 0, finished.stderr);
    assert.match(finished.stdout, expected);
  });
}

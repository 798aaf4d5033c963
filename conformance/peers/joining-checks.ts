import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:tls';
import { eventually, scriptPod } from '../../e2e/node.ts';
import { clusterOf } from './cluster.ts';
import { type ClusterFiles, JoiningNode, makeClusterFiles, type Processes } from './joining-node.ts';
import { checkSessions, tickerScript } from './session-checks.ts';

/** A control plane to join, and where it and the node listen. */
export interface ControlPlane {
  port: number;
  kubeletPort: number;
  podCidr: string;
  /** Life of the certificates that {@link startControllers} gives out, in seconds, beside the five minutes before it. */
  lifeSeconds: number;
  startServer(files: ClusterFiles, processes: Processes): Promise<void>;
  startControllers(files: ClusterFiles, processes: Processes): Promise<void>;
}

const token = { id: 'abcdef', secret: '0123456789abcdef' };
const groupsOf = 'rbac.authorization.k8s.io';

/** What kubeadm puts into a cluster so that machines with a token may join. */
const roleBindings = [
  ['kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', 'system:bootstrappers'],
  [
    'kubeadm:node-autoapprove-bootstrap',
    'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    'system:bootstrappers',
  ],
  [
    'kubeadm:node-autoapprove-certificate-rotation',
    'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    'system:nodes',
  ],
].map(([name, role, group]) => ({
  ...{ apiVersion: `${groupsOf}/v1`, kind: 'ClusterRoleBinding', metadata: { name } },
  roleRef: { apiGroup: groupsOf, kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: groupsOf, kind: 'Group', name: group }],
}));
const tokenSecret = {
  ...{ apiVersion: 'v1', kind: 'Secret', type: 'bootstrap.kubernetes.io/token' },
  metadata: { name: `bootstrap-token-${token.id}`, namespace: 'kube-system' },
  stringData: {
    'token-id': token.id,
    'token-secret': token.secret,
    'usage-bootstrap-authentication': 'true',
  },
};

interface Request {
  metadata: { name: string };
  spec: { signerName: string; username: string };
  status?: { conditions?: { type: string; reason?: string; message?: string }[]; certificate?: string };
}

/** Registers tests of our kubelet that joins a control plane with a bootstrap token. */
export function checkJoining(plane: ControlPlane, processes: Processes): void {
  const url = `https://127.0.0.1:${plane.port}`;
  let files: ClusterFiles;
  let node: JoiningNode;
  let approvals: Promise<void> | undefined;
  let isOver = false;
  const cluster = clusterOf(() => ({ KUBECONFIG: files.kubeconfig, HOME: files.folder }));
  const apply = (...objects: object[]) =>
    cluster.kubectlOk(['apply', '-f', '-'], {
      stdin: objects.map((each) => JSON.stringify(each)).join('\n'),
    });
  const requests = async (signer: string): Promise<Request[]> => {
    const { items } = JSON.parse(await cluster.kubectlOk(['get', 'csr', '-o', 'json'])) as {
      items: Request[];
    };
    return items.filter(({ spec }) => spec.signerName === `kubernetes.io/${signer}`);
  };
  const isPending = ({ status }: Request) => (status?.conditions ?? []).length === 0;
  const pair = (name: string) =>
    new X509Certificate(readFileSync(join(node.certDir, `${name}-current.pem`), 'utf8'));
  /** The certificate that the kubelet's server shows; undefined as long as it has none. */
  const shown = () =>
    new Promise<X509Certificate | undefined>((resolve) => {
      const target = { port: node.port, host: '127.0.0.1', rejectUnauthorized: false };
      const socket = connect(target, () => {
        resolve(socket.getPeerX509Certificate());
        socket.destroy();
      });
      socket.on('error', () => resolve(undefined));
    });
  /** As somebody would who looks now and then. */
  const approveAll = async () => {
    while (!isOver) {
      for (const { metadata } of (await requests('kubelet-serving')).filter(isPending))
        await cluster.kubectlOk(['certificate', 'approve', metadata.name]);
      await delay(2_000);
    }
  };

  before(async () => {
    files = await makeClusterFiles(url);
    node = await JoiningNode.prepare(files, { port: plane.kubeletPort, podCidr: plane.podCidr });
    await plane.startServer(files, processes);
    await eventually(
      'the API server',
      async () => (await cluster.kubectl(['get', '--raw', '/readyz'])).code === 0,
      90_000,
    );
    await plane.startControllers(files, processes);
    await apply(...roleBindings, tokenSecret);
    node.start(url, `${token.id}.${token.secret}`);
  });
  after(async () => {
    isOver = true;
    await approvals;
    await cluster.kubectl(['delete', 'pod', '--all', '--wait', '--timeout=60s']);
    await node?.remove();
    await processes.end();
  });

  test('its client certificate comes for the token alone, and the node becomes Ready by it', async () => {
    const words = ['wait', '--for=condition=Ready', `node/${node.name}`, '--timeout=5s'];
    await eventually('the node', async () => (await cluster.kubectl(words)).code === 0, 90_000);
    const [request] = await requests('kube-apiserver-client-kubelet');
    assert.equal(request?.spec.username, `system:bootstrap:${token.id}`);
    const approval = request?.status?.conditions?.find(({ type }) => type === 'Approved');
    assert.equal(approval?.reason, 'AutoApproved');
    const certificate = pair('kubelet-client');
    assert.equal(certificate.subject, `O=system:nodes\nCN=system:node:${node.name}`);
    assert.ok(certificate.verify(new X509Certificate(files.authority.cert).publicKey));
  });

  test('nobody comes in before its serving certificate is approved, and everybody may after that', async () => {
    const serviceAccount = ['get', 'serviceaccount', 'default'];
    await eventually('the account', async () => (await cluster.kubectl(serviceAccount)).code === 0);
    await apply(scriptPod('ticker', tickerScript, { nodeName: node.name }));
    await cluster.kubectlOk(['wait', '--for=condition=Ready', 'pod/ticker', '--timeout=90s']);
    const pending = await eventually('its request', async () =>
      (await requests('kubelet-serving')).find(isPending),
    );
    assert.equal(pending.spec.username, `system:node:${node.name}`);
    const refused = await cluster.kubectl(['logs', 'ticker', '--tail=1']);
    assert.notEqual(refused.code, 0);
    assert.match(refused.stderr, /tls|ECONNRESET|handshake|certificate|socket/i);
    assert.equal(await shown(), undefined);
    await cluster.kubectlOk(['certificate', 'approve', pending.metadata.name]);
    const certificate = await eventually('the certificate', shown);
    assert.equal(certificate.subject, `O=system:nodes\nCN=system:node:${node.name}`);
    assert.ok(certificate.verify(new X509Certificate(files.authority.cert).publicKey));
    assert.match(await cluster.kubectlOk(['logs', 'ticker', '--tail=1']), /^tick \d+\n$/);
    approvals = approveAll();
  });

  checkSessions(() => cluster);

  test('both of its certificates are replaced before they run out, and it is reached by the new ones', async () => {
    const [client, serving] = [pair('kubelet-client'), await shown()];
    const isOther = (now: X509Certificate | undefined, then: X509Certificate | undefined) =>
      now !== undefined && now.serialNumber !== then?.serialNumber;
    const timeoutMs = plane.lifeSeconds * 1_000;
    await eventually('another client certificate', () => isOther(pair('kubelet-client'), client), timeoutMs);
    await eventually('another serving certificate', async () => isOther(await shown(), serving), timeoutMs);
    assert.match(await cluster.kubectlOk(['logs', 'ticker', '--tail=1']), /^tick \d+\n$/);
    const ready = ['wait', '--for=condition=Ready', `node/${node.name}`, '--timeout=5s'];
    await delay(Math.max(0, client.validToDate.getTime() - Date.now()));
    await cluster.kubectlOk(ready);
    await cluster.kubectlOk(['exec', 'ticker', '--', 'true']);
  });
}

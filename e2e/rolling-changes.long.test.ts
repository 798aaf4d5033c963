/** Who asks a service notices nothing of its pods' changes, and nothing of the end and the start of the node's processes. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pod, Service } from '@wherry/kubeapi';
import { Asker, askingContainer, connectedContainer, LastingConnection } from './asked.ts';
import { run } from './command.ts';
import { freePort } from './free-port.ts';
import { eventually, podOf, TestNode } from './node.ts';
import { stretched, timeoutFlag } from './slowness.ts';

/** So long a pod goes on to serve once it is to end; what is told of it has to be known by then. */
const preStopSeconds = 4;
/** After a step its last pods go on to serve, and end. */
const settleMs = (preStopSeconds + 2) * 1_000;
const serverScript =
  'mkdir /www; hostname > /www/index.html; httpd -f -p 8080 -h /www & trap "kill $!" TERM; wait $!';

const server = {
  command: ['sh', '-c', serverScript],
  ports: [{ name: 'http', containerPort: 8080 }],
  readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 1 },
  lifecycle: { preStop: { sleep: { seconds: preStopSeconds } } },
};

function deployment(name: string, replicas: number, container: object) {
  const labels = { app: name };
  const { spec } = podOf(name, container, { terminationGracePeriodSeconds: 20 });
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } },
    spec: {
      ...{ replicas, selector: { matchLabels: labels } },
      strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: { metadata: { labels }, spec },
    },
  };
}

const service = (name: string, app: string, spec: object) => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name } },
  spec: { selector: { app }, ...spec },
});

const budget = {
  ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'web' } },
  spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
};

const strayTable = 'wherry-e2e-stray';
/**
 * Makes one packet of each direction of each connection at these ports one that is outside of what may be said there. Its sender says
 * the same again a moment later.
 */
const oneStrayPacket = (ports: number[]) => `table ip ${strayTable} {
  set met { type ipv4_addr . inet_service . inet_service; flags dynamic; size 1000; }
  chain stray {
    tcp dport { ${ports.join(', ')} } goto once
    tcp sport { ${ports.join(', ')} } goto once
  }
  chain once {
    tcp flags & psh != psh return
    update @met { ip saddr . tcp sport . tcp dport limit rate 1/hour burst 1 packets } tcp sequence set 1
  }
  chain prerouting { type filter hook prerouting priority -400; goto stray; }
  chain output { type filter hook output priority -400; goto stray; }
}`;

async function nft(words: string[], stdin = ''): Promise<string> {
  const { code, stdout, stderr } = await run('nft', words, { stdin });
  assert.equal(code, 0, stderr);
  return stdout;
}

async function tablesOfServices(node: TestNode): Promise<string[]> {
  const { layoutOf } = await import('@wherry/node');
  const { bridgeName } = layoutOf(node.dataDir);
  const tables = (await nft(['list', 'tables', 'ip'])).match(/\S+-services\S*/g) ?? [];
  return tables.filter((name) => name.includes(bridgeName));
}

/** The table of a node's services, and the chain whose name tells which rules it has. */
async function rulesOfServices(node: TestNode): Promise<[table: string, chain: string]> {
  const [table = ''] = await tablesOfServices(node);
  const [chain = ''] = (await nft(['list', 'table', 'ip', table])).match(/(?<=chain )rules-\w+/) ?? [];
  return [table, chain];
}

const roles = ['network', 'kubelet', 'runtime', 'monitor', 'apiserver', 'controllers'];

describe('a service that is asked all the time', {
  concurrency: false,
  timeout: stretched(900_000),
}, () => {
  let node: TestNode;
  const askers: Asker[] = [];
  const lasting: LastingConnection[] = [];
  const ok = (line: string) => node.kubectlOk(line.split(' '));
  const read = async <T>(what: string): Promise<T> => JSON.parse(await ok(`get ${what} -o json`));
  const podNames = async () =>
    (await read<{ items: Pod[] }>('pods -l app=web')).items.map(({ metadata }) => metadata.name ?? '');
  const rolledOut = () => ok(`rollout status deployment/web ${timeoutFlag(120)}`);

  /** What was lost so far, by whoever asks. */
  const lost = async () => {
    const { spec } = await read<Pod>('pod asker');
    const inPods = await Promise.all(
      (spec?.containers ?? []).map(async ({ name }) => {
        const log = await ok(`logs asker -c ${name} --timestamps`);
        const lines = log.trim().split('\n');
        return lines.filter((line) => !line.endsWith('answered')).map((line) => `${name}: ${line}`);
      }),
    );
    return [...inPods.flat(), ...askers.flatMap((asker) => asker.lost)];
  };
  /** Names are not found while the process of the network is away. */
  const nothingLostBy = async (step: () => Promise<unknown>, { withNames = true } = {}) => {
    const before = await lost();
    const began = new Date().toISOString();
    await step();
    await delay(settleMs);
    const more = (await lost())
      .filter((line) => !before.includes(line))
      .filter((line) => withNames || !line.startsWith('by-name'));
    assert.deepEqual(more, [], `since ${began}`);
    assert.deepEqual(
      lasting.map(({ ended }) => ended),
      lasting.map(() => undefined),
    );
    const { status } = await read<Pod>('pod connected');
    assert.deepEqual(
      status?.containerStatuses?.map(({ restartCount, state }) => [restartCount, Boolean(state?.running)]),
      status?.containerStatuses?.map(() => [0, true]),
    );
  };

  before(async () => {
    node = await TestNode.start('rolling');
    const balanced = await freePort();
    await node.create(
      deployment('web', 3, server),
      deployment('steady', 1, { command: ['nc', '-ll', '-p', '9000', '-e', 'cat'] }),
      service('web', 'web', { type: 'NodePort', ports: [{ port: 80, targetPort: 'http' }] }),
      service('balanced', 'web', { type: 'LoadBalancer', ports: [{ port: balanced, targetPort: 'http' }] }),
      service('headless', 'web', { clusterIP: 'None', ports: [{ port: 80, targetPort: 'http' }] }),
      service('steady', 'steady', { type: 'NodePort', ports: [{ port: 9000 }] }),
      budget,
    );
    for (const name of ['web', 'steady']) await ok(`rollout status deployment/${name} ${timeoutFlag(60)}`);
    const machine = await eventually('the address of the load balancer', async () => {
      return (await read<Service>('service balanced')).status?.loadBalancer?.ingress?.[0]?.ip;
    });
    const [web, steady] = [
      (await read<Service>('service web')).spec,
      (await read<Service>('service steady')).spec,
    ];
    const [webPort, steadyPort] = [web?.ports?.[0]?.nodePort ?? 0, steady?.ports?.[0]?.nodePort ?? 0];
    const urls = {
      'cluster-ip': `http://${web?.clusterIP}/`,
      'node-port': `http://${machine}:${webPort}/`,
      balanced: `http://${machine}:${balanced}/`,
    };
    const containers = Object.entries(urls).map(([name, url]) => askingContainer(name, url));
    const byName = askingContainer('by-name', 'http://headless.default.svc.cluster.local:8080/');
    const connected = [
      connectedContainer('cluster-ip', steady?.clusterIP ?? '', 9000),
      connectedContainer('node-port', machine, steadyPort),
    ];
    const pod = (name: string, list: object[]) => {
      const { spec, ...rest } = podOf(name);
      return { ...rest, spec: { ...spec, restartPolicy: 'Always', containers: list } };
    };
    await eventually('the servers to answer', async () => {
      const answers = await Promise.all(Object.values(urls).map((url) => fetch(url).catch(() => undefined)));
      return answers.every((answer) => answer?.ok);
    });
    const hostPort = await freePort();
    const { lifecycle, ...kept } = server;
    const held = podOf('held', { ...kept, ports: [{ name: 'http', containerPort: 8080, hostPort }] });
    await node.apply(pod('asker', [...containers, byName]), pod('connected', connected), held);
    for (const url of [...Object.values(urls), `http://127.0.0.1:${webPort}/`]) askers.push(new Asker(url));
    // Rules of host ports are the runtime's, whose start is short.
    askers.push(new Asker(`http://${machine}:${hostPort}/`, 20));
    const doors: [string, number][] = [
      [steady?.clusterIP ?? '', 9000],
      ['127.0.0.1', steadyPort],
      [machine, steadyPort],
    ];
    for (const [host, port] of doors) lasting.push(await LastingConnection.to(host, port));
  });
  after(async () => {
    for (const connection of lasting) connection.close();
    await Promise.all(askers.map((asker) => asker.end()));
    await node?.remove();
  });

  it('loses nothing when its pods are replaced one by one', () =>
    nothingLostBy(async () => {
      for (let turn = 0; turn < 3; turn++) {
        await ok('rollout restart deployment/web');
        await rolledOut();
        // Another is taken a second later at the earliest.
        await delay(1_000);
      }
    }));

  it('loses nothing when its pods are evicted within their budget', () =>
    nothingLostBy(async () => {
      for (const name of await podNames()) {
        const body = JSON.stringify({
          ...{ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'default' } },
        });
        const path = `/api/v1/namespaces/default/pods/${name}/eviction`;
        await eventually(`the eviction of ${name}`, async () => {
          const { code, stderr } = await node.kubectl(['create', '--raw', path, '-f', '-'], { stdin: body });
          if (code !== 0 && !/disruption budget/.test(stderr)) throw new Error(stderr);
          return code === 0;
        });
        await rolledOut();
      }
    }));

  it('loses nothing when there are fewer and more of its pods', () =>
    nothingLostBy(async () => {
      for (const replicas of [1, 4, 2, 3]) {
        await ok(`scale deployment/web --replicas=${replicas}`);
        await rolledOut();
        await delay(1_000);
      }
    }));

  for (const role of roles)
    it(`loses nothing when its pods are replaced while the process ${role} is killed and started`, () =>
      nothingLostBy(
        async () => {
          await ok('rollout restart deployment/web');
          await delay(1_500);
          process.kill(await node.pidOf(role), 'SIGKILL');
          await delay(1_000);
          await node.up();
          await rolledOut();
        },
        { withNames: role !== 'network' },
      ));

  it('keeps connections of which the kernel once sees a packet that it takes for none of theirs', () =>
    nothingLostBy(async () => {
      const { spec } = await read<Service>('service steady');
      try {
        await nft(['-f', '-'], oneStrayPacket([9000, spec?.ports?.[0]?.nodePort ?? 0]));
        await delay(settleMs);
        const met = await nft(['list', 'set', 'ip', strayTable, 'met']);
        // Both directions of three that the machine has and two that a pod has.
        assert.equal(met.match(/limit rate/g)?.length, 10, met);
      } finally {
        await nft(['delete', 'table', 'ip', strayTable]);
      }
    }));

  it('loses nothing when all processes start anew, as those of another version', () =>
    nothingLostBy(
      async () => {
        await ok('rollout restart deployment/web');
        const recordFile = join(node.dataDir, 'node.json');
        const record = JSON.parse(readFileSync(recordFile, 'utf8'));
        for (const process of Object.values(record.processes) as { program?: string }[])
          process.program = 'another';
        writeFileSync(recordFile, JSON.stringify(record));
        const [table, rules] = await rulesOfServices(node);
        await nft(['rename', 'chain', 'ip', table, rules, 'rules-of-another-version']);
        await node.up();
        await eventually('rules of now', async () => {
          const tables = await tablesOfServices(node);
          return `${tables}` === table && (await rulesOfServices(node))[1] === rules;
        });
        await rolledOut();
      },
      { withNames: false },
    ));
});

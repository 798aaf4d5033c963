/** Puts policies into the kernel's table of this network namespace, twice, and prints what became of it. */
import { execFileSync } from 'node:child_process';
import { KernelTable } from '../src/table/kernel-table.ts';
import { dns, World } from './world.ts';

const app = (name: string) => ({ matchLabels: { app: name } });
const make = () =>
  new World()
    .pod('default/web', '10.0.0.2', {
      labels: { app: 'web' },
      ports: [{ name: 'http', containerPort: 8080 }],
    })
    .pod('default/client', '10.0.0.3', { labels: { app: 'client' } })
    .policy('web', {
      podSelector: app('web'),
      ingress: [
        {
          from: [
            { podSelector: app('client') },
            { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
          ],
          ports: [{ port: 80, endPort: 90 }, { port: 'http' }, { protocol: 'SCTP' }],
        },
      ],
    })
    .policy('client', {
      podSelector: app('client'),
      policyTypes: ['Egress'],
      egress: [
        { to: [{ namespaceSelector: {} }], ports: [{ port: 53, protocol: 'UDP' }] },
        { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } }] },
      ],
    });

const table = 'policies-test';
const kernel = new KernelTable({ table, bridgeName: 'br0', dns });
const { plan } = make();
plan.wanted.assume(await kernel.settle());
plan.settle();
kernel.apply(plan.wanted);
const list = () => execFileSync('nft', ['list', 'table', 'ip', table], { encoding: 'utf8' });
const listed = list();

const later = make().plan;
later.wanted.assume(await kernel.settle());
later.settle();
const afterRestart = later.wanted.change() === undefined;

for (const policy of ['default/web', 'default/client']) later.setPolicy(policy, undefined);
for (const pod of ['default/web', 'default/client']) later.setPod(pod, undefined);
later.settle();
kernel.apply(later.wanted);
const { sets, chains, elements } = await kernel.settle();
console.log(JSON.stringify({ listed, afterRestart, rest: [sets, chains, elements] }));

/** Puts policies into the kernel's table of this network namespace, twice, and prints what became of it. */
import { execFileSync } from 'node:child_process';
import type { AddressFamily } from '@wherry/linux';
import { KernelTable } from '../src/table/kernel-table.ts';
import { dns, World } from './world.ts';

const app = (name: string) => ({ matchLabels: { app: name } });
const make = (family: AddressFamily) =>
  new World({}, family)
    .pod('default/web', '10.0.0.2 fd00::2', {
      labels: { app: 'web' },
      ports: [{ name: 'http', containerPort: 8080 }],
    })
    .pod('default/client', '10.0.0.3 fd00::3', { labels: { app: 'client' } })
    .policy('web', {
      podSelector: app('web'),
      ingress: [
        {
          from: [
            { podSelector: app('client') },
            { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
            { ipBlock: { cidr: 'fd00:1::/32', except: ['fd00:1:1::/48'] } },
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
        { to: [{ ipBlock: { cidr: '::/0', except: ['fc00::/7'] } }] },
      ],
    });

const table = 'policies-test';

async function apply(family: AddressFamily) {
  const kernel = new KernelTable({
    family,
    table,
    bridgeName: 'br0',
    dns: family === 'ip' ? dns : undefined,
  });
  const { plan } = make(family);
  plan.wanted.assume(await kernel.settle());
  plan.settle();
  kernel.apply(plan.wanted);
  const listed = execFileSync('nft', ['list', 'table', family, table], { encoding: 'utf8' });

  const later = make(family).plan;
  later.wanted.assume(await kernel.settle());
  later.settle();
  const afterRestart = later.wanted.change() === undefined;

  for (const policy of ['default/web', 'default/client']) later.setPolicy(policy, undefined);
  for (const pod of ['default/web', 'default/client']) later.setPod(pod, undefined);
  later.settle();
  kernel.apply(later.wanted);
  const { sets, chains, elements } = await kernel.settle();
  return { listed, afterRestart, rest: [sets, chains, elements] };
}

console.log(JSON.stringify({ ip: await apply('ip'), ip6: await apply('ip6') }));

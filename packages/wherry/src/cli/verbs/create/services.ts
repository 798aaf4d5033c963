import type { ServiceType } from '@wherry/kubeapi';
import { collectList } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { ServiceFlags } from '../../../commands/create/services.ts';
import { asGroup } from '../../flags/command-group.ts';
import { parseInteger } from '../../flags/options.ts';
import { creating, making, type Needs } from './creating.ts';

/** `create service clusterip | nodeport | loadbalancer | externalname`. */
export function addServices(create: Command): Command[] {
  const service = asGroup(create.command('service').alias('svc')).description('create a service');
  const withTcp = (kind: string) =>
    creating(service, kind)
      .usage('NAME --tcp=PORT[:TARGET] [flags]')
      .option('--tcp <port[:target]>', 'a port, and that of the pods; may be repeated', collectList);
  const clusterIp = withTcp('clusterip')
    .description('create a service inside of the cluster')
    .option('--clusterip <ip>', 'its address; None for none');
  const nodePort = withTcp('nodeport')
    .description('create a service at a port of every node')
    .option('--node-port <port>', 'the port', parseInteger, 0);
  const loadBalancer = withTcp('loadbalancer').description('create a service behind a load balancer');
  const externalName = withTcp('externalname')
    .description('create a service that is another name')
    .usage('NAME --external-name=NAME [flags]')
    .option('--external-name <name>', 'the other name');
  return [
    serving(clusterIp, 'ClusterIP'),
    serving(nodePort, 'NodePort'),
    serving(loadBalancer, 'LoadBalancer'),
    serving(externalName, 'ExternalName', { required: ['external-name'] }),
  ];
}

const serving = (command: Command, type: ServiceType, needs?: Needs): Command =>
  making<ServiceFlags>(
    command,
    async ({ name, flags }) =>
      (await import('../../../commands/create/services.ts')).serviceObject(name, type, flags),
    needs,
  );

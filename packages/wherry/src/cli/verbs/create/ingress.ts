import { collect } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { IngressFlags } from '../../../commands/create/ingress.ts';
import { creating, making } from './creating.ts';

/** `create ingress`. */
export function addIngress(create: Command): Command {
  const command = creating(create, 'ingress')
    .alias('ing')
    .description('create an Ingress')
    .usage('NAME (--rule=HOST/PATH=SERVICE:PORT[,tls[=SECRET]] | --default-backend=SERVICE:PORT) [flags]')
    .option('--class <name>', 'of this IngressClass')
    .option('--rule <rule>', 'where a path leads, a * at its end for all below; may be repeated', collect)
    .option('--default-backend <service:port>', 'where everything else leads')
    .option('--annotation <key=value>', 'an annotation; may be repeated', collect);
  return making<IngressFlags>(command, async ({ name, flags }) =>
    (await import('../../../commands/create/ingress.ts')).ingressObject(name, flags),
  );
}

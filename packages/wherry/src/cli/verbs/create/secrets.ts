import { collectList } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { DockerFlags, GenericFlags, TlsFlags } from '../../../commands/create/secrets.ts';
import { asGroup } from '../../flags/command-group.ts';
import { creating, making } from './creating.ts';
import { withHashFlag, withKeySources } from './plain-kinds.ts';

const makers = () => import('../../../commands/create/secrets.ts');

/** `create secret generic | tls | docker-registry`. */
export function addSecrets(create: Command): Command[] {
  const secret = asGroup(create.command('secret')).description('create a Secret');
  const generic = withKeySources(creating(secret, 'generic'))
    .description('create a Secret of files and literals')
    .option('--type <type>', 'its type; Opaque without');
  const tls = withHashFlag(creating(secret, 'tls'))
    .description('create a Secret of a certificate and its key')
    .usage('NAME --cert=FILE --key=FILE [flags]')
    .option('--cert <file>', 'certificate, PEM')
    .option('--key <file>', 'key of the certificate, PEM');
  const docker = withHashFlag(creating(secret, 'docker-registry'))
    .description('create a Secret by which images are pulled')
    .usage('NAME (--docker-username=NAME --docker-password=PASSWORD | --from-file=FILE) [flags]')
    .option('--docker-username <name>', 'user of the registry')
    .option('--docker-password <password>', "the user's password")
    .option('--docker-email <address>', "the user's address")
    .option('--docker-server <url>', 'the registry', 'https://index.docker.io/v1/')
    .option('--from-file <[key=]path>', "a file as docker writes it, in the registry's place", collectList);
  return [
    making<GenericFlags>(generic, async ({ name, flags }) => (await makers()).secretObject(name, flags)),
    making<TlsFlags>(tls, async ({ name, flags }) => (await makers()).tlsObject(name, flags)),
    making<DockerFlags>(docker, async ({ name, flags }) => (await makers()).dockerObject(name, flags)),
  ];
}

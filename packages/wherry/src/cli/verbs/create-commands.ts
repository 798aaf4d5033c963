import type { KubeObject } from '@wherry/client';
import { collect, collectList } from '@wherry/node/roles';
import type { Command } from 'commander';
import type { CreateOneFlags } from '../../commands/create/create-one.ts';
import type { KeySourceFlags } from '../../commands/create/key-sources.ts';
import type { RunFlags } from '../../commands/create/objects.ts';
import { dryRunOption } from '../flags/change-flags.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { parseInteger, withOutput } from '../flags/options.ts';
import { usageError } from '../flags/usage-errors.ts';

type Makers = typeof import('../../commands/create/objects.ts');
/** Makes the object of a command line. */
type Make<F> = (makers: Makers, name: string, rest: { flags: F; command: string[] }) => KubeObject;

/** kubectl's words for objects of one kind, below `create`. */
export function addCreateKinds(create: Command): Command[] {
  const secret = create.command('secret').description('create a Secret');
  return [
    addDeployment(create),
    addJob(create),
    withKeySources(creating(create, 'configmap')).alias('cm').description('create a ConfigMap'),
    withKeySources(creating(secret, 'generic'))
      .description('create a Secret of files and literals')
      .option('--type <type>', 'its type; Opaque without'),
    creating(create, 'namespace').alias('ns').description('create a namespace'),
    creating(create, 'serviceaccount').alias('sa').description('create a service account'),
  ].map(withAction);
}

const makers: ReadonlyMap<string, Make<never>> = new Map<string, Make<never>>([
  [
    'deployment',
    (make, name, { flags, command }: { flags: RunFlags; command: string[] }) =>
      make.deploymentObject(name, command, flags),
  ],
  [
    'job',
    (make, name, { flags, command }: { flags: RunFlags; command: string[] }) =>
      make.jobObject(name, command, flags.image[0] ?? ''),
  ],
  ['configmap', (make, name, { flags }: { flags: KeySourceFlags }) => make.configMapObject(name, flags)],
  ['generic', (make, name, { flags }: { flags: KeySourceFlags }) => make.secretObject(name, flags)],
  ['namespace', (make, name) => make.namespaceObject(name)],
  ['serviceaccount', (make, name) => make.serviceAccountObject(name)],
]);

function creating(parent: Command, kind: string): Command {
  return withOutput(withKubeFlags(parent.command(kind)), ['json', 'yaml', 'name'])
    .usage('NAME [flags]')
    .argument('[words...]', 'its name')
    .addOption(dryRunOption())
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry-create')
    .option('--show-managed-fields', 'with -o: who manages which field too');
}

const withKeySources = (command: Command): Command =>
  command
    .option('--from-literal <key=value>', 'a key and its value; may be repeated', collect)
    .option('--from-file <[key=]path>', 'a file, or those of a folder; may be repeated', collectList)
    .option('--from-env-file <path>', 'a file of lines KEY=VALUE; may be repeated', collectList);

function addDeployment(create: Command): Command {
  return creating(create, 'deployment')
    .alias('deploy')
    .description('create a Deployment')
    .usage('NAME --image=IMAGE [flags] [-- COMMAND [args...]]')
    .option('--image <name>', 'image of a container; may be repeated', collectList)
    .option('-r, --replicas <n>', 'how many pods', parseInteger, 1)
    .option('--port <port>', 'port that the first container listens at', parseInteger, -1);
}

function addJob(create: Command): Command {
  return creating(create, 'job')
    .description('create a Job')
    .usage('NAME --image=IMAGE [flags] [-- COMMAND [args...]]')
    .option('--image <name>', 'image', collect);
}

/** The first word is the name; those of a Deployment and a Job go on with a command. */
function withAction(command: Command): Command {
  return command.action(async (words: string[], flags: CreateOneFlags & Partial<RunFlags>, self: Command) => {
    const [name, ...rest] = words;
    const kind = self.name();
    const takesCommand = kind === 'deployment' || kind === 'job';
    if (name === undefined || (rest.length > 0 && !takesCommand))
      usageError(self, `exactly one NAME is required, got ${words.length}`);
    if (takesCommand && flags.image === undefined) self.error('error: required flag(s) "image" not set');
    const make = makers.get(kind);
    if (!make) return;
    const object = make(await import('../../commands/create/objects.ts'), name, {
      flags,
      command: rest,
    } as never);
    await (await import('../../commands/create/create-one.ts')).createOne(object, flags);
  });
}

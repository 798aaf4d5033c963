import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Exec, KubeConfig, type V1Status } from '@kubernetes/client-node';

const config = new KubeConfig();
config.loadFromDefault();
const namespace = config.getContextObject(config.getCurrentContext())?.namespace ?? 'default';
const pod = process.argv[2] ?? 'demo';
const command = ['sh', '-c', 'tr a-z A-Z; exit 3'];
const [stdout, stderr] = [new PassThrough(), new PassThrough()];
const status = new Promise<V1Status>((resolve, reject) => {
  const stdin = Readable.from([Buffer.from('hello')]);
  new Exec(config)
    .exec(namespace, pod, '', command, stdout, stderr, stdin, false, resolve)
    // The container is '' to mean the only one; a connection that breaks after this is told to nobody.
    .catch(reject);
});
const [said, { status: outcome, details }] = await Promise.all([text(stdout), status]);
const cause = details?.causes?.find(({ reason }) => reason === 'ExitCode');
console.log(said, outcome === 'Success' ? 0 : Number(cause?.message));
process.exit();

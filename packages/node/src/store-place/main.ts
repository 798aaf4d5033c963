/**
 * The program `etcd` of `wherry envtest`: `node main.ts --data-dir=DIR --listen-client-urls=URL…`, by the flags that envtest
 * gives etcd. It stands in etcd's place, and is none.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { listenUrl, PlaceKeeper } from './place-keeper.ts';

interface Flags {
  dataDir: string;
  listenClientUrls: URL[];
  unsafeNoFsync: 'true' | 'false';
}

/** What envtest, and who configures its etcd, says of what is not here. */
const idleFlags = [
  ...['listen-peer-urls', 'initial-advertise-peer-urls', 'initial-cluster', 'initial-cluster-state'],
  ...['initial-cluster-token', 'advertise-client-urls', 'name', 'logger', 'log-level', 'log-outputs'],
  ...['quota-backend-bytes', 'max-request-bytes', 'max-txn-ops', 'snapshot-count'],
  ...['auto-compaction-mode', 'auto-compaction-retention', 'heartbeat-interval', 'election-timeout'],
];

const description = `Keeps the place of a store for "wherry apiserver", where envtest starts etcd.

It is no etcd: it stores nothing, and no client of etcd gets an answer. An API server of wherry that is sent here by --etcd-servers has its store, one file of SQLite, in the folder --data-dir, and bounds of its own. /health says that the place is kept.

Flags of etcd by which there is nothing to do here are taken: --${idleFlags.join(', --')}.`;

function listenUrls(value: string): URL[] {
  try {
    return value.split(',').map(listenUrl);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

function command(): Command {
  const etcd = new Command('etcd')
    .description(description)
    .requiredOption('--data-dir <dir>', 'folder of the store; made when missing')
    .requiredOption(
      '--listen-client-urls <urls>',
      'http://HOST:PORT of this machine to listen at',
      listenUrls,
    )
    .addOption(
      new Option(
        '--unsafe-no-fsync [switch]',
        'what the API server has acknowledged outlives its process, and not a loss of power',
      )
        .choices(['true', 'false'])
        .preset('true')
        .default('false'),
    );
  for (const name of idleFlags) etcd.addOption(new Option(`--${name} <value>`).hideHelp());
  return etcd;
}

const { dataDir, listenClientUrls, unsafeNoFsync } = command().parse().opts<Flags>();
try {
  const keeper = new PlaceKeeper({ dataDir, durability: unsafeNoFsync === 'true' ? 'process' : 'machine' });
  for (const url of listenClientUrls) await keeper.listen(url);
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => keeper.close());
} catch (error) {
  console.error(`error: ${(error as Error).message}`);
  process.exit(1);
}

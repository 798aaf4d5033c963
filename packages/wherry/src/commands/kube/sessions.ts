import { joinSessions, type SessionPath, type UnseenHop, unseenHops } from '@wherry/telemetry/session-paths';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { listedNamespace } from '../../kube/scope.ts';
import { printListing, printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';
import { describeSession } from '../../sessions/description.ts';
import { followSessions } from '../../sessions/follow.ts';
import { HopFinder } from '../../sessions/hops.ts';
import { sessionColumns } from '../../sessions/listing.ts';
import { lookAtSessions, type Sight } from '../../sessions/look.ts';
import { sayUnseen } from '../../sessions/said.ts';
import { SessionRows } from '../../sessions/session-rows.ts';
import { SessionTable } from '../../sessions/session-table.ts';
import { isScreen, LiveScreen } from '../../terminal/live-screen.ts';

/** Flags of `wherry sessions`. */
export interface SessionsFlags extends KubeFlags {
  output?: OutputFormat;
  allNamespaces?: boolean;
  /** Those that lead to this node alone. */
  node?: string;
  /** Those that have ended, too. */
  ended?: boolean;
  watch?: boolean;
}

/** A session as it is printed for programs: with the hops that do not tell of it, and why. */
interface PrintedPath extends SessionPath {
  unseen: UnseenHop[];
}

/** Lists the sessions of a cluster, each with all its hops; with `watch` goes on with what changes. */
export async function sessions(flags: SessionsFlags): Promise<void> {
  const client = clientFor(flags);
  const namespace = listedNamespace(client, flags);
  const wish = { ...flags, namespace };
  const { signal } = new AbortController();
  const { clock } = client;
  const finder = await HopFinder.open(client, flags);
  if (flags.watch) {
    const { format, ...style } = watchStyle(flags);
    const isWanted = (path: SessionPath) => isMeant(path, wish);
    const find = (until: AbortSignal) => finder.find(until);
    if (format !== 'json' && isScreen(process.stdout)) {
      const [screen, isWide] = [new LiveScreen(process.stdout), format === 'wide'];
      const nothing = nothingFound(namespace, { ...flags, ended: true });
      const table = new SessionTable({ ...style, screen, clock, isWide, isWanted, nothing });
      // Below the table stands which hops tell nothing, as long as that is so.
      const shown = (sight: Sight) => table.show(sight);
      await followSessions({ find, clock, signal, shown, said: () => {}, isTicking: true });
    }
    const rows = new SessionRows({ ...style, format, isWanted });
    await followSessions({ find, clock, signal, shown: (sight) => rows.show(sight), said: console.error });
  }
  const sight = await lookAtSessions(await finder.find(signal), { clock, signal });
  const paths = pathsOf(sight).filter(
    (path) => isMeant(path, wish) && (flags.ended || path.state !== 'ended'),
  );
  sayUnseen(sight);
  if (paths.length === 0 && !isValueFormat(flags.output)) console.error(nothingFound(namespace, flags));
  else {
    const columns = sessionColumns({ withNamespace: flags.allNamespaces === true, paths });
    printListing({ items: paths, columns, nameOf: ({ id }) => id }, flags.output);
  }
}

/** Prints one session, which its id names or as much of it as no other begins with. */
export async function showSession(id: string, flags: SessionsFlags): Promise<void> {
  const client = clientFor(flags);
  const { signal } = new AbortController();
  const { clock } = client;
  const finder = await HopFinder.open(client, flags);
  const sight = await lookAtSessions(await finder.find(signal), { clock, signal });
  const path = sessionNamed(
    id,
    pathsOf(sight).filter((one) => isMeant(one, flags)),
  );
  if (isValueFormat(flags.output)) printValue(path, flags.output);
  else console.log(flags.output === 'name' ? path.id : describeSession(path, path.unseen));
}

function pathsOf({ lists, unseen }: Sight): PrintedPath[] {
  return joinSessions(lists).map((path) => ({ ...path, unseen: unseenHops(path, unseen) }));
}

const isMeant = (
  path: SessionPath,
  { namespace, node }: Pick<SessionsFlags, 'namespace' | 'node'>,
): boolean =>
  (namespace === undefined || path.namespace === namespace) && (node === undefined || path.node === node);

function sessionNamed(id: string, paths: readonly PrintedPath[]): PrintedPath {
  const found = paths.filter((path) => path.id.startsWith(id));
  const [first, second] = found;
  const exact = found.find((path) => path.id === id) ?? (second ? undefined : first);
  if (exact && id !== '') return exact;
  if (second)
    throw new CommandError(
      `${found.length} sessions have ids that begin with "${id}": ${first?.id}, ${second.id}…`,
    );
  throw new CommandError(
    `no session has the id "${id}"; "wherry sessions -A" lists those that go on, and with --ended those that ended in the last minutes`,
  );
}

function nothingFound(namespace: string | undefined, { ended }: SessionsFlags): string {
  const where = namespace === undefined ? '' : ` in ${namespace} namespace`;
  return `No sessions found${where}.${ended ? '' : ' Those that have just ended are listed with --ended.'}`;
}

function watchStyle({ output, allNamespaces = false, ended = false }: SessionsFlags) {
  if (output !== undefined && output !== 'json' && output !== 'wide')
    throw new CommandError('--watch shows a table; of -o it takes wide, and json for one object a line');
  return { format: output, withNamespace: allNamespaces, withEnded: ended };
}

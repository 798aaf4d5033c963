import type { Machine } from '../machine/machine.ts';
import { File, Folder } from '../machine/nodes.ts';
import type { SimProcess } from '../machine/process.ts';
import type { ContainerView, SeenContainer } from '../world/container-view.ts';
import { hasSandbox, runtimeFolder } from './kept-view.ts';
import type { KnownContainer, Ledger, OutputName } from './ledger.ts';
import { ociFolder } from './oci-program.ts';
import { keeperPath, monitorFolder } from './sim-monitor.ts';

const recordsFolder = `${monitorFolder}/containers`;
const execFolder = `${monitorFolder}/exec`;

/** What is looked at in a record of the monitor. */
interface KeptRecord {
  phase: string;
  exitCode: number;
  inputHolder: { pid: number } | null;
  request: { logPath: string | null };
}

/** What problems are found by. */
interface Evidence {
  ledger: Ledger;
  record: KeptRecord | undefined;
  textAt(path: string): string | undefined;
}

/** The containers of the real monitor, seen from below: as their processes, records and logs are. */
export function monitorView(machine: Machine, ledger: Ledger): ContainerView {
  const { tree, processes } = machine;
  const textAt = (path: string) => {
    const node = tree.at(path);
    return node instanceof File ? node.content().toString() : undefined;
  };
  const recordOf = (id: string) => {
    const text = textAt(`${recordsFolder}/${id}/record.json`);
    return text === undefined ? undefined : (JSON.parse(text) as KeptRecord);
  };
  const seen = ({ id, name, podUid, process }: KnownContainer): SeenContainer => ({
    id,
    name,
    podUid,
    isRunning: !process.hasEnded,
    exitCode: process.exitCode ?? 0,
  });
  const kept = () =>
    ledger.all.filter(
      ({ id, process }) => !process.hasEnded || tree.at(`${recordsFolder}/${id}`) !== undefined,
    );
  const recordIds = () => {
    const folder = tree.at(recordsFolder);
    return folder instanceof Folder ? [...folder.entries.keys()] : [];
  };
  const execs = () =>
    tree
      .paths(execFolder)
      .filter((path) => path.endsWith('.pid'))
      .map((path) => Number(textAt(path)));
  const isOwned = (process: SimProcess) =>
    execs().includes(process.pid) ||
    recordIds().some((id) => {
      const record = recordOf(id);
      const isIts = ledger.find(id)?.process === process || keptBy(process) === id;
      return record?.phase === 'running' && (isIts || record.inputHolder?.pid === process.pid);
    });
  const left = (folder: string) =>
    tree
      .paths(folder)
      .filter((path) => path !== folder)
      .map((path) => `"${path}" is left`);
  const view: ContainerView = {
    list: () => kept().map(seen),
    end: (id, exitCode) => ledger.find(id)?.process.exit(exitCode),
    endAll() {
      for (const { id } of ledger.all) ledger.loseWitness(id);
      machine.reboot();
    },
    hasSandbox: (uid) => hasSandbox(machine, uid),
    onStarted: () => {},
    exitCodeOf: (id) => (ledger.isWitnessed(id) ? ledger.find(id)?.process.exitCode : undefined),
    problems: () => recordIds().flatMap((id) => problemsOf(id, { ledger, record: recordOf(id), textAt })),
    strays: () =>
      processes.started
        .filter((process) => !isOwned(process))
        .map(
          ({ pid, words, hasEnded }) =>
            `process ${pid} ${hasEnded ? 'has ended and ' : ''}has no owner: ${words.join(' ')}`,
        ),
    leftovers: () => [
      ...recordIds().map((id) => `the monitor keeps container ${ledger.find(id)?.name} (${id.slice(0, 8)})`),
      ...processes.started.map(({ pid, words }) => `process ${pid} is left: ${words.join(' ')}`),
      ...[`${runtimeFolder}/containers`, `${runtimeFolder}/sandboxes`, recordsFolder, ociFolder].flatMap(
        left,
      ),
      ...[execFolder, `${monitorFolder}/sockets`].flatMap(left),
    ],
  };
  ledger.onStarted = (known) => view.onStarted(seen(known));
  return view;
}

/** The id of the container whose keeper a process is. */
function keptBy({ executable, words }: SimProcess): string | undefined {
  return executable === keeperPath && words.length > 1 ? words.at(-1) : undefined;
}

/** What a record or a log says that is not so. */
function problemsOf(id: string, { ledger, record, textAt }: Evidence): string[] {
  const known = ledger.find(id);
  if (!known || !record) return [];
  const { phase, exitCode, request } = record;
  const who = `container ${known.name} (${known.id.slice(0, 8)})`;
  const isOver = phase === 'exited' || phase === 'unknown';
  if (isOver && !known.process.hasEnded) return [`${who} runs, its record says "${phase}"`];
  if (!ledger.isWitnessed(id)) return [];
  const found: string[] = [];
  if (phase === 'unknown') found.push(`nobody knows how ${who} ended, which was seen`);
  if (phase === 'exited' && exitCode !== known.process.exitCode)
    found.push(`${who} ended with ${known.process.exitCode}, its record says ${exitCode}`);
  const log = request.logPath === null ? undefined : textAt(request.logPath);
  if (log === undefined) return found;
  for (const stream of ['stdout', 'stderr'] as const) {
    const [said, logged] = [known.written[stream], contentOf(log, stream, known.firstWords)];
    if (isOver ? said !== logged : !said.startsWith(logged))
      found.push(`${who} wrote ${JSON.stringify(said)} to ${stream}, its log has ${JSON.stringify(logged)}`);
  }
  return found;
}

/** What a log has of one output. Before it may stand what a container of the same attempt wrote, which was lost. */
function contentOf(log: string, stream: OutputName, firstWords: string): string {
  const all = log
    .split('\n')
    .map((line) => /^\S+ (\w+) ([FP]) (.*)$/.exec(line) ?? [])
    .filter(([, name]) => name === stream)
    .map(([, , tag, content = '']) => (tag === 'F' ? `${content}\n` : content))
    .join('');
  const at = all.indexOf(firstWords);
  return at < 0 ? '' : all.slice(at);
}

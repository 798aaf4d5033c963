import { layoutOf, type NodeStatus, readRecord, statusOf } from '@wherry/node';
import { CommandError } from '../../errors.ts';
import { paint, type Tone } from '../../output/colours.ts';
import { print, printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';
import { formatTable } from '../../output/table.ts';

/** Options of `wherry status`. */
export interface StatusOptions {
  dataDir: string;
  output?: OutputFormat;
}

/** Prints what lives of a node and where it is reached. Exit code 1 only when there is no node at all. */
export async function status({ dataDir, output }: StatusOptions): Promise<void> {
  const layout = layoutOf(dataDir);
  const record = readRecord(layout);
  if (!record) throw new CommandError(`no node in ${layout.dataDir}; "wherry up" starts one`);
  const found = await statusOf(layout, record);
  if (isValueFormat(output)) return printValue(found, output);
  print(output === 'name' ? found.name : describe(found));
}

const tones = new Map<string, Tone>([
  ['running', 'good'],
  ['dead', 'bad'],
]);

function describe({ name, dataDir, kubeconfig, processes, endpoints, node, nodes }: NodeStatus): string {
  const rows = processes.map(({ role, pid, state }) => [role, String(pid ?? '-'), state]);
  const members = nodes.map((member) => [member.name, member.ready, member.dataDir]);
  const ready =
    node.ready === 'True'
      ? paint('Ready', 'good', process.stdout)
      : `not Ready (${node.reason}: ${node.message})`;
  return [
    `node ${name}: ${ready}`,
    '',
    formatTable(['PROCESS', 'PID', 'STATE'], rows, { toneOf: (_, cell) => tones.get(cell) }),
    '',
    formatTable(['ENDPOINT', 'ADDRESS'], Object.entries(endpoints)),
    ...(nodes.length === 0 ? [] : ['', formatTable(['NODE', 'READY', 'FOLDER'], members)]),
    '',
    `data folder  ${dataDir}`,
    `kubeconfig   ${kubeconfig}`,
  ].join('\n');
}

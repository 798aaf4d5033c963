import type { Side } from './side.ts';
import { eventLines, leafLines } from './told-lines.ts';
import { withoutVolatile } from './volatile.ts';

const node = '/api/v1/nodes/suite';

/** What a kubelet tells of its node, and what it is told about it: all but images' sizes, which are their runtime's. */
export async function nodeLines({ api }: Side): Promise<string[]> {
  const { metadata, spec, status } = JSON.parse(await api.request('GET', node));
  const { labels, annotations = {} } = metadata;
  const told = { labels, annotations, spec, status: { ...status, images: status.images?.map(namesOf) } };
  const events = JSON.parse(
    await api.request('GET', '/api/v1/events?fieldSelector=involvedObject.kind%3DNode'),
  );
  const lines = leafLines('node', told).map((line) => withoutVolatile(line));
  return [...lines.sort(), ...eventLines(events.items, {})];
}

const namesOf = ({ names }: { names: readonly string[] }) => names;

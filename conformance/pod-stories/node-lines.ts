import type { Side } from './side.ts';
import { leafLines } from './told-lines.ts';
import { withoutVolatile } from './volatile.ts';

/** What a kubelet tells of its node: all but amounts, which change by the minute. */
export async function nodeLines({ api }: Side): Promise<string[]> {
  const { metadata, spec, status } = JSON.parse(await api.request('GET', '/api/v1/nodes/suite'));
  const { labels, annotations = {} } = metadata;
  const told = { labels, annotations, spec, status: { ...status, images: status.images?.map(namesOf) } };
  return leafLines('node', told)
    .map((line) => withoutVolatile(line))
    .sort();
}

const namesOf = ({ names }: { names: readonly string[] }) => names;

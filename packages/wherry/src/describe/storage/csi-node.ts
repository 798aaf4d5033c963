import type { CSINode, CSINodeDriver } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { metadataLines } from '../text/labels.ts';
import { field, indented, type Lines, section } from '../text/lines.ts';
import { clockTime } from '../text/times.ts';
import { list } from '../text/values.ts';

/** The drivers of storage that a node has. */
export async function describeCsiNode(node: CSINode, surroundings: Surroundings): Promise<Lines> {
  const { metadata, spec } = node;
  const drivers = spec.drivers ?? [];
  return [
    field('Name', metadata.name),
    ...metadataLines(metadata),
    field('CreationTimestamp', clockTime(metadata.creationTimestamp)),
    'Spec:',
    ...(drivers.length > 0 ? indented(section('Drivers', drivers.flatMap(driverLines))) : []),
    ...(await surroundings.events(node)),
  ];
}

function driverLines({ name, nodeID, allocatable, topologyKeys }: CSINodeDriver): Lines {
  const count = allocatable?.count;
  return section(name, [
    field('Node ID', nodeID),
    ...(count === undefined ? [] : section('Allocatables', [field('Count', count)])),
    ...((topologyKeys ?? []).length > 0 ? [field('Topology Keys', list(topologyKeys))] : []),
  ]);
}

import { type FormatCheck, labelValueFormat, qualifiedName } from '@wherry/kubeapi';
import type { NodeGetInfoResponse } from '../../generated/csi.ts';
import { csiNodeIdBytesMax, csiTopologyLabelsMax } from '../../limits.ts';

/** What a driver says of this node. */
export interface DriverNode {
  name: string;
  /** The node as the driver's controller knows it. */
  nodeId: string;
  /** Volumes of it that the node can have; 0 when it does not say. */
  volumesMax: number;
  /** Where the node is, as labels. */
  topology: Readonly<Record<string, string>>;
}

/** Reads it. Throws for what the node's object can not have: nothing of that is written. */
export function driverNode(name: string, info: NodeGetInfoResponse): DriverNode {
  const { nodeId, maxVolumesPerNode: volumesMax, accessibleTopology } = info;
  const topology = accessibleTopology?.segments ?? {};
  const labels = Object.entries(topology);
  const told = `CSI driver "${name}"`;
  // Upstream's words.
  if (nodeId === '') throw new Error('error adding CSI driver node info: driverNodeID must not be empty');
  const bytes = Buffer.byteLength(nodeId);
  if (bytes > csiNodeIdBytesMax)
    throw new Error(`${told} calls this node by an id of ${bytes} bytes; ${csiNodeIdBytesMax} are the most`);
  if (labels.length > csiTopologyLabelsMax)
    throw new Error(
      `${told} wants this node to have ${labels.length} labels; ${csiTopologyLabelsMax} are the most`,
    );
  const requireFormat = (what: string, text: string, format: FormatCheck) => {
    const [complaint] = format(text);
    if (complaint === undefined) return;
    const shown = JSON.stringify(text.slice(0, shownCharacters));
    throw new Error(`${told} says where this node is by the ${what} ${shown}: ${complaint}`);
  };
  for (const [key, value] of labels) {
    requireFormat('label', key, qualifiedName);
    requireFormat('value', value, labelValueFormat);
  }
  return { name, nodeId, volumesMax, topology };
}

const shownCharacters = 100;

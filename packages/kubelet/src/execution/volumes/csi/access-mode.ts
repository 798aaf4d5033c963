import {
  VolumeCapabilityAccessModeMode as Mode,
  NodeServiceCapabilityRPCType,
} from '../../../generated/csi.ts';

const lone: Readonly<Record<string, Mode>> = {
  ReadWriteOnce: Mode.SINGLE_NODE_WRITER,
  ReadOnlyMany: Mode.MULTI_NODE_READER_ONLY,
  ReadWriteMany: Mode.MULTI_NODE_MULTI_WRITER,
  ReadWriteOncePod: Mode.SINGLE_NODE_WRITER,
};
const withManyWriters: Readonly<Record<string, Mode>> = {
  ...lone,
  ReadWriteOnce: Mode.SINGLE_NODE_MULTI_WRITER,
  ReadWriteOncePod: Mode.SINGLE_NODE_SINGLE_WRITER,
};

/** The access mode of a volume as CSI has it: finer for a driver that can tell writers of one node from one another. */
export function csiAccessMode(
  modes: readonly string[] | undefined,
  capabilities: ReadonlySet<number>,
): { mode: Mode } {
  const [first = 'ReadWriteOnce'] = modes ?? [];
  const isFine = capabilities.has(NodeServiceCapabilityRPCType.SINGLE_NODE_MULTI_WRITER);
  const known = isFine ? withManyWriters : lone;
  return { mode: Object.hasOwn(known, first) ? (known[first] ?? Mode.UNKNOWN) : Mode.UNKNOWN };
}

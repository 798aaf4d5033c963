import type { NodeRange, NodeRanges } from '@wherry/controllers';
import { type Cidr, parseCidr } from '@wherry/kubeapi/objects';
import { type Command, Option } from 'commander';
import { NodeError } from '../../../errors.ts';
import { parseSwitch, parseWhole } from '../flag-values.ts';

/** Upstream's flags about which addresses of pods nodes get, as commander hands them over. */
export interface NodeRangeFlags {
  allocateNodeCidrs?: boolean;
  clusterCidr?: string;
  nodeCidrMaskSize?: number;
  nodeCidrMaskSizeIpv4?: number;
  nodeCidrMaskSizeIpv6?: number;
  serviceClusterIpRange?: string;
}

const usualBits = { 4: 24, 6: 64 } as const;
const allBits = { 4: 32, 6: 128 } as const;
/** A range of IPv6 has no more parts than that many bits can number, as upstream. */
const ipv6PartsBitsMax = 16;

/** Adds them to a command. */
export function addNodeRangeFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--allocate-node-cidrs [switch]',
        'each node gets a range of addresses for its pods out of --cluster-cidr (default: false)',
      )
        .argParser(parseSwitch)
        .preset('true'),
    )
    .option(
      '--cluster-cidr <cidrs>',
      'addresses of pods, one range or one of each family; without --allocate-node-cidrs nobody gets of it',
    )
    .option(
      '--node-cidr-mask-size <bits>',
      'of a node’s range, where --cluster-cidr is one range',
      parseWhole,
    )
    .option('--node-cidr-mask-size-ipv4 <bits>', 'the same of IPv4 (default: 24)', parseWhole)
    .option('--node-cidr-mask-size-ipv6 <bits>', 'the same of IPv6 (default: 64)', parseWhole)
    .option('--service-cluster-ip-range <cidrs>', 'addresses of services, of which no node gets any');
}

/** What nodes get by these flags; undefined for nothing. Throws NodeError `bad-settings` on what can't be. */
export function nodeRangesOf(flags: NodeRangeFlags): NodeRanges | undefined {
  const { allocateNodeCidrs, clusterCidr, nodeCidrMaskSize, serviceClusterIpRange } = flags;
  if (!allocateNodeCidrs) return undefined;
  if (clusterCidr === undefined) throw bad('--allocate-node-cidrs: say which addresses by --cluster-cidr');
  const ranges = readRanges('--cluster-cidr', clusterCidr);
  const { nodeCidrMaskSizeIpv4: ofIpv4, nodeCidrMaskSizeIpv6: ofIpv6 } = flags;
  if (nodeCidrMaskSize !== undefined && (ranges.length > 1 || (ofIpv4 ?? ofIpv6) !== undefined))
    throw bad('--node-cidr-mask-size: is for one range alone; say --node-cidr-mask-size-ipv4 and -ipv6');
  const bits = { 4: nodeCidrMaskSize ?? ofIpv4, 6: nodeCidrMaskSize ?? ofIpv6 };
  const parts = ranges.map((range) => nodeRange(range, bits[range.family] ?? usualBits[range.family]));
  const excluded = serviceClusterIpRange
    ? readRanges('--service-cluster-ip-range', serviceClusterIpRange)
    : [];
  return { ranges: parts, excluded };
}

function nodeRange(range: Cidr, nodePrefixBits: number): NodeRange {
  const { family, prefixBits } = range;
  const most = Math.min(allBits[family], family === 6 ? prefixBits + ipv6PartsBitsMax : allBits[family]);
  if (nodePrefixBits >= prefixBits && nodePrefixBits <= most) return { range, nodePrefixBits };
  throw bad(
    `--node-cidr-mask-size-ipv${family}: ${nodePrefixBits} is none from ${prefixBits} to ${most}, of which --cluster-cidr can have parts`,
  );
}

function readRanges(flag: string, text: string): Cidr[] {
  const ranges = text.split(',').map((part) => parseCidr(part.trim()));
  const good = ranges.filter((range) => range !== undefined);
  const families = new Set(good.map(({ family }) => family));
  if (good.length < ranges.length || families.size < good.length)
    throw bad(`${flag}: "${text}" is neither a range such as 10.244.0.0/16 nor one of each family`);
  return good;
}

const bad = (message: string) => new NodeError('bad-settings', message);

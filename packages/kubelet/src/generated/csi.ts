// Generated from the facts of github.com/container-storage-interface/spec v1.12.0. Do not edit; make it again: node packages/kubelet/scripts/generate.ts 36.2

import type { MessageSchema, MethodSchema } from '@wherry/cri/grpc';

export const messages: Record<string, MessageSchema> = {
  NodeStageVolumeRequest: [[1, 'volumeId', 'string', 'single'], [2, 'publishContext', 'string', 'map:string'], [3, 'stagingTargetPath', 'string', 'single'], [4, 'volumeCapability', 'VolumeCapability', 'single'], [5, 'secrets', 'string', 'map:string'], [6, 'volumeContext', 'string', 'map:string']],
  VolumeCapability: [[1, 'block', 'VolumeCapabilityBlockVolume', 'single'], [2, 'mount', 'VolumeCapabilityMountVolume', 'single'], [3, 'accessMode', 'VolumeCapabilityAccessMode', 'single']],
  VolumeCapabilityBlockVolume: [],
  VolumeCapabilityMountVolume: [[1, 'fsType', 'string', 'single'], [2, 'mountFlags', 'string', 'repeated'], [3, 'volumeMountGroup', 'string', 'single']],
  VolumeCapabilityAccessMode: [[1, 'mode', 'enum', 'single']],
  NodeStageVolumeResponse: [],
  NodeUnstageVolumeRequest: [[1, 'volumeId', 'string', 'single'], [2, 'stagingTargetPath', 'string', 'single']],
  NodeUnstageVolumeResponse: [],
  NodePublishVolumeRequest: [[1, 'volumeId', 'string', 'single'], [2, 'publishContext', 'string', 'map:string'], [3, 'stagingTargetPath', 'string', 'single'], [4, 'targetPath', 'string', 'single'], [5, 'volumeCapability', 'VolumeCapability', 'single'], [6, 'readonly', 'bool', 'single'], [7, 'secrets', 'string', 'map:string'], [8, 'volumeContext', 'string', 'map:string']],
  NodePublishVolumeResponse: [],
  NodeUnpublishVolumeRequest: [[1, 'volumeId', 'string', 'single'], [2, 'targetPath', 'string', 'single']],
  NodeUnpublishVolumeResponse: [],
  NodeGetVolumeStatsRequest: [[1, 'volumeId', 'string', 'single'], [2, 'volumePath', 'string', 'single'], [3, 'stagingTargetPath', 'string', 'single']],
  NodeGetVolumeStatsResponse: [[1, 'usage', 'VolumeUsage', 'repeated'], [2, 'volumeCondition', 'VolumeCondition', 'single']],
  VolumeUsage: [[1, 'available', 'int64', 'single'], [2, 'total', 'int64', 'single'], [3, 'used', 'int64', 'single'], [4, 'unit', 'enum', 'single']],
  VolumeCondition: [[1, 'abnormal', 'bool', 'single'], [2, 'message', 'string', 'single']],
  NodeExpandVolumeRequest: [[1, 'volumeId', 'string', 'single'], [2, 'volumePath', 'string', 'single'], [3, 'capacityRange', 'CapacityRange', 'single'], [4, 'stagingTargetPath', 'string', 'single'], [5, 'volumeCapability', 'VolumeCapability', 'single'], [6, 'secrets', 'string', 'map:string']],
  CapacityRange: [[1, 'requiredBytes', 'int64', 'single'], [2, 'limitBytes', 'int64', 'single']],
  NodeExpandVolumeResponse: [[1, 'capacityBytes', 'int64', 'single']],
  NodeGetCapabilitiesRequest: [],
  NodeGetCapabilitiesResponse: [[1, 'capabilities', 'NodeServiceCapability', 'repeated']],
  NodeServiceCapability: [[1, 'rpc', 'NodeServiceCapabilityRPC', 'single']],
  NodeServiceCapabilityRPC: [[1, 'type', 'enum', 'single']],
  NodeGetInfoRequest: [],
  NodeGetInfoResponse: [[1, 'nodeId', 'string', 'single'], [2, 'maxVolumesPerNode', 'int64', 'single'], [3, 'accessibleTopology', 'Topology', 'single']],
  Topology: [[1, 'segments', 'string', 'map:string']],
};

export const services: Record<string, Record<string, MethodSchema>> = {
  Node: {
    nodeStageVolume: ['NodeStageVolume', 'NodeStageVolumeRequest', 'NodeStageVolumeResponse', false],
    nodeUnstageVolume: ['NodeUnstageVolume', 'NodeUnstageVolumeRequest', 'NodeUnstageVolumeResponse', false],
    nodePublishVolume: ['NodePublishVolume', 'NodePublishVolumeRequest', 'NodePublishVolumeResponse', false],
    nodeUnpublishVolume: ['NodeUnpublishVolume', 'NodeUnpublishVolumeRequest', 'NodeUnpublishVolumeResponse', false],
    nodeGetVolumeStats: ['NodeGetVolumeStats', 'NodeGetVolumeStatsRequest', 'NodeGetVolumeStatsResponse', false],
    nodeExpandVolume: ['NodeExpandVolume', 'NodeExpandVolumeRequest', 'NodeExpandVolumeResponse', false],
    nodeGetCapabilities: ['NodeGetCapabilities', 'NodeGetCapabilitiesRequest', 'NodeGetCapabilitiesResponse', false],
    nodeGetInfo: ['NodeGetInfo', 'NodeGetInfoRequest', 'NodeGetInfoResponse', false],
  },
};

export const VolumeCapabilityAccessModeMode = {
  UNKNOWN: 0,
  SINGLE_NODE_WRITER: 1,
  SINGLE_NODE_READER_ONLY: 2,
  MULTI_NODE_READER_ONLY: 3,
  MULTI_NODE_SINGLE_WRITER: 4,
  MULTI_NODE_MULTI_WRITER: 5,
  SINGLE_NODE_SINGLE_WRITER: 6,
  SINGLE_NODE_MULTI_WRITER: 7,
} as const;
export type VolumeCapabilityAccessModeMode = (typeof VolumeCapabilityAccessModeMode)[keyof typeof VolumeCapabilityAccessModeMode];

export const VolumeUsageUnit = {
  UNKNOWN: 0,
  BYTES: 1,
  INODES: 2,
} as const;
export type VolumeUsageUnit = (typeof VolumeUsageUnit)[keyof typeof VolumeUsageUnit];

export const NodeServiceCapabilityRPCType = {
  UNKNOWN: 0,
  STAGE_UNSTAGE_VOLUME: 1,
  GET_VOLUME_STATS: 2,
  EXPAND_VOLUME: 3,
  VOLUME_CONDITION: 4,
  SINGLE_NODE_MULTI_WRITER: 5,
  VOLUME_MOUNT_GROUP: 6,
} as const;
export type NodeServiceCapabilityRPCType = (typeof NodeServiceCapabilityRPCType)[keyof typeof NodeServiceCapabilityRPCType];

export interface NodeStageVolumeRequest {
  volumeId: string;
  publishContext: Record<string, string>;
  stagingTargetPath: string;
  volumeCapability?: VolumeCapability | undefined;
  secrets: Record<string, string>;
  volumeContext: Record<string, string>;
}

export interface VolumeCapability {
  block?: VolumeCapabilityBlockVolume | undefined;
  mount?: VolumeCapabilityMountVolume | undefined;
  accessMode?: VolumeCapabilityAccessMode | undefined;
}

export type VolumeCapabilityBlockVolume = Record<never, never>;

export interface VolumeCapabilityMountVolume {
  fsType: string;
  mountFlags: string[];
  volumeMountGroup: string;
}

export interface VolumeCapabilityAccessMode {
  mode: VolumeCapabilityAccessModeMode;
}

export type NodeStageVolumeResponse = Record<never, never>;

export interface NodeUnstageVolumeRequest {
  volumeId: string;
  stagingTargetPath: string;
}

export type NodeUnstageVolumeResponse = Record<never, never>;

export interface NodePublishVolumeRequest {
  volumeId: string;
  publishContext: Record<string, string>;
  stagingTargetPath: string;
  targetPath: string;
  volumeCapability?: VolumeCapability | undefined;
  readonly: boolean;
  secrets: Record<string, string>;
  volumeContext: Record<string, string>;
}

export type NodePublishVolumeResponse = Record<never, never>;

export interface NodeUnpublishVolumeRequest {
  volumeId: string;
  targetPath: string;
}

export type NodeUnpublishVolumeResponse = Record<never, never>;

export interface NodeGetVolumeStatsRequest {
  volumeId: string;
  volumePath: string;
  stagingTargetPath: string;
}

export interface NodeGetVolumeStatsResponse {
  usage: VolumeUsage[];
  volumeCondition?: VolumeCondition | undefined;
}

export interface VolumeUsage {
  available: number;
  total: number;
  used: number;
  unit: VolumeUsageUnit;
}

export interface VolumeCondition {
  abnormal: boolean;
  message: string;
}

export interface NodeExpandVolumeRequest {
  volumeId: string;
  volumePath: string;
  capacityRange?: CapacityRange | undefined;
  stagingTargetPath: string;
  volumeCapability?: VolumeCapability | undefined;
  secrets: Record<string, string>;
}

export interface CapacityRange {
  requiredBytes: number;
  limitBytes: number;
}

export interface NodeExpandVolumeResponse {
  capacityBytes: number;
}

export type NodeGetCapabilitiesRequest = Record<never, never>;

export interface NodeGetCapabilitiesResponse {
  capabilities: NodeServiceCapability[];
}

export interface NodeServiceCapability {
  rpc?: NodeServiceCapabilityRPC | undefined;
}

export interface NodeServiceCapabilityRPC {
  type: NodeServiceCapabilityRPCType;
}

export type NodeGetInfoRequest = Record<never, never>;

export interface NodeGetInfoResponse {
  nodeId: string;
  maxVolumesPerNode: number;
  accessibleTopology?: Topology | undefined;
}

export interface Topology {
  segments: Record<string, string>;
}

export interface NodeMethods {
  nodeStageVolume: { request: NodeStageVolumeRequest; response: NodeStageVolumeResponse; stream: false };
  nodeUnstageVolume: { request: NodeUnstageVolumeRequest; response: NodeUnstageVolumeResponse; stream: false };
  nodePublishVolume: { request: NodePublishVolumeRequest; response: NodePublishVolumeResponse; stream: false };
  nodeUnpublishVolume: { request: NodeUnpublishVolumeRequest; response: NodeUnpublishVolumeResponse; stream: false };
  nodeGetVolumeStats: { request: NodeGetVolumeStatsRequest; response: NodeGetVolumeStatsResponse; stream: false };
  nodeExpandVolume: { request: NodeExpandVolumeRequest; response: NodeExpandVolumeResponse; stream: false };
  nodeGetCapabilities: { request: NodeGetCapabilitiesRequest; response: NodeGetCapabilitiesResponse; stream: false };
  nodeGetInfo: { request: NodeGetInfoRequest; response: NodeGetInfoResponse; stream: false };
}

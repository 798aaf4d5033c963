export { trimAllocator } from './allocator.ts';
export { CgroupMoves } from './cgroup/expect-move.ts';
export {
  type BlockFigures,
  type CgroupFigures,
  type CpuFigures,
  type MemoryFigures,
  readFigures,
} from './cgroup/figures.ts';
export { readGroupFile } from './cgroup/files.ts';
export {
  createGroup,
  enterGroup,
  foldersOf,
  groupFilePath,
  groupsIn,
  killGroup,
  membersOf,
  processesOf,
  removeGroup,
  writeGroupFile,
} from './cgroup/group.ts';
export {
  type CgroupFolders,
  type CgroupLayout,
  type CgroupVersion,
  detectCgroups,
  foldersAt,
  foldersOfProcess,
  parseProcessCgroups,
} from './cgroup/layout.ts';
export {
  type Pressure,
  type PressureResource,
  readMachinePressure,
  readPressure,
  type Stall,
} from './cgroup/pressure.ts';
export { type CgroupStats, readOutOfMemoryKills, readStats } from './cgroup/stats.ts';
export { type CheckpointAbility, checkpointAbility } from './criu.ts';
export { ConsoleSocket, unixPathBytesMax } from './descriptor/console-socket.ts';
export {
  closeDescriptor,
  copyDescriptorOf,
  makeFifo,
  openEventCounter,
  openPipe,
  type Pipe,
  pathForChildren,
  peekPipe,
  readableBytes,
  readNow,
  setNonBlocking,
  setPipeCapacity,
  splice,
  type Transferred,
  tee,
} from './descriptor/descriptor.ts';
export { tryLockFile, watchOpening } from './descriptor/file-lock.ts';
export {
  type PassedDescriptor,
  receiveDescriptor,
  sendDescriptor,
} from './descriptor/passed-descriptor.ts';
export { Poller, pollEvents, type Watch } from './descriptor/poller.ts';
export { setTerminalSize, type TerminalSize } from './descriptor/terminal.ts';
export { errnoName, hasCode, SyscallError } from './errors.ts';
export {
  readRecords,
  syncDirectory,
  syncFiles,
  writeFileAtomic,
  writeFileAtomicSync,
} from './filesystem/atomic-file.ts';
export { EagerWriteback, FilesystemFlusher } from './filesystem/durable.ts';
export {
  deviceNumber,
  deviceNumbers,
  getXattr,
  listXattrs,
  makeNode,
  type NodeRequest,
  setTimes,
  setXattr,
} from './filesystem/file-attributes.ts';
export { type IdMappedMount, mountIdMapped } from './filesystem/id-mapped-mount.ts';
export { bindMount, type MountRequest, mount, mountFlags, pivotRoot, unmount } from './filesystem/mount.ts';
export { type MountInfo, parseMountInfo, readMountInfo } from './filesystem/mountinfo.ts';
export { writeRecord } from './filesystem/record-file.ts';
export { type IdMapping, writeIdMaps } from './namespace/id-map.ts';
export {
  type InterfaceCounters,
  interfacesOfNamespace,
  interfacesOfProcess,
} from './namespace/interfaces.ts';
export {
  type PinnableNamespace,
  type PinRequest,
  pinNamespaces,
  setHostname,
  unpinNamespace,
  withNetworkNamespace,
} from './namespace/namespace.ts';
export { openStreamSocket, openTcpSocketIn, type SocketFamily } from './namespace/socket.ts';
export { type PinUserRequest, pinUserNamespace } from './namespace/user-namespace.ts';
export type { InterfaceAddress, Route, RouteRequest } from './netlink/address-message.ts';
export {
  type AttributeList,
  cString,
  decodeAttributes,
  encodeAttributes,
  uint32,
} from './netlink/attributes.ts';
export { endFlow, type Flow, type FlowTarget, flowsTo } from './netlink/conntrack.ts';
export {
  type AddressFamily,
  addressBits,
  blockListOf,
  decodeAddress,
  encodeAddress,
  familyOf,
  splitPrefix,
} from './netlink/ip-address.ts';
export type { Link, LinkChange } from './netlink/link-message.ts';
export { type NetlinkMessage, type NetlinkRequest, NetlinkSocket, netlinkFlags } from './netlink/netlink.ts';
export { RouteNetlink } from './netlink/route.ts';
export type { RateLimit } from './netlink/traffic-message.ts';
export { compare, isIn } from './nftables/conditions.ts';
export {
  addressWords,
  type Expression,
  load,
  lookUp,
  note,
  remember,
  sendTo,
} from './nftables/expressions.ts';
export { acceptForwarded, withdrawForwarded } from './nftables/forward-policy.ts';
export type { Chain, Table } from './nftables/messages.ts';
export type { NamedSet } from './nftables/named-set.ts';
export {
  addElements,
  chainsOf,
  changeTable,
  elementsOf,
  removeElements,
  removeTable,
  setsOf,
  type TableChange,
} from './nftables/nftables.ts';
export { runNft } from './nftables/run-nft.ts';
export { keyPart, type SetElement } from './nftables/set-elements.ts';
export { type KeptTable, TableKeeper, type TableKeeperOptions } from './nftables/table-keeper.ts';
export { acceptIt, dropIt, jumpTo } from './nftables/verdicts.ts';
export { type VersionedRules, versionedRules } from './nftables/versioned-rules.ts';
export { type Share, type TableContent, WantedTable } from './nftables/wanted-table.ts';
export {
  chrootRefusal,
  hasCapability,
  isAppArmorOn,
  isInChroot,
  type ProbeResult,
  probeMachine,
  programVersion,
  rightsRefusal,
  usualOciRuntime,
} from './probe.ts';
export { currentBoot } from './process/boot.ts';
export { type OpenFiles, openFilesMaxOf, openFilesOf, setOpenFilesMax } from './process/open-files.ts';
export {
  becomeSubreaper,
  exitCodeOfDescriptor,
  exitCodeOfStatus,
  exitCodeOfZombie,
  identifyProcess,
  isAdopted,
  isAlive,
  openPidDescriptor,
  type ProcessIdentity,
  processGroupOf,
  type Reaped,
  reap,
  signalById,
  signalProcess,
  zombieOf,
} from './process/process.ts';
export { processGauges } from './process/process-gauges.ts';
export { sealedCopy } from './process/sealed-copy.ts';
export { programPath, type SpawnRequest, spawnProgram } from './process/spawn.ts';
export { type MachineCode, tinyProgram, wordsOf } from './process/tiny-program.ts';
export { runsX32 } from './process/x32.ts';
export { cachedRealPath } from './rooted/cached-path.ts';
export { copyTree } from './rooted/copy-tree.ts';
export {
  copyContent,
  type EntryFacts,
  finishEntry,
  makeEntry,
  type NewEntry,
  setAttributes,
} from './rooted/new-entry.ts';
export { type NewFolders, OpenFolder } from './rooted/open-folder.ts';
export {
  descriptorPath,
  type EntryPath,
  folderFlags,
  type LinkRule,
  type OpenInRootOptions,
  openInRoot,
  pathOnlyFlag,
} from './rooted/open-in-root.ts';
export { makePrivateFolder } from './rooted/private-folder.ts';
export { removeTree, removeTreeInTurns } from './rooted/remove-tree.ts';
export { bytesOnDisk, measureTree, type TreeUsage } from './rooted/tree-usage.ts';
export { boundsOfGroup } from './systemd/group-bounds.ts';
export { groupPathOf, isSlice, isSystemdPath, sliceFolder, sliceName } from './systemd/slice-names.ts';
export { isSystemdBooted, Systemd, type SystemdOptions, type UnitBounds } from './systemd/systemd.ts';

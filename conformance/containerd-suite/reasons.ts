/** Tests that cannot judge another runtime than containerd, by why. */
const notOurs: Readonly<Record<string, readonly string[]>> = {
  "asks containerd's own services beside CRI: images, snapshots, tasks": [
    'TestContainerdImage',
    'TestContainerdImageInOtherNamespaces',
    'TestContainerdSandboxImage',
    'TestContainerdSandboxImagePulledOutsideCRI',
    'TestImageVolumeBasic',
    'TestImageVolumeReusableAfterFailure',
    'TestImageVolumeSetupIfContainerdRestarts',
    'TestUpdateContainerResources_MemorySwap',
    'TestUpdateContainerResources_MemoryLimit',
  ],
  "looks for image volumes in containerd's folder of state": [
    'TestImageVolumeCheckVolatileOption',
    'TestImageVolumeWithUserNamespace',
  ],
  "looks into containerd's shims": [
    'TestContainerIOLeakAfterStartFailed',
    'TestContainerTTYLeakAfterExit',
    'TestIssue7496',
    'TestIssue7496_ShouldRetryShutdown',
    'TestKillShimPublishesTaskExitAndDeleteEvents',
    'TestKillShimPublishesTaskExitAndDeleteEventsForContainer',
    'TestKillShimPreservesExitStatusForMultipleContainers',
    'TestShutdownShimWhenPauseExitsBeforeWorkload',
    'TestFailFastWhenConnectShim',
  ],
  'starts a containerd of its own': [
    'TestContainerCgroupWritable',
    'TestRunContainerWithVolatileOption',
    'TestIssue10244LoopbackV2',
    'TestIssue10467',
    'TestOOMEventMonitor',
    'TestUpgrade',
    'TestReload100Pods',
    'TestRuntimeHandlerUnpackWithSnapshotLabels',
  ],
  'kills the process named containerd': [
    'TestContainerdRestart',
    'TestContainerdRestartSandboxRecover',
    'TestNriPluginContainerdRestart',
    'TestUpdatePodSandboxWithRestart',
  ],
  "makes containerd's shim or a CNI plug-in of its tests fail": [
    'TestPodSandboxController_ShouldBackoffExitEventWhenFail',
    'TestRunPodSandboxWithSetupCNIFailure',
    'TestRunPodSandboxWithShimStartFailure',
    'TestRunPodSandboxWithShimDeleteFailure',
    'TestRunPodSandboxWithShimStartAndTeardownCNIFailure',
    'TestRunPodSandboxAndTeardownCNISlow',
    'TestSandboxStopWithNilCNIResult',
  ],
  "reads containerd's configuration out of Status": [
    'TestLongContainerLog',
    'TestSandboxRemoveWithoutIPLeakage',
  ],
  "runs containerd's image service inside the test": ['TestCRIImagePullTimeout'],
  'loads an image by docker and ctr': ['TestImageLoad'],
};

/** Tests, or parts of them, that run and ask for what is otherwise here on purpose; by what it is here. */
const otherwise: Readonly<Record<string, readonly string[]>> = {
  "the same refusal in other words than containerd's": [
    'TestContainerSysfsStatsWithPrivilegedPod/sandbox_with_privileged=false,_and_container_with_privileged=true,_create_container_failed',
  ],
  'the exit code of a command counts, also where it left a process behind that holds its output; containerd fails it':
    ['TestContainerDrainExecIOAfterExit'],
  'a container that is asked for again unchanged before it was started is the one that is there': [
    'TestDuplicateName',
  ],
  'a container that has ended still has figures, those of its writable layer': ['TestTruncIndex'],
};

const whyIn = (table: Readonly<Record<string, readonly string[]>>, name: string) =>
  Object.entries(table).find(([, names]) => names.includes(name))?.[0];

/** Why a test says nothing about this runtime, and is not run; undefined when it does. */
export const reasonOf = (name: string): string | undefined => whyIn(notOurs, name);

/** What this runtime does otherwise on purpose where a test, or a part of one, may fail. */
export const choiceOf = (name: string): string | undefined => whyIn(otherwise, name);

/**
 * Where ours differ from upstream, and why that is let be. The test fails on what is not here, and on what is here and no
 * longer occurs.
 */
export const knownDifferences: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^defaults v1\/LimitRange metadata\.name$/, 'one without a name gets one made of chance'],
  [
    /ResourceClaimTemplate only theirs: Forbidden spec\.metadata\.(managedFields|finalizers|ownerReferences)$/,
    'an empty list is as good as none',
  ],
  [
    /^words resource\.k8s\.io\/\S+ spec\.(spec\.)?devices\.constraints\[\*\]: ours Required/,
    'upstream says of a constraint that has no attribute that it has several',
  ],
  [
    /v1\/PersistentVolume only theirs: .* spec\.(aws|azure|ceph|cinder|fc|flex|floc|gce|gluster|iscsi|pers|port|quobyte|rbd|photon|scale|storageos|vsphere)/,
    'sources of volumes that Kubernetes itself has given up are kept as they come',
  ],
  [
    /only theirs: .* (spec|POD)\.volumes\[\*\]\.(aws|azure|ceph|cinder|fc|flex|floc|gitRepo|gluster|iscsi|pers|photon|port|quobyte|rbd|scale|storageos|vsphere)/,
    'a kubelet of wherry refuses these volumes by name, whatever they say',
  ],
  [
    /only theirs: ((Invalid|Forbidden) (POD|spec)\.hostNetwork|(Invalid|Forbidden) POD)$|create v1\/Pod only theirs: Forbidden spec$/,
    'host processes of Windows: a kubelet of wherry refuses windowsOptions by name',
  ],
  [
    /only theirs: Forbidden .*\.privileged$/,
    'privileged containers are allowed here, as kube-apiserver can be told',
  ],
  [
    /VolumeAttachment only theirs: .* spec\.source\.inlineVolumeSpec/,
    'inline volumes, of a migration that is over, are kept as they come',
  ],
  [/v1\/Node only theirs: .* status\./, 'a kubelet’s word about its node is not doubted further'],
  [/only theirs: InternalError/, 'told as one violation, not as two'],
  [/v1\/Node only theirs: .* spec\.(externalID|configSource)/, 'fields that nothing reads any more'],
  [
    /only theirs: .*(\bPOD\.ephemeralContainers|securityContext\.windowsOptions|fileKeyRef)/,
    'a kubelet of wherry refuses these fields by name, whatever they say',
  ],
  [
    /only theirs: .*(resizePolicy|volumeMounts\.(mountPropagation|recursiveReadOnly)|volumeDevices\[\*\]\.devicePath)$/,
    'looked at by the kubelet, which refuses the pod',
  ],
  [
    /allowedTopologies\[\*\]\.matchLabelExpressions$/,
    'upstream takes a term without expressions for the repetition of one that is not there',
  ],
  [
    /cells (apps\/v1\/(Deployment|ReplicaSet) Selector|apps\/v1\/ControllerRevision Controller|v1\/Event Count|v1\/Service (Cluster|External)-IP|v1\/Endpoints Endpoints|v1\/Node Internal-IP|autoscaling\/v2\/HorizontalPodAutoscaler Targets)$/,
    'of an object that was never sound: nothing is shown as <none>, 0 or the first address',
  ],
  [
    /defaults apps\/v1\/(DaemonSet|Deployment|StatefulSet) spec\.(updateStrategy|strategy)/,
    'of an object that is refused anyway',
  ],
  [/update apps\/v1\/StatefulSet only ours: .* POD/, 'upstream takes a template that was always wrong'],
  [
    /defaults .*(nodeAllocatableResourceClaimStatuses|taints\[\*\]\.timeAdded)/,
    'upstream fills in 0 for an allocation that nothing here makes, and the time before the other defaults',
  ],
  [/update events\.k8s\.io\/v1\/Event only theirs: Invalid related/, 'an empty reference is as good as none'],
  [
    /only theirs: .* status\.(certificate|allocatedResourceStatuses)$/,
    'what signers and resizers write is taken as it comes',
  ],
  [
    /only theirs: Invalid status\.typeChecking\.expressionWarnings\[\*\]\.fieldRef$/,
    'the path of a warning, which upstream’s controller writes, is taken as it comes',
  ],
  [/PersistentVolume only theirs: Invalid spec\.nfs\.path/, 'an empty path is told once'],
  [
    /WebhookConfiguration only (ours|theirs): Required webhooks\[\*\]\.clientConfig\.service\.name(space)?$/,
    'upstream mixes up the name and the namespace that are missing',
  ],
  [
    /^prepared for .*(schedulingGroup|\.lifecycle|\.volumeStatus|projected\.sources\[\*\]\.\w+)$|\.stopSignal$/,
    'parts of a pod behind gates that upstream keeps off stay: a kubelet or the scheduler refuses them by name',
  ],
  [
    /^prepared for update resource\.k8s\.io\/v1\/ResourceSlice metadata\.generation$/,
    'upstream counts what it then drops, behind gates that it keeps off, as a change',
  ],
  [
    /^prepared for create v1\/Pod status\.qosClass$/,
    'upstream believes who creates a pod what class he says it has',
  ],
  [
    /^prepared for \w+ apps\/v1\/StatefulSet spec\.updateStrategy\.rollingUpdate\.maxUnavailable$/,
    'maxUnavailable of stateful sets counts here, which upstream has off',
  ],
  [
    /^prepared for \w+ apps\/v1\/(DaemonSet|Deployment|StatefulSet) spec\.(updateStrategy|strategy)/,
    'of an object that is refused anyway',
  ],
  [
    /^prepared for \w+ autoscaling\/v2\/HorizontalPodAutoscaler spec\.behavior\.scale\w+\.policies$/,
    'what upstream prints does not tell a list without policies, which is refused, from none',
  ],
  [
    /^prepared for update v1\/Service spec\./,
    'what a change of type takes along is taken by a plug-in of admission here',
  ],
  [
    /^update (of \w+ of )?certificates\.k8s\.io\/v1\/CertificateSigningRequest only theirs: Invalid spec\.request$/,
    'a request that was never sound is not read again',
  ],
  [
    /only ours: .* metadata\./,
    'the rest of the metadata is told together with the other violations, not after them',
  ],
];

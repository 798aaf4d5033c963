import type { Told } from './story.ts';

/** What differs between two runs of one side: each pattern, and what stands in its place. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, 'TIME'],
  [/\.\.\d{4}(_\d\d){5}\.\w+/g, '..DATED'],
  [/\b(containerd|wherry):\/\/[0-9a-f]{64}/g, 'RUNTIME://ID'],
  [/sha256:(?!0{64})[0-9a-f]{64}\b/g, 'sha256:DIGEST'],
  [/(?<!sha256:)\b[0-9a-f]{64}\b/g, 'ID'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UID'],
  // A static pod's is the hash of its manifest as each kubelet reads it.
  [/(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g, 'UID'],
  [/\b10\.(94|2\d\d)\.\d+\.\d+\b/g, 'POD-IP'],
  [/\/tmp\/(containerd|joining|wh)-\w+/g, 'FOLDER'],
  [/kube-api-access-\w+/g, 'kube-api-access-RANDOM'],
  [/\S+ \(\S+ including waiting\)/g, 'A-WHILE (A-WHILE including waiting)'],
  // Built from its module alone, a kubelet does not know its version.
  [/kube-probe\/(\.|1\.36)/g, 'kube-probe/VERSION'],
  [/Image size: \d+ bytes/g, 'Image size: SOME bytes'],
  [/127\.0\.0\.1:\d{4,5}/g, 'LOOPBACK'],
];

/** How the runtimes begin what runc says; what it says is compared. */
const preambles = [
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: ',
  'runc run: runc run failed: ',
  'failed to exec in container: failed to start exec "ID": OCI runtime exec failed: ',
  'runc exec: ',
];

/** A text without what is never the same, and without how a runtime begins an error. */
export function withoutVolatile(text: string, pod?: Told): string {
  let plain = text;
  for (const [pattern, word] of patterns) plain = plain.replace(pattern, word);
  for (const preamble of preambles)
    plain = plain.replaceAll(preamble, 'RUNC: ').replaceAll(preamble.replaceAll('"', '\\"'), 'RUNC: ');
  const address = pod?.status?.podIP;
  return address && address !== pod.status.hostIP ? plain.replaceAll(address, 'POD-IP') : plain;
}

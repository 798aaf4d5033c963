import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { SourceFile } from './source-files.ts';

/** The packages of each floor, from the ground up. */
export const floors: readonly (readonly string[])[] = [
  ['bytes', 'clock', 'telemetry'],
  ['spdy', 'cri', 'kubeapi'],
  ['upgrade', 'linux', 'podrules', 'kustomize'],
  ['remotecommand', 'portforward', 'monitor-api', 'images'],
  ['client'],
  ['apiserver', 'controllers', 'dns', 'kubelet', 'runtime', 'monitor', 'service-proxy', 'network-policy'],
  ['node', 'console', 'pod-provider'],
  ['wherry', 'testing'],
];

const floorOf = (name: string) => floors.findIndex((names) => names.includes(name)) + 1;

/** Imports between packages that run upward or sideways, that nobody declared, and packages without a floor. */
export function packageComplaints(root: string, files: readonly SourceFile[]): string[] {
  return [...Map.groupBy(files, ({ room }) => room)].flatMap(([room, members]) => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', room, 'package.json'), 'utf8'));
    const { dependencies, devDependencies, peerDependencies } = manifest;
    const named = { ...dependencies, ...devDependencies, ...peerDependencies };
    const declared = new Set<string>([manifest.name, ...Object.keys(named)]);
    const homeless =
      floorOf(room) === 0 ? [`packages/${room}: has no floor; give it one in tools/floors`] : [];
    return [...homeless, ...members.flatMap((file) => foreignComplaints(file, manifest.name, declared))];
  });
}

function foreignComplaints(
  { path, room, specifiers }: SourceFile,
  own: string,
  declared: ReadonlySet<string>,
): string[] {
  if (path.endsWith('.test.ts') || !path.includes('/src/')) return [];
  const complaints: string[] = [];
  for (const specifier of specifiers) {
    if (specifier.startsWith('.') || isBuiltin(specifier)) continue;
    const target = packageOf(specifier);
    if (!declared.has(target)) {
      complaints.push(`${path}: imports "${target}"; declare it in packages/${room}/package.json`);
    }
    const neighbour = target.replace(/^@wherry\//, '');
    const isOurs = target === 'wherry' || target.startsWith('@wherry/');
    if (isOurs && target !== own && floorOf(neighbour) >= floorOf(room)) {
      complaints.push(
        `${path}: ${room} (floor ${floorOf(room)}) imports ${neighbour} (floor ${floorOf(neighbour)})`,
      );
    }
  }
  return complaints;
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

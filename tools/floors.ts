/**
 * Prints the floor of each package and fails on an import that runs upward or sideways, or on a dependency that a
 * package uses without declaring it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

const floors: string[][] = [
  ['bytes', 'clock', 'telemetry'],
  ['spdy', 'cri', 'kubeapi'],
  ['upgrade', 'linux'],
  ['remotecommand', 'portforward', 'monitor-api'],
  ['client'],
  ['apiserver', 'controllers', 'kubelet', 'runtime', 'monitor'],
  ['wherry', 'console'],
];

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
}

const floorOf = (name: string) => floors.findIndex((names) => names.includes(name)) + 1;
const importPattern =
  /^(?:import|export)\b[^'"`;]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;
const complaints: string[] = [];

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

function checkImport(room: string, manifest: Manifest, file: string, specifier: string): void {
  if (specifier.startsWith('.') || isBuiltin(specifier)) return;
  const target = packageOf(specifier);
  if (target === manifest.name) return;
  const isTest = file.endsWith('.test.ts') || !file.includes('/src/');
  if (!isTest && !manifest.dependencies?.[target]) {
    complaints.push(`${file}: imports "${target}"; declare it in packages/${room}/package.json`);
  }
  const neighbour = target.replace(/^@wherry\//, '');
  const isOurs = target === 'wherry' || target.startsWith('@wherry/');
  if (isOurs && !isTest && floorOf(neighbour) >= floorOf(room)) {
    complaints.push(
      `${file}: ${room} (floor ${floorOf(room)}) imports ${neighbour} (floor ${floorOf(neighbour)})`,
    );
  }
}

for (const room of readdirSync('packages')) {
  if (floorOf(room) === 0) complaints.push(`packages/${room}: has no floor; give it one in tools/floors.ts`);
  const manifest: Manifest = JSON.parse(readFileSync(`packages/${room}/package.json`, 'utf8'));
  for (const file of sourceFiles(`packages/${room}`).filter((path) => !path.includes('node_modules'))) {
    for (const [, from, bare, dynamic] of readFileSync(file, 'utf8').matchAll(importPattern)) {
      checkImport(room, manifest, file, from ?? bare ?? dynamic ?? '');
    }
  }
}

for (const [index, names] of [...floors.entries()].reverse())
  console.log(`floor ${index + 1}: ${names.join(' ')}`);
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;

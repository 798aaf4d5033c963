/**
 * Prints the floors of the packages and the layers of their folders, and fails on imports that run upward, sideways or
 * in a circle, on dependencies that are not declared, on folders too large to be read, on Node's modules and on the clock in a core.
 */
import { cores, exceptions, timelessCores } from './floors/exceptions.ts';
import { circleComplaints, nodeComplaints, sizeComplaints, timeComplaints } from './floors/folder-rules.ts';
import { folders, layersOf } from './floors/folders.ts';
import { floors, packageComplaints } from './floors/packages.ts';
import { sourceFiles } from './floors/source-files.ts';

const root = process.cwd();
const files = sourceFiles(root);
const found = folders(files);

for (const [index, names] of [...floors.entries()].reverse()) {
  console.log(`floor ${index + 1}: ${names.join(' ')}`);
  for (const folder of found.filter(({ path }) => names.includes(path.split('/')[1] ?? ''))) {
    const layers = layersOf(folder);
    if (layers) console.log(`  ${folder.path.replace(/^packages\/([^/]+)\/src/, '$1')}: ${layers}`);
  }
}

const complaints = [
  ...packageComplaints(root, files),
  ...circleComplaints(found, exceptions.circles),
  ...sizeComplaints(found, exceptions.largeFolders),
  ...nodeComplaints(files, cores, exceptions.nodeFiles),
  ...timeComplaints(files, timelessCores),
];
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;
